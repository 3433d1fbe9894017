#include "read/nwb/read_nwb.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>

#include "milcci/error.hpp"
#include "read/errors.hpp"
#include "read/nwb/nwb_series.hpp"
#include "read/nwb/nwb_series_labels.hpp"
#include "read/nwb/nwb_table.hpp"
#include "read/nwb/nwb_units.hpp"
#include "read/nwb/spike_rates.hpp"
#include "read/nwb/trial_windows.hpp"

namespace milcci::read {

namespace {

using Notes = std::vector<std::string>;
using Windows = std::vector<TrialWindow>;

std::string window_text(const ReadOptions& options) {
  if (!options.align.empty())
    return fmt::format("from {} s before to {} s after {}", options.before, options.after, options.align);
  if (options.before == 0 && options.after == 0) return "from start to stop";
  return fmt::format("from {} s before start to {} s after stop", options.before, options.after);
}

std::string rates_text(const ReadOptions& options) {
  const std::string bins = fmt::format("spikes per second in bins of {} s", options.bin_width);
  if (options.smooth_sigma == 0) return bins + ", not smoothed";
  return fmt::format("{}, smoothed by a Gaussian of sigma {} s and window {} s", bins, options.smooth_sigma,
                     options.smooth_window);
}

// Drops windows that have no samples.
template <class HasNone>
void drop_empty(Windows& windows, const HasNone& has_none, const std::string& why, Notes& notes) {
  const std::size_t n_before = windows.size();
  windows.erase(std::remove_if(windows.begin(), windows.end(), has_none), windows.end());
  if (windows.size() < n_before)
    notes.push_back(fmt::format("left out {} of {} trials: {}", n_before - windows.size(), n_before, why));
}

// Drops units that fire less than asked in the trials.
void drop_silent(Units& units, const Windows& windows, double min_rate, Notes& notes) {
  if (min_rate <= 0) return;
  Units kept;
  for (std::size_t n = 0; n < units.trains.size(); ++n) {
    Activity total;
    for (const TrialWindow& window : windows) {
      const Activity one = activity(units.trains[n], window.begin, window.end);
      total.n_spikes += one.n_spikes, total.seconds += one.seconds;
    }
    if (total.seconds == 0 || total.n_spikes < min_rate * total.seconds) continue;
    kept.trains.push_back(std::move(units.trains[n]));
    kept.names.push_back(units.names[n]);
    if (!units.groups.empty()) kept.groups.push_back(units.groups[n]);
  }
  const std::size_t n_all = units.trains.size(), n_kept = kept.trains.size();
  if (n_kept == 0)
    throw Error(
        ErrorKind::bad_option,
        fmt::format("`min_rate` = {}: none of {} units fires that often in the trials; give a lower rate",
                    min_rate, n_all));
  if (n_kept < n_all)
    notes.push_back(
        fmt::format("left out {} of {} units: below {} spikes per second", n_all - n_kept, n_all, min_rate));
  kept.times = std::move(units.times);  // stay where they are
  units = std::move(kept);
}

void check_amount(const std::string& path, const TrialTable& table, const Windows& windows,
                  std::size_t n_units, double bin_width) {
  double total = 0, most = 0;
  const TrialWindow* longest = nullptr;
  for (const TrialWindow& window : windows) {
    const double count = n_bins(window.begin, window.end, bin_width);
    total += count * static_cast<double>(n_units);
    if (count > most) most = count, longest = &window;
  }
  if (total > kMostValues)
    fail_item(path, table.path,
              fmt::format("the trials would have {:.3g} values of {} units, at most {:.3g} are possible; the "
                          "longest is trial {} with {} s: correct the table, cut trials around an event "
                          "(`align`), or give a larger `bin_width`",
                          total, n_units, kMostValues, longest->row + 1, longest->end - longest->begin));
}

// A trial many times as long as all that was recorded is a damaged time, and would be filled with zeros.
void check_lengths(const std::string& path, const TrialTable& table, const Windows& windows,
                   const std::vector<double>& spikes) {
  constexpr double kMostTimes = 10, kAlwaysAllowed = 3600;
  double first = std::numeric_limits<double>::infinity(), last = -first;
  const auto add = [&](double time) { first = std::min(first, time), last = std::max(last, time); };
  for (const double spike : spikes) add(spike);
  for (const TrialWindow& window : windows) add(window.zero);
  for (const TrialWindow& window : windows)
    if (window.end - window.begin > kMostTimes * (last - first) + kAlwaysAllowed)
      fail_item(path, table.path,
                fmt::format("trial {} is {} s long, but spikes and starts of trials are within {} s; correct "
                            "the table, or cut trials around an event (`align`)",
                            window.row + 1, window.end - window.begin, last - first));
}

void take_spikes(const std::string& path, const hdf5::Group& root, const TrialTable& table,
                 const ReadOptions& options, Windows& windows, ReadResult& result) {
  Units units = read_units(root, options, result.notes);
  const double width = options.bin_width;
  drop_empty(
      windows, [&](const TrialWindow& w) { return n_bins(w.begin, w.end, width) < 1; },
      fmt::format("shorter than a bin of {} s", width), result.notes);
  result.notes.insert(
      result.notes.begin(),
      fmt::format("NWB: {} units with {} spikes; {} trials of {} {}; {}", units.trains.size(),
                  units.times.size(), windows.size(), table.path, window_text(options), rates_text(options)));
  drop_silent(units, windows, options.min_rate, result.notes);
  check_amount(path, table, windows, units.trains.size(), width);
  check_lengths(path, table, windows, units.times);
  Trials& trials = result.trials;
  for (const TrialWindow& window : windows) {
    const auto n = static_cast<Index>(n_bins(window.begin, window.end, width));
    trials.values.push_back(
        spike_rates(units.trains, window.begin, n, {width, options.smooth_sigma, options.smooth_window}));
    Vector& times = trials.times.emplace_back(n);
    for (Index t = 0; t < n; ++t)
      times(t) = window.begin - window.zero + (static_cast<double>(t) + 0.5) * width;
  }
  trials.channel_names = std::move(units.names);
  trials.channel_groups = std::move(units.groups);
}

void take_series(const std::string& path, const hdf5::Group& root, const TrialTable& table,
                 const ReadOptions& options, Windows& windows, ReadResult& result) {
  SeriesTrials series = read_series(path, root, {"`dataset` = " + options.dataset, options.dataset}, windows);
  Trials& trials = result.trials;
  Windows kept;
  for (std::size_t m = 0; m < windows.size(); ++m) {
    if (series.values[m].cols() == 0) continue;
    kept.push_back(windows[m]);
    trials.values.push_back(std::move(series.values[m]));
    trials.times.push_back(std::move(series.times[m]));
  }
  result.notes.insert(result.notes.begin(), fmt::format("NWB: {}; {} trials of {} {}", series.description,
                                                        kept.size(), table.path, window_text(options)));
  if (kept.size() < windows.size())
    result.notes.push_back(fmt::format("left out {} of {} trials: without a sample",
                                       windows.size() - kept.size(), windows.size()));
  windows = std::move(kept);
  trials.channel_names = std::move(series.names);
  trials.channel_groups = std::move(series.groups);
}

[[noreturn]] void fail_without_units(const std::string& path, const hdf5::Group& root) {
  const std::vector<std::string> series = list_series(root);
  fail(path, fmt::format("has no spikes (/units/spike_times){}",
                         series.empty() ? ", and no time series"
                                        : fmt::format("; name a time series with `dataset`. There are: {}",
                                                      fmt::join(series, ", "))));
}

bool holds_spikes(const hdf5::Group& root) {
  const auto units = find_group(root, "units");
  return units && (units->is_dataset("spike_times") || units->is_dataset("spike_times_index"));
}

}  // namespace

ReadResult read_nwb(const std::string& path, const ReadOptions& options) {
  const hdf5::File file = hdf5::File::open(path);
  const hdf5::Group root = file.root();
  if (options.dataset.empty() && !holds_spikes(root)) fail_without_units(path, root);
  const TrialTable table = open_trial_table(path, root, options);
  ReadResult result;
  Windows windows = trial_windows(path, table, options, result.notes);
  if (options.dataset.empty())
    take_spikes(path, root, table, options, windows, result);
  else
    take_series(path, root, table, options, windows, result);
  if (windows.empty())
    fail_item(path, table.path,
              fmt::format("none of its {} rows is a trial of use: {}", table.n_rows,
                          fmt::join(result.notes, "; ")));
  std::vector<std::size_t> rows;
  for (const TrialWindow& window : windows) rows.push_back(window.row);
  result.trials.trial_names = row_names(table, rows);
  result.trials.labels = table_labels(path, table, options, rows, result.notes);
  add_series_labels(path, root, options, windows, result);
  return result;
}

}  // namespace milcci::read

namespace milcci {

NwbContents nwb_contents(const std::string& path) {
  const hdf5::File file = hdf5::File::open(path);
  const hdf5::Group root = file.root();
  NwbContents contents;
  const read::TableNames tables = read::list_tables(root);
  contents.tables = tables.lines;
  contents.series = read::list_series(root);
  contents.has_spikes = read::holds_spikes(root);
  contents.is_decided = contents.has_spikes && tables.is_decided;
  return contents;
}

}  // namespace milcci
