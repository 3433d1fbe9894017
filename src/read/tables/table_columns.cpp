#include "read/tables/table_columns.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "milcci/error.hpp"
#include "read/errors.hpp"
#include "read/tables/free_columns.hpp"
#include "read/tables/table_header.hpp"
#include "read/tables/time_columns.hpp"
#include "read/tables/usual_names.hpp"
#include "read/text/number.hpp"

namespace milcci::read {

namespace {

// Numbers or missing values throughout the sample, or nearly so: a text among numbers is not a label but an
// error, to be reported with its place. So is 1,001, which may be 1.001 or 1001.
bool is_numeric(const TableStart& start, Position column) {
  constexpr double kNearlyAll = 0.8;
  const auto n_numbers = std::count_if(start.rows.begin(), start.rows.end(), [&](const Row& row) {
    return parse_value(row[column]) || !comma_hint(row[column]).empty();
  });
  return static_cast<double>(n_numbers) >= kNearlyAll * static_cast<double>(start.rows.size());
}

[[noreturn]] void fail_unknown(const std::string& path, const Row& names, const std::string& what,
                               const std::string& advice) {
  constexpr std::size_t kShown = 12;
  std::vector<std::string> first;
  for (std::size_t i = 0; i < std::min(kShown, names.size()); ++i) first.push_back(shown(names[i]));
  fail_line(path, 1,
            fmt::format("which column is the {}? {} of {} columns: {}{}; {}", what,
                        names.size() > kShown ? "The first" : "All", names.size(), fmt::join(first, ", "),
                        names.size() > kShown ? ", ..." : "", advice));
}

class Recogniser {
 public:
  Recogniser(const std::string& path, const ReadOptions& options, const TableStart& start,
             std::vector<std::string>& notes)
      : path_(path), options_(options), start_(start), free_(path, start.names), notes_(notes) {}

  TableColumns recognise() {
    columns_.names = start_.names;
    leave_out();
    columns_.trial = free_.take_named("trial", options_.trial);
    columns_.channel = free_.take_named_if("channel", options_.channel);
    columns_.channel_group = free_.take_named_if("channel_group", options_.channel_group);
    columns_.time = free_.take_named_if("time", options_.time);
    columns_.value = free_.take_named_if("value", options_.value);
    columns_.labels = free_.take_named("label_columns", ours(options_.label_columns));
    columns_.layout = options_.layout == Layout::automatic ? likely_layout() : options_.layout;
    if (columns_.layout == Layout::long_rows) complete_long();
    if (columns_.layout == Layout::wide) complete_wide();
    if (columns_.layout == Layout::series) complete_series();
    return std::move(columns_);
  }

 private:
  void leave_out() {
    free_.take_named("ignore_columns", ours(options_.ignore_columns));
    Positions unnamed;
    for (Position p = 0; p < start_.names.size(); ++p)
      if (start_.names[p].empty() || start_.names[p] == "Unnamed: 0") unnamed.push_back(p);
    for (const Position p : unnamed) free_.take(p);
    if (!unnamed.empty())
      notes_.push_back(fmt::format("left out {} without a name",
                                   unnamed.size() == 1 ? fmt::format("column {}", unnamed.front() + 1)
                                                       : fmt::format("{} columns", unnamed.size())));
  }

  // Where there is a second table, with labels, names may be of columns there.
  std::vector<std::string> ours(const std::vector<std::string>& names) const {
    if (options_.labels.empty()) return names;
    std::vector<std::string> found;
    for (const std::string& name : names)
      if (std::find(start_.names.begin(), start_.names.end(), name) != start_.names.end())
        found.push_back(name);
    return found;
  }

  Layout likely_layout() const {
    const bool has_channel = columns_.channel || free_.find_usual(kChannelNames);
    const bool has_time = columns_.time || free_.find_usual(kTimeNames);
    const bool has_value = columns_.value || free_.find_usual(kValueNames);
    if (columns_.value || (has_channel && has_time && has_value)) return Layout::long_rows;
    if (has_channel && !has_time && !time_columns(start_.names, free_.rest()).positions.empty())
      return Layout::series;
    const bool has_trial = !columns_.trial.empty() || free_.find_usual(kTrialNames);
    const auto n_times = std::count_if(start_.names.begin(), start_.names.end(),
                                       [](const std::string& name) { return parse_time(name).has_value(); });
    if (!has_trial && !has_time && n_times >= 2)
      fail_unknown(
          path_, start_.names, "channel",
          fmt::format("{} of them are named by times, so that a row seems to be a channel of a trial: "
                      "name its column with `channel`",
                      n_times));
    if (!has_trial)
      fail_unknown(
          path_, start_.names, "trial",
          "name it with `trial`. If a row is a time point of a trial, name its time with `time` and "
          "all labels with `label_columns` too, as other columns of numbers become channels; if a "
          "row is one value, give `layout` = long and name `channel`, `time` and `value`; if it is a "
          "channel of a trial, `layout` = series and `channel`");
    return Layout::wide;
  }

  void find_trial() {
    if (!columns_.trial.empty()) return;
    if (const Maybe usual = free_.find_usual(kTrialNames)) columns_.trial = {*usual};
    if (columns_.trial.empty())
      fail_unknown(path_, start_.names, "trial",
                   "name it, or those that together name a trial, with `trial`");
    free_.take(columns_.trial.front());
  }
  void find(Maybe& column, const UsualNames& usual, const std::string& what) {
    if (!column) column = free_.find_usual(usual);
    if (!column) fail_unknown(path_, start_.names, what, fmt::format("name it with `{}`", what));
    free_.take(column);
  }
  void find_group() {
    if (!columns_.channel_group) columns_.channel_group = free_.find_usual(kGroupNames);
    free_.take(columns_.channel_group);
  }
  void say_left_out(const Positions& positions, const std::string& why) {
    if (!positions.empty())
      notes_.push_back(fmt::format("left out {}: {}", why, columns_.names_at(positions)));
  }
  // Without labels asked for, all other columns are labels.
  void take_rest_as_labels() {
    if (options_.label_columns.empty())
      columns_.labels = free_.rest();
    else
      say_left_out(free_.rest(), "columns not asked for");
  }

  void complete_long() {
    find_trial();
    find(columns_.channel, kChannelNames, "channel");
    find(columns_.time, kTimeNames, "time");
    find(columns_.value, kValueNames, "value");
    find_group();
    take_rest_as_labels();
  }

  void complete_wide() {
    refuse("channel", options_.channel);
    refuse("channel_group", options_.channel_group);
    refuse("value", options_.value);
    find_trial();
    if (!columns_.time) columns_.time = free_.find_usual(kTimeNames);
    free_.take(columns_.time);
    Positions texts;
    for (const Position p : free_.rest()) (is_numeric(start_, p) ? columns_.values : texts).push_back(p);
    if (options_.label_columns.empty())
      columns_.labels = texts;
    else
      say_left_out(texts, "columns of text not asked for");
    if (columns_.values.empty())
      fail_line(path_, 1,
                "no column of numbers is left for the channels; which layout is this? See `layout`");
  }

  void complete_series() {
    refuse("value", options_.value);
    refuse("time", options_.time);
    find(columns_.channel, kChannelNames, "channel");
    find_group();
    TimeColumns times = time_columns(start_.names, free_.rest());
    if (times.positions.empty())
      fail_line(path_, 1,
                "no two columns are named by a time (0.25, 2016-01-31, t1); layout series needs them");
    times = sorted_by_time(path_, start_.names, times);
    for (const Position p : times.positions) free_.take(p);
    columns_.values = std::move(times.positions);
    columns_.times = std::move(times.times);
    if (columns_.trial.empty()) {
      if (const Maybe usual = free_.find_usual(kTrialNames))
        columns_.trial = {*usual};
      else if (!columns_.labels.empty())
        std::swap(columns_.trial, columns_.labels);
      else
        columns_.trial = free_.rest();
      for (const Position p : columns_.trial) free_.take(p);
    }
    if (columns_.trial.empty())
      fail_unknown(path_, start_.names, "trial",
                   "name it, or those that together name a trial, with `trial`");
    take_rest_as_labels();
  }

  void refuse(const std::string& option, const std::string& name) const {
    if (!name.empty())
      throw Error(ErrorKind::bad_option, fmt::format("`{}` = {}: a table of layout {} has no such column",
                                                     option, name, to_text(columns_.layout)));
  }

  const std::string& path_;
  const ReadOptions& options_;
  const TableStart& start_;
  FreeColumns free_;
  std::vector<std::string>& notes_;
  TableColumns columns_;
};

}  // namespace

std::string TableColumns::names_at(const Positions& positions) const {
  constexpr std::size_t kShown = 8;
  std::vector<std::string> some;
  for (std::size_t i = 0; i < std::min(kShown, positions.size()); ++i) {
    const std::string& name = names[positions[i]];
    some.push_back(name.find(',') == std::string::npos ? name : shown(name));
  }
  return fmt::format("{}{}", fmt::join(some, ", "),
                     positions.size() > kShown ? fmt::format(" and {} more", positions.size() - kShown) : "");
}

TableColumns table_columns(const std::string& path, const ReadOptions& options,
                           std::vector<std::string>& notes) {
  constexpr std::size_t kSample = 100;
  const char separator = table_separator(path, options.separator);
  const TableStart start = read_start(path, separator, kSample);
  TableColumns columns = Recogniser(path, options, start, notes).recognise();
  columns.separator = separator;
  return columns;
}

}  // namespace milcci::read
