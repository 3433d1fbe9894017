#include "read/nwb/nwb_units.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <span>

#include "core/nearest_name.hpp"
#include "milcci/error.hpp"
#include "read/nwb/nwb_table.hpp"

namespace milcci::read {

namespace {

Interval interval_of(const hdf5::Group& table, const std::string& name, std::size_t row, double begin,
                     double end) {
  if (std::isnan(begin) || std::isnan(end) || end < begin)
    table.fail(name, fmt::format("interval {} is from {} to {} s, must be two times in this order", row + 1,
                                 begin, end));
  return {begin, end};
}

Intervals invalid_times(const hdf5::Group& root, std::vector<std::string>& notes) {
  const auto table = find_group(root, "intervals/invalid_times");
  if (!table || !table->is_dataset("start_time") || !table->is_dataset("stop_time")) return {};
  const std::vector<double> starts = table->read_reals("start_time", {hdf5::kAny});
  const std::vector<double> stops = table->read_reals("stop_time", {starts.size()});
  Intervals intervals;
  for (std::size_t row = 0; row < starts.size(); ++row)
    intervals.push_back(interval_of(*table, "start_time", row, starts[row], stops[row]));
  if (!intervals.empty())
    notes.push_back(fmt::format("missing: {} intervals of /intervals/invalid_times", intervals.size()));
  return merged(std::move(intervals));
}

// Per unit when it was observed.
std::vector<Intervals> observed_times(const hdf5::Group& root, const hdf5::Group& table, std::size_t n_units,
                                      std::vector<std::string>& notes) {
  constexpr double kForever = std::numeric_limits<double>::infinity();
  std::vector<Intervals> observed(n_units, {{-kForever, kForever}});
  if (table.is_dataset("obs_intervals")) {
    const Ragged column = read_ragged(table, "obs_intervals", 2);
    if (column.n_rows() != n_units)
      table.fail("obs_intervals_index",
                 fmt::format("has {} rows, must have one for each of {} units", column.n_rows(), n_units));
    for (std::size_t n = 0; n < n_units; ++n) {
      observed[n].clear();
      for (std::size_t i = column.offsets[n]; i < column.offsets[n + 1]; ++i)
        observed[n].push_back(
            interval_of(table, "obs_intervals", i, column.values[2 * i], column.values[2 * i + 1]));
      observed[n] = merged(std::move(observed[n]));
    }
    notes.emplace_back("missing: times outside obs_intervals");
  }
  if (const Intervals holes = invalid_times(root, notes); !holes.empty())
    for (Intervals& intervals : observed) intervals = without(intervals, holes);
  return observed;
}

std::vector<std::string> column_texts(const hdf5::Group& table, const std::string& option,
                                      const std::string& name, std::size_t n_units) {
  if (!table.is_dataset(name)) {
    std::vector<std::string> names;
    for (const hdf5::Child& child : table.children())
      if (!child.is_group) names.push_back(child.name);
    throw Error(ErrorKind::bad_option,
                fmt::format("`{}` = {}: /units has no such column{}", option, name, suggestion(name, names)));
  }
  if (table.value_type(name) == hdf5::ValueType::text) return table.read_texts(name, n_units);
  std::vector<std::string> texts;
  for (const double value : table.read_reals(name, {n_units})) texts.push_back(fmt::format("{}", value));
  return texts;
}

std::vector<std::string> unit_names(const hdf5::Group& table, const ReadOptions& options,
                                    std::size_t n_units) {
  if (!options.channel.empty()) return column_texts(table, "channel", options.channel, n_units);
  std::vector<std::string> names;
  if (table.is_dataset("id") && table.value_type("id") == hdf5::ValueType::integer)
    for (const std::int64_t id : table.read_integers("id", {n_units}))
      names.push_back(fmt::format("unit{}", id));
  const bool is_unique = std::set<std::string>(names.begin(), names.end()).size() == n_units;
  if (is_unique) return names;
  names.clear();
  for (std::size_t n = 1; n <= n_units; ++n) names.push_back(fmt::format("unit{}", n));
  return names;
}

// One electrode per unit: where a unit has several, its first.
std::vector<std::string> unit_groups(const hdf5::Group& root, const hdf5::Group& table,
                                     const ReadOptions& options, std::size_t n_units,
                                     std::vector<std::string>& notes) {
  if (!options.channel_group.empty())
    return column_texts(table, "channel_group", options.channel_group, n_units);
  if (!table.is_dataset("electrodes")) return {};
  std::vector<std::int64_t> electrodes;
  if (table.is_dataset("electrodes_index")) {
    const Ragged column = read_ragged(table, "electrodes");
    if (column.n_rows() != n_units)
      table.fail("electrodes_index",
                 fmt::format("has {} rows, must have one for each of {} units", column.n_rows(), n_units));
    for (std::size_t n = 0; n < n_units; ++n) {
      const bool has_any = column.offsets[n] < column.offsets[n + 1];
      const double first = has_any ? column.values[column.offsets[n]] : -1;
      if (!(first >= -1 && first < 1e15))
        table.fail(
            "electrodes",
            fmt::format("unit {} has electrode {}, must be a row of the electrodes' table", n + 1, first));
      electrodes.push_back(static_cast<std::int64_t>(first));
    }
  } else {
    electrodes = table.read_integers("electrodes", {n_units});
  }
  std::vector<std::string> groups = electrode_locations(root, table, electrodes);
  if (!groups.empty()) notes.emplace_back("channel groups = location of the electrodes");
  return groups;
}

}  // namespace

std::vector<std::string> electrode_locations(const hdf5::Group& root, const hdf5::Group& owner,
                                             const std::vector<std::int64_t>& rows) {
  const auto table = find_group(root, "general/extracellular_ephys/electrodes");
  if (!table || !table->is_dataset("location")) return {};
  const std::vector<std::string> locations = table->read_texts("location");
  std::vector<std::string> groups;
  for (const std::int64_t row : rows) {
    if (row >= static_cast<std::int64_t>(locations.size()) || row < -1)
      owner.fail("electrodes", fmt::format("names electrode {}, but there are {}; the file is damaged", row,
                                           locations.size()));
    groups.push_back(row < 0 ? "" : locations[static_cast<std::size_t>(row)]);
  }
  return groups;
}

Units read_units(const hdf5::Group& root, const ReadOptions& options, std::vector<std::string>& notes) {
  const auto table = find_group(root, "units");
  Units units;
  Ragged column = read_ragged(*table, "spike_times");
  const std::size_t n_units = column.n_rows();
  if (n_units == 0) table->fail("spike_times_index", "is empty, there must be at least one unit");
  units.times = std::move(column.values);
  std::vector<Intervals> observed = observed_times(root, *table, n_units, notes);
  for (std::size_t n = 0; n < n_units; ++n) {
    const std::span<double> spikes =
        std::span(units.times).subspan(column.offsets[n], column.offsets[n + 1] - column.offsets[n]);
    const auto no_time =
        std::find_if(spikes.begin(), spikes.end(), [](double t) { return !std::isfinite(t); });
    if (no_time != spikes.end())
      table->fail("spike_times",
                  fmt::format("spike {} of unit {} is at {}, must be a time in seconds; the file is damaged",
                              no_time - spikes.begin() + 1, n + 1, *no_time));
    std::sort(spikes.begin(), spikes.end());
    units.trains.push_back({spikes, std::move(observed[n])});
  }
  units.names = unit_names(*table, options, n_units);
  units.groups = unit_groups(root, *table, options, n_units, notes);
  return units;
}

}  // namespace milcci::read
