// Series: one channel of a trial per row, time points as columns, rows in any order.
#include <fmt/format.h>

#include <limits>

#include "read/errors.hpp"
#include "read/tables/read_table.hpp"
#include "read/tables/table_header.hpp"
#include "read/tables/table_trials.hpp"
#include "read/text/number.hpp"
#include "read/trim_padding.hpp"

namespace milcci::read {

namespace {

using Id = TableTrials::Id;

struct Series {
  Id channel;
  std::uint64_t line;
  std::vector<double> values;
};

class SeriesTable {
 public:
  SeriesTable(const std::string& path, const TableColumns& columns)
      : path_(path), columns_(columns), trials_(columns) {
    if (columns.channel_group)
      groups_.emplace_back(columns.names[*columns.channel_group], *columns.channel_group, "channel");
  }

  void read() {
    TableRows rows(path_, columns_.separator);
    rows.next();
    while (rows.next()) {
      check_width(rows, columns_.names.size());
      const Id trial = trials_.take(rows);
      const std::string_view name = trim(rows.cells()[*columns_.channel]);
      if (name.empty()) rows.fail("the channel has no name, must have one in every row");
      const Id channel = channels_.id(name);
      for (ConstantColumn& group : groups_) group.take(rows, channel, name);
      if (trial == series_.size()) series_.emplace_back();
      series_[trial].push_back({channel, rows.line(), values_of(rows)});
      ++n_rows_;
    }
  }

  void finish(ReadResult& result) {
    Trials& out = result.trials;
    for (Id channel = 0; channel < channels_.size(); ++channel) {
      out.channel_names.emplace_back(channels_.text(channel));
      if (!groups_.empty()) out.channel_groups.emplace_back(groups_.front().text(channel));
    }
    const std::vector<Id> order = trials_.order();
    out.trial_names = trials_.names(order);
    out.labels = trials_.labels(order);
    check_room(order.size());
    for (const Id trial : order) {
      out.values.push_back(matrix(trial));
      out.times.emplace_back(
          Eigen::Map<const Vector>(columns_.times.data(), static_cast<Index>(columns_.times.size())));
      series_[trial] = {};
    }
    const std::size_t n_cut = trim_padding(out);
    add_notes(n_cut, result.notes);
  }

 private:
  std::vector<double> values_of(const TableRows& rows) const {
    std::vector<double> values;
    values.reserve(columns_.values.size());
    for (const Position p : columns_.values) {
      const std::string_view cell = rows.cells()[p];
      double value = 0;
      if (!parse_cell(cell, value))
        rows.fail(fmt::format("column {} is {}, must be a finite number, or empty if missing{}",
                              shown(columns_.names[p]), shown(cell), comma_hint(cell)));
      values.push_back(value);
    }
    return values;
  }

  Matrix matrix(Id trial) const {
    Matrix values(static_cast<Index>(channels_.size()), static_cast<Index>(columns_.values.size()));
    values.setConstant(std::numeric_limits<double>::quiet_NaN());
    std::vector<std::uint64_t> line_of(channels_.size(), 0);
    for (const Series& series : series_[trial]) {
      if (line_of[series.channel] != 0)
        fail_line(
            path_, series.line,
            fmt::format("trial {} has channel {} in line {} already, must have it once; name the columns "
                        "that tell the trials apart with `trial`, now {}",
                        shown(trials_.name(trial)), shown(channels_.text(series.channel)),
                        line_of[series.channel], columns_.names_at(columns_.trial)));
      line_of[series.channel] = series.line;
      values.row(series.channel) = Eigen::Map<const Eigen::RowVectorXd>(
          series.values.data(), static_cast<Index>(series.values.size()));
    }
    return values;
  }

  // Few rows of many trials and channels could ask for any amount of memory.
  void check_room(std::size_t n_trials) const {
    constexpr double kHarmless = 1e7, kMostPerRow = 1000;
    const double n_series = static_cast<double>(n_trials) * static_cast<double>(channels_.size());
    if (n_series * static_cast<double>(columns_.values.size()) > kHarmless &&
        n_series > kMostPerRow * static_cast<double>(n_rows_))
      fail(path_,
           fmt::format("{} rows name {} trials (columns {}) and {} channels (column {}): fewer than one "
                       "series in {} would be known; are these the right columns?",
                       n_rows_, n_trials, columns_.names_at(columns_.trial), channels_.size(),
                       shown(columns_.names[*columns_.channel]), kMostPerRow));
  }

  void add_notes(std::size_t n_cut, std::vector<std::string>& notes) const {
    notes.push_back(fmt::format(
        "{} rows: {} trials, {} channels{}", n_rows_, trials_.size(), channels_.size(),
        is_date(columns_.names[columns_.values.front()]) ? ", times in days since 1970-01-01" : ""));
    const std::uint64_t n_absent = trials_.size() * channels_.size() - n_rows_;
    if (n_absent > 0)
      notes.push_back(
          fmt::format("{} of {} pairs of trial and channel are in no row: their values are missing", n_absent,
                      trials_.size() * channels_.size()));
    if (n_cut > 0)
      notes.push_back(fmt::format("{} trials end early: time points without any value cut off", n_cut));
  }

  const std::string& path_;
  const TableColumns& columns_;
  TableTrials trials_;
  TextIds channels_;
  std::vector<ConstantColumn> groups_;       // one or none
  std::vector<std::vector<Series>> series_;  // per trial
  std::uint64_t n_rows_ = 0;
};

}  // namespace

void read_series_table(const std::string& path, const TableColumns& columns, ReadResult& result) {
  SeriesTable table(path, columns);
  table.read();
  table.finish(result);
}

}  // namespace milcci::read
