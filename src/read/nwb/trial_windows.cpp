#include "read/nwb/trial_windows.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/nearest_name.hpp"
#include "milcci/error.hpp"

namespace milcci::read {

namespace {

std::vector<double> read_times(const TrialTable& table, const std::string& column) {
  return table.group.read_reals(column, {table.n_rows});
}

void check_finite(const TrialTable& table, const std::string& column, std::size_t row, double time) {
  if (!std::isfinite(time))
    table.group.fail(column,
                     fmt::format("the value of trial {} is {}, must be a time in seconds; correct the "
                                 "table, or cut trials around another event with `align`",
                                 row + 1, time));
}

std::vector<TrialWindow> from_start_to_stop(const TrialTable& table, const ReadOptions& options) {
  const std::vector<double> starts = read_times(table, "start_time"), stops = read_times(table, "stop_time");
  std::vector<TrialWindow> windows;
  for (std::size_t row = 0; row < table.n_rows; ++row) {
    check_finite(table, "start_time", row, starts[row]);
    check_finite(table, "stop_time", row, stops[row]);
    if (stops[row] < starts[row])
      table.group.fail("stop_time",
                       fmt::format("trial {} stops at {} s, before its start at {} s; correct the "
                                   "table",
                                   row + 1, stops[row], starts[row]));
    windows.push_back({row, starts[row], starts[row] - options.before, stops[row] + options.after});
  }
  return windows;
}

std::vector<TrialWindow> around_event(const std::string& path, const TrialTable& table,
                                      const ReadOptions& options, std::vector<std::string>& notes) {
  if (!table.group.is_dataset(options.align)) {
    std::vector<std::string> names;
    for (const hdf5::Child& child : table.group.children())
      if (!child.is_group) names.push_back(child.name);
    throw Error(ErrorKind::bad_option,
                fmt::format("`align` = {}: {} of file \"{}\" has no such column{}", options.align, table.path,
                            path, suggestion(options.align, names)));
  }
  const std::vector<double> events = read_times(table, options.align);
  std::vector<TrialWindow> windows;
  for (std::size_t row = 0; row < events.size(); ++row) {
    const double event = events[row];
    if (options.align == "start_time" || std::isinf(event)) check_finite(table, options.align, row, event);
    if (std::isfinite(event)) windows.push_back({row, event, event - options.before, event + options.after});
  }
  if (windows.size() < events.size())
    notes.push_back(fmt::format("left out {} of {} trials: no {}", events.size() - windows.size(),
                                events.size(), options.align));
  return windows;
}

}  // namespace

std::vector<TrialWindow> trial_windows(const std::string& path, const TrialTable& table,
                                       const ReadOptions& options, std::vector<std::string>& notes) {
  std::vector<TrialWindow> windows =
      options.align.empty() ? from_start_to_stop(table, options) : around_event(path, table, options, notes);
  if (options.first_trials && windows.size() > static_cast<std::size_t>(*options.first_trials)) {
    notes.push_back(fmt::format("only the first {} of {} trials", *options.first_trials, windows.size()));
    windows.resize(static_cast<std::size_t>(*options.first_trials));
  }
  return windows;
}

}  // namespace milcci::read
