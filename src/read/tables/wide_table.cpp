// Wide tables: one time point of a trial per row, channels as columns, rows in any order.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>

#include "read/errors.hpp"
#include "read/tables/read_table.hpp"
#include "read/tables/table_header.hpp"
#include "read/tables/table_trials.hpp"
#include "read/text/number.hpp"

namespace milcci::read {

namespace {

using Id = TableTrials::Id;

struct TrialRows {
  std::vector<double> values;  // all channels of the first row, then of the second, ...
  std::vector<double> times;
  std::vector<std::uint64_t> lines;
  bool was_trimmed = false;

  // Most tables have a trial's rows together. After the last of them the spare capacity is given
  // back; if more come later, this is not done again.
  void trim() {
    if (was_trimmed) return;
    was_trimmed = true;
    values.shrink_to_fit();
  }
};

class WideTable {
 public:
  WideTable(const std::string& path, const TableColumns& columns)
      : path_(path), columns_(columns), trials_(columns) {}

  void read() {
    TableRows rows(path_, columns_.separator);
    rows.next();
    Id last_trial = 0;
    while (rows.next()) {
      check_width(rows, columns_.names.size());
      const Id trial = trials_.take(rows);
      if (trial != last_trial) rows_[last_trial].trim();
      if (trial == rows_.size()) rows_.emplace_back();
      last_trial = trial;
      TrialRows& into = rows_[trial];
      if (columns_.time) into.times.push_back(time_of(rows));
      into.lines.push_back(rows.line());
      take_values(rows, into.values);
      ++n_rows_;
    }
  }

  void finish(ReadResult& result) {
    const std::vector<Id> order = trials_.order();
    Trials& out = result.trials;
    for (const Position p : columns_.values) out.channel_names.push_back(columns_.names[p]);
    out.trial_names = trials_.names(order);
    out.labels = trials_.labels(order);
    for (const Id trial : order) {
      sort(trial);
      TrialRows& rows = rows_[trial];
      out.values.emplace_back(Eigen::Map<const Matrix>(rows.values.data(),
                                                       static_cast<Index>(columns_.values.size()),
                                                       static_cast<Index>(rows.lines.size())));
      if (columns_.time)
        out.times.emplace_back(
            Eigen::Map<const Vector>(rows.times.data(), static_cast<Index>(rows.times.size())));
      rows = {};
    }
    result.notes.push_back(fmt::format("{} rows: {} trials; {}", n_rows_, trials_.size(), time_note()));
    ask_of_channels(result);
  }

 private:
  // Times and labels of columns with unusual names look like channels, but not for long.
  void ask_of_channels(ReadResult& result) const {
    const std::vector<Matrix>& trials = result.trials.values;
    Positions labels, times;
    for (std::size_t n = 0; n < columns_.values.size(); ++n) {
      const auto row = [&](const Matrix& values) { return values.row(static_cast<Index>(n)); };
      const double first = row(trials.front())(0);
      bool is_still = trials.size() > 1, is_alike = true, is_clock = !columns_.time && trials.size() > 1;
      for (const Matrix& values : trials) {
        const Index n_times = values.cols(), n_shared = std::min(n_times, trials.front().cols());
        is_still = is_still && n_times > 1 && (row(values).array() == row(values)(0)).all();
        is_alike = is_alike && row(values)(0) == first;
        is_clock = is_clock && n_times > 1 &&
                   row(values).head(n_shared) == row(trials.front()).head(n_shared) &&
                   (row(values).tail(n_times - 1).array() > row(values).head(n_times - 1).array()).all();
      }
      if (is_still && !is_alike) labels.push_back(columns_.values[n]);
      if (is_clock) times.push_back(columns_.values[n]);
    }
    if (!times.empty())
      result.notes.push_back(fmt::format("{} rises alike in every trial: if it is the time, say `time` = {}",
                                         columns_.names[times.front()], columns_.names[times.front()]));
    if (labels.empty()) return;
    Positions all = columns_.labels;
    all.insert(all.end(), labels.begin(), labels.end());
    std::vector<std::string> names;
    for (const Position p : all) names.push_back(columns_.names[p]);
    result.notes.push_back(
        fmt::format("read as channels, but the same throughout each trial: {}; if these are "
                    "labels, say `label_columns` = {}",
                    columns_.names_at(labels), fmt::join(names, ",")));
  }

  double time_of(const TableRows& rows) {
    const std::string_view cell = rows.cells()[*columns_.time];
    const auto time = parse_time(cell);
    if (!time)
      rows.fail(fmt::format("the time in column {} is {}, must be a number or a date such as 2016-01-31{}",
                            shown(columns_.names[*columns_.time]), shown(cell), comma_hint(cell)));
    const bool is_a_date = is_date(cell);
    if (n_rows_ > 0 && is_a_date != has_dates_)
      rows.fail(fmt::format("the time is {}, but others are {}; must be all numbers or all dates",
                            shown(cell), has_dates_ ? "dates" : "numbers"));
    has_dates_ = is_a_date;
    return *time;
  }

  void take_values(const TableRows& rows, std::vector<double>& into) const {
    const auto cells = rows.cells();
    for (const Position p : columns_.values) {
      double value = 0;
      if (!parse_cell(cells[p], value))
        rows.fail(
            fmt::format("column {} is {}, must be a finite number, or empty if missing, as the column "
                        "was taken for a channel; if it is not, see `label_columns` and "
                        "`ignore_columns`{}",
                        shown(columns_.names[p]), shown(cells[p]), comma_hint(cells[p])));
      into.push_back(value);
    }
  }

  // The trial's rows in order of time.
  void sort(Id trial) {
    TrialRows& rows = rows_[trial];
    if (rows.times.empty()) return;
    const auto n_channels = columns_.values.size();
    std::vector<std::size_t> order(rows.times.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return rows.times[a] < rows.times[b]; });
    for (std::size_t i = 1; i < order.size(); ++i)
      if (rows.times[order[i]] == rows.times[order[i - 1]])
        fail_line(
            path_, rows.lines[order[i]],
            fmt::format("trial {} has the time {} in line {} already, must have it once; do the columns {} "
                        "tell all trials apart?",
                        shown(trials_.name(trial)), rows.times[order[i]], rows.lines[order[i - 1]],
                        columns_.names_at(columns_.trial)));
    if (std::is_sorted(order.begin(), order.end())) return;
    TrialRows sorted;
    sorted.values.reserve(rows.values.size());
    for (const std::size_t i : order) {
      const auto first = rows.values.begin() + static_cast<std::ptrdiff_t>(i * n_channels);
      sorted.values.insert(sorted.values.end(), first, first + static_cast<std::ptrdiff_t>(n_channels));
      sorted.times.push_back(rows.times[i]);
      sorted.lines.push_back(rows.lines[i]);
    }
    rows = std::move(sorted);
  }

  std::string time_note() const {
    if (!columns_.time) return "no column of times: the rows of a trial are taken as they follow one another";
    return has_dates_ ? "times are days since 1970-01-01" : "rows sorted by time within each trial";
  }

  const std::string& path_;
  const TableColumns& columns_;
  TableTrials trials_;
  std::vector<TrialRows> rows_ = std::vector<TrialRows>(1);
  std::uint64_t n_rows_ = 0;
  bool has_dates_ = false;
};

}  // namespace

void read_wide_table(const std::string& path, const TableColumns& columns, ReadResult& result) {
  WideTable table(path, columns);
  table.read();
  table.finish(result);
}

}  // namespace milcci::read
