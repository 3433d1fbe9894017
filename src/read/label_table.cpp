#include "read/label_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "core/nearest_name.hpp"
#include "milcci/error.hpp"
#include "read/complain.hpp"
#include "read/number.hpp"
#include "read/table_header.hpp"
#include "read/table_trials.hpp"
#include "read/usual_names.hpp"

namespace milcci::read {

namespace {

struct LabelTable {
  std::vector<std::string> names;
  std::vector<Row> rows;
  std::vector<std::uint64_t> lines;
};

LabelTable read_label_table(const std::string& path, const std::string& asked_separator) {
  const char separator = table_separator(path, asked_separator);
  LabelTable table{read_start(path, separator, 1).names, {}, {}};
  TableRows rows(path, separator);
  rows.next();
  while (rows.next()) {
    check_width(rows, table.names.size());
    table.rows.push_back(texts_of(rows));
    table.lines.push_back(rows.line());
  }
  return table;
}

// The columns that name the trial on both sides, or none.
std::vector<std::string> key_names(const ReadOptions& options, const Trials& trials,
                                   const LabelTable& table) {
  const auto is_in_both = [&](const std::string& name) {
    return trials.find_label(name) &&
           std::find(table.names.begin(), table.names.end(), name) != table.names.end();
  };
  if (!options.trial.empty())
    return std::all_of(options.trial.begin(), options.trial.end(), is_in_both) ? options.trial
                                                                               : std::vector<std::string>();
  for (const LabelColumn& column : trials.labels)
    if (is_among(kTrialNames, column.name) && is_in_both(column.name)) return {column.name};
  return {};
}

// Numbers in one form, so that 1, 01 and 1.0 are one trial. Whole numbers with all their digits, of which a
// double has too few for a time in nanoseconds.
std::string key_part(const std::string& text) {
  if (const auto integer = parse_integer(text)) return fmt::format("{}\x1F", *integer);
  const auto number = parse_number(text);
  return (number ? fmt::format("{}", *number) : text) + '\x1F';
}

// Which row belongs to each trial.
std::vector<std::size_t> rows_by_name(const std::string& path, const std::vector<std::string>& keys,
                                      const LabelTable& table, ReadResult& result) {
  std::map<std::string, std::size_t> row_of;
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    std::string key;
    for (const std::string& name : keys) {
      const auto column = std::find(table.names.begin(), table.names.end(), name) - table.names.begin();
      key += key_part(table.rows[r][static_cast<std::size_t>(column)]);
    }
    const auto [earlier, is_new] = row_of.emplace(key, r);
    if (!is_new)
      fail_line(path, table.lines[r],
                fmt::format("the trial ({}) has a row in line {} already, must have one",
                            fmt::join(keys, ", "), table.lines[earlier->second]));
  }
  const Trials& trials = result.trials;
  std::vector<std::size_t> rows;
  for (std::size_t m = 0; m < trials.n_trials(); ++m) {
    std::string key, name;
    for (const std::string& column : keys) {
      name += (name.empty() ? "" : ", ") + trials.find_label(column)->text(m);
      key += key_part(trials.find_label(column)->text(m));
    }
    const auto found = row_of.find(key);
    if (found == row_of.end())
      fail(path,
           fmt::format("there is no row for trial {} (column {}); every trial of the recording needs one",
                       shown(name), fmt::join(keys, ", ")));
    rows.push_back(found->second);
  }
  if (table.rows.size() > rows.size())
    result.notes.push_back(
        fmt::format("left out {} rows of the labels in \"{}\": the recording has no such trials",
                    table.rows.size() - rows.size(), path));
  return rows;
}

std::vector<std::size_t> rows_in_order(const std::string& path, const LabelTable& table,
                                       const ReadOptions& options, std::size_t n_trials) {
  const bool has_more = options.first_trials && table.rows.size() > n_trials;  // of trials not asked for
  if (table.rows.size() != n_trials && !has_more)
    fail(path,
         fmt::format("{} rows of labels for {} trials, must be as many, or both must have a column with "
                     "the trials' names (--trial)",
                     table.rows.size(), n_trials));
  std::vector<std::size_t> rows(n_trials);
  for (std::size_t m = 0; m < n_trials; ++m) rows[m] = m;
  return rows;
}

}  // namespace

void join_labels(const ReadOptions& options, ReadResult& result) {
  const std::string& path = options.labels;
  const LabelTable table = read_label_table(path, options.separator);
  const std::vector<std::string> keys = key_names(options, result.trials, table);
  const std::vector<std::size_t> rows = keys.empty()
                                            ? rows_in_order(path, table, options, result.trials.n_trials())
                                            : rows_by_name(path, keys, table, result);
  std::vector<std::string> added;
  const auto contains = [](const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  for (const std::string& name : options.label_columns)
    if (!contains(table.names, name) && !result.trials.find_label(name))
      throw Error(ErrorKind::bad_option,
                  fmt::format("--label-columns {}: neither the recording nor \"{}\" has it{}", name, path,
                              suggestion(name, table.names)));
  for (std::size_t c = 0; c < table.names.size(); ++c) {
    const std::string& name = table.names[c];
    const bool is_wanted = options.label_columns.empty() || contains(options.label_columns, name);
    if (name.empty() || !is_wanted || contains(keys, name) || contains(options.ignore_columns, name))
      continue;
    if (result.trials.find_label(name))
      fail_line(path, 1,
                fmt::format("the recording has labels named {} already; rename the column, or leave "
                            "it out with --ignore-columns {}",
                            shown(name), name));
    std::vector<std::string_view> texts;
    for (const std::size_t r : rows) texts.push_back(table.rows[r][c]);
    result.trials.labels.push_back(label_column(name, texts));
    added.push_back(name);
  }
  result.notes.push_back(fmt::format("labels from \"{}\", {}: {}", path,
                                     keys.empty() ? "row by row in the order of the trials"
                                                  : fmt::format("joined by {}", fmt::join(keys, ", ")),
                                     fmt::join(added, ", ")));
}

}  // namespace milcci::read
