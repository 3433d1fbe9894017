// Long tables: one value per row, rows in any order.
//
// A row is kept as 16 bytes (channel, time, value) with its trial until all are read; then each
// trial becomes a matrix and its rows are freed. Where a row stood is not kept: if two rows give
// the same value, the file is read again to name their lines.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <deque>
#include <limits>
#include <numeric>

#include "read/errors.hpp"
#include "read/tables/read_table.hpp"
#include "read/tables/table_header.hpp"
#include "read/tables/table_trials.hpp"
#include "read/tables/text_ids.hpp"
#include "read/text/number.hpp"

namespace milcci::read {

namespace {

using Id = TextIds::Id;

struct Key {
  Id trial, channel, time;
};

// The texts of a long table as numbers.
class LongKeys {
 public:
  explicit LongKeys(const TableColumns& columns)
      : trials(columns), channel_column_(*columns.channel), time_column_(*columns.time) {
    if (columns.channel_group)
      groups.emplace_back(columns.names[*columns.channel_group], *columns.channel_group, "channel");
  }

  // Kept here, not returned by value: packed into registers and unpacked again it costs more than its making.
  const Key& take(const TableRows& rows) {
    const auto cells = rows.cells();
    key_.trial = trials.take(rows);
    key_.channel = channels.id(trim(cells[channel_column_]));
    key_.time = time_texts.id(cells[time_column_]);
    if (key_.time == times.size()) add_time(rows, cells[time_column_]);
    if (channels.text(key_.channel).empty()) rows.fail("the channel has no name, must have one in every row");
    for (ConstantColumn& group : groups) group.take(rows, key_.channel, channels.text(key_.channel));
    return key_;
  }

  TableTrials trials;
  TextIds channels, time_texts;
  std::vector<double> times;           // of each text; two texts may be one time: 1 and 1.0
  std::vector<ConstantColumn> groups;  // of the channels; one or none
  bool has_dates = false;

 private:
  void add_time(const TableRows& rows, std::string_view cell) {
    const auto time = parse_time(cell);
    if (!time)
      rows.fail(fmt::format("the time is {}, must be a number or a date such as 2016-01-31{}", shown(cell),
                            comma_hint(cell)));
    if (!times.empty() && has_dates != is_date(cell))
      rows.fail(fmt::format("the time is {}, but others are {}; must be all numbers or all dates",
                            shown(cell), has_dates ? "dates" : "numbers"));
    has_dates = is_date(cell);
    times.push_back(*time);
  }

  Position channel_column_, time_column_;
  Key key_ = {};
};

struct Entry {
  Id channel, time;
  double value;
};

// A deque grows without copying and without room to spare, however many trials grow at once.
using TrialRows = std::deque<Entry>;

[[noreturn]] void fail_twice(const std::string& path, const TableColumns& columns, const LongKeys& known,
                             const Key& key) {
  TableRows rows(path, columns.separator);
  LongKeys keys(columns);
  std::uint64_t first_line = 0;
  rows.next();
  while (rows.next()) {
    const Key& found = keys.take(rows);
    if (found.trial != key.trial || found.channel != key.channel ||
        keys.times[found.time] != known.times[key.time])
      continue;
    if (first_line != 0)
      rows.fail(fmt::format(
          "trial {}, channel {}, time {}: a value is given in line {} already, must be given "
          "once; do the columns {} tell all rows apart?",
          shown(known.trials.name(key.trial)), shown(known.channels.text(key.channel)), known.times[key.time],
          first_line, columns.names_at({columns.trial.front(), *columns.channel, *columns.time})));
    first_line = rows.line();
  }
  fail(path, "was changed while it was read; read it again");
}

// A NaN that no computation makes: marks the cells that no row has given.
constexpr std::uint64_t kUnset = 0x7FF8'4D49'4C43'4349;

class LongTable {
 public:
  LongTable(const std::string& path, const TableColumns& columns)
      : path_(path), columns_(columns), keys_(columns) {}

  void read() {
    TableRows rows(path_, columns_.separator, columns_.value);
    rows.next();
    while (rows.next()) {
      check_width(rows, columns_.names.size());
      const Key& key = keys_.take(rows);
      double value = 0;
      if (!rows.number(value))
        rows.fail(fmt::format("the value of column {} is {}, must be a finite number, or empty if missing{}",
                              shown(columns_.names[*columns_.value]), shown(rows.cells()[*columns_.value]),
                              comma_hint(rows.cells()[*columns_.value])));
      if (key.trial == trials_.size()) trials_.emplace_back();
      trials_[key.trial].push_back({key.channel, key.time, value});
      ++n_rows_;
    }
  }

  void finish(Absent absent, ReadResult& result) {
    rank_times();
    Trials& out = result.trials;
    for (Id channel = 0; channel < keys_.channels.size(); ++channel) {
      out.channel_names.emplace_back(keys_.channels.text(channel));
      if (!keys_.groups.empty()) out.channel_groups.emplace_back(keys_.groups.front().text(channel));
    }
    const std::vector<Id> order = keys_.trials.order();
    out.trial_names = keys_.trials.names(order);
    out.labels = keys_.trials.labels(order);
    for (const Id trial : order) {
      const std::vector<Id> ranks = absent == Absent::zero ? all_ranks() : ranks_of(trial);
      out.values.push_back(matrix(trial, ranks, absent));
      out.times.push_back(Vector(static_cast<Index>(ranks.size())));
      for (std::size_t t = 0; t < ranks.size(); ++t)
        out.times.back()(static_cast<Index>(t)) = ranked_times_[ranks[t]];
      trials_[trial] = {};
    }
    add_notes(absent, result.notes);
  }

 private:
  // Times in order, without repeats; `rank_` is the place of each text's time among them.
  void rank_times() {
    std::vector<Id> order(keys_.times.size());
    std::iota(order.begin(), order.end(), Id{0});
    std::sort(order.begin(), order.end(), [&](Id a, Id b) { return keys_.times[a] < keys_.times[b]; });
    rank_.resize(order.size());
    for (const Id time : order) {
      if (ranked_times_.empty() || ranked_times_.back() != keys_.times[time])
        ranked_times_.push_back(keys_.times[time]);
      rank_[time] = static_cast<Id>(ranked_times_.size() - 1);
    }
    column_.assign(ranked_times_.size(), 0);
    seen_in_.assign(ranked_times_.size(), 0);
  }

  std::vector<Id> all_ranks() {
    std::vector<Id> ranks(ranked_times_.size());
    std::iota(ranks.begin(), ranks.end(), Id{0});
    column_ = ranks;
    return ranks;
  }

  // The times that the trial's rows have, in order; `column_` says where each of them goes.
  std::vector<Id> ranks_of(Id trial) {
    std::vector<Id> ranks;
    for (const Entry& row : trials_[trial]) {
      const Id rank = rank_[row.time];
      if (seen_in_[rank] == trial + 1) continue;
      seen_in_[rank] = trial + 1;
      ranks.push_back(rank);
    }
    if (!std::is_sorted(ranks.begin(), ranks.end())) std::sort(ranks.begin(), ranks.end());
    for (std::size_t t = 0; t < ranks.size(); ++t) column_[ranks[t]] = static_cast<Id>(t);
    return ranks;
  }

  Matrix matrix(Id trial, const std::vector<Id>& ranks, Absent absent) {
    check_room(ranks.size());
    Matrix values(static_cast<Index>(keys_.channels.size()), static_cast<Index>(ranks.size()));
    values.setConstant(std::bit_cast<double>(kUnset));
    for (const Entry& row : trials_[trial]) {
      double& cell = values(row.channel, column_[rank_[row.time]]);
      if (std::bit_cast<std::uint64_t>(cell) != kUnset)
        fail_twice(path_, columns_, keys_, {trial, row.channel, row.time});
      cell = row.value;
    }
    const double filler = absent == Absent::zero ? 0.0 : std::numeric_limits<double>::quiet_NaN();
    for (double& cell : values.reshaped())
      if (std::bit_cast<std::uint64_t>(cell) == kUnset) {
        cell = filler;
        ++n_absent_;
      }
    return values;
  }

  // A few rows with many channels and times each could ask for any amount of memory.
  void check_room(std::size_t n_times) {
    constexpr double kHarmless = 1e7, kMostPerRow = 1000;
    n_cells_ += static_cast<double>(n_times) * static_cast<double>(keys_.channels.size());
    if (n_cells_ > kHarmless && n_cells_ > kMostPerRow * static_cast<double>(n_rows_))
      fail(path_, fmt::format("{} rows name {} channels (column {}) and {} times (column {}): fewer than one "
                              "value in {} would be known; are these the right columns?",
                              n_rows_, keys_.channels.size(), shown(columns_.names[*columns_.channel]),
                              ranked_times_.size(), shown(columns_.names[*columns_.time]), kMostPerRow));
  }

  void add_notes(Absent absent, std::vector<std::string>& notes) const {
    notes.push_back(fmt::format("{} rows: {} trials, {} channels, {} different times{}", n_rows_,
                                keys_.trials.size(), keys_.channels.size(), ranked_times_.size(),
                                keys_.has_dates ? " in days since 1970-01-01" : ""));
    if (n_absent_ > 0)
      notes.push_back(fmt::format("{} of {} values are in no row: taken as {} (`absent`)", n_absent_,
                                  static_cast<std::uint64_t>(n_cells_),
                                  absent == Absent::zero ? "zero" : "missing"));
  }

  const std::string& path_;
  const TableColumns& columns_;
  LongKeys keys_;
  std::vector<TrialRows> trials_;
  std::uint64_t n_rows_ = 0, n_absent_ = 0;
  double n_cells_ = 0;
  std::vector<double> ranked_times_;
  std::vector<Id> rank_, column_;  // per text of a time: its rank; per rank: column in the trial at hand
  std::vector<Id> seen_in_;        // per rank: the trial that had it last, from 1
};

}  // namespace

void read_long_table(const std::string& path, const TableColumns& columns, Absent absent,
                     ReadResult& result) {
  LongTable table(path, columns);
  table.read();
  table.finish(absent, result);
}

}  // namespace milcci::read
