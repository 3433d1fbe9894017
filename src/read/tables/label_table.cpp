#include "read/tables/label_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "core/nearest_name.hpp"
#include "milcci/error.hpp"
#include "read/errors.hpp"
#include "read/tables/table_header.hpp"
#include "read/tables/table_trials.hpp"
#include "read/tables/usual_names.hpp"
#include "read/text/number.hpp"

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

// A column that names the trial, as either side calls it.
struct Key {
  std::string of_recording, of_table;
  bool has_pairs = false;  // texts such as 1,1 and 1,10, which are no decimals
};

std::size_t position_of(const std::string& name, const std::vector<std::string>& names) {
  return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
}

// The columns that name the trial on both sides, or none.
std::vector<Key> find_keys(const ReadOptions& options, const Trials& trials, const LabelTable& table) {
  std::vector<Key> keys;
  if (!options.trial.empty()) {
    for (const std::string& name : options.trial)
      if (trials.find_label(name) && position_of(name, table.names) < table.names.size())
        keys.push_back({.of_recording = name, .of_table = name});
    return keys.size() == options.trial.size() ? keys : std::vector<Key>();
  }
  const auto of_table = std::find_if(table.names.begin(), table.names.end(),
                                     [](const std::string& name) { return is_among(kTrialNames, name); });
  if (of_table == table.names.end()) return {};
  for (const LabelColumn& column : trials.labels)
    if (position_of(column.name, table.names) < table.names.size() && is_among(kTrialNames, column.name))
      return {{.of_recording = column.name, .of_table = column.name}};
  for (const LabelColumn& column : trials.labels)
    if (is_among(kTrialNames, column.name)) return {{.of_recording = column.name, .of_table = *of_table}};
  return {};
}

// Numbers in one form, so that 1, 01, 1.0 and 1,0 are one trial. Whole numbers with all their digits, of
// which a double has too few for a time in nanoseconds.
std::string key_part(const std::string& text, bool has_pairs) {
  if (const auto integer = parse_integer(text)) return fmt::format("{}\x1F", *integer);
  const auto number = has_pairs ? parse_number(text) : parse_finite(text);
  return (number ? fmt::format("{}", *number) : text) + '\x1F';
}

std::string names_of(const std::vector<Key>& keys) {
  std::vector<std::string> names;
  for (const Key& key : keys) names.push_back(key.of_table);
  return fmt::format("{}", fmt::join(names, ", "));
}

void find_pairs(const LabelTable& table, std::vector<Key>& keys) {
  for (Key& key : keys) {
    const std::size_t column = position_of(key.of_table, table.names);
    std::vector<std::string_view> texts;
    for (const Row& row : table.rows) texts.push_back(row[column]);
    key.has_pairs = are_pairs(texts);
  }
}

// Which row belongs to each trial.
std::vector<std::size_t> rows_by_name(const std::string& path, const std::vector<Key>& keys,
                                      const LabelTable& table, ReadResult& result) {
  std::map<std::string, std::size_t> row_of;
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    std::string key;
    for (const Key& k : keys)
      key += key_part(table.rows[r][position_of(k.of_table, table.names)], k.has_pairs);
    const auto [earlier, is_new] = row_of.emplace(key, r);
    if (!is_new)
      fail_line(path, table.lines[r],
                fmt::format("the trial ({}) has a row in line {} already, must have one", names_of(keys),
                            table.lines[earlier->second]));
  }
  const Trials& trials = result.trials;
  std::vector<std::size_t> rows;
  for (std::size_t m = 0; m < trials.n_trials(); ++m) {
    std::string key, name;
    for (const Key& k : keys) {
      const std::string text = trials.find_label(k.of_recording)->text(m);
      name += (name.empty() ? "" : ", ") + text;
      key += key_part(text, k.has_pairs);
    }
    const auto found = row_of.find(key);
    if (found == row_of.end())
      fail(path,
           fmt::format("there is no row for trial {} (column {}); every trial of the recording needs one",
                       shown(name), names_of(keys)));
    rows.push_back(found->second);
  }
  if (table.rows.size() > rows.size())
    result.notes.push_back(
        fmt::format("left out {} rows of the labels in \"{}\": the recording has no such trials",
                    table.rows.size() - rows.size(), path));
  return rows;
}

// Without names in the recording its trials are 1, 2, ... (or 0, 1, ...), because a table may count
// them in its own order. A table that names other trials must not be taken row by row in silence.
void sort_by_number(const std::string& path, const LabelTable& table, std::vector<std::size_t>& rows,
                    std::vector<std::string>& notes) {
  for (std::size_t c = 0; c < table.names.size(); ++c) {
    if (!is_among(kTrialNames, table.names[c])) continue;
    std::vector<std::int64_t> numbers;
    for (const std::size_t r : rows)
      if (const auto number = parse_integer(table.rows[r][c])) numbers.push_back(*number);
    if (numbers.size() < rows.size() || std::is_sorted(numbers.begin(), numbers.end())) return;
    const std::int64_t first = *std::min_element(numbers.begin(), numbers.end());
    std::vector<std::size_t> sorted(rows.size(), rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const auto place = static_cast<std::size_t>(numbers[i] - first);
      if (first > 1 || first < 0 || place >= rows.size() || sorted[place] != rows.size())
        fail(path,
             fmt::format("the trials in column {} are in no order, and they are not 1 to {}, so that it is "
                         "not known which row belongs to which trial of the recording; sort the rows as "
                         "the recording has the trials, or leave the column out of the table",
                         shown(table.names[c]), rows.size()));
      sorted[place] = rows[i];
    }
    rows = std::move(sorted);
    notes.push_back(fmt::format("labels sorted by {}", table.names[c]));
    return;
  }
}

std::vector<std::size_t> rows_in_order(const std::string& path, const LabelTable& table,
                                       const ReadOptions& options, std::size_t n_trials) {
  const bool has_more = options.first_trials && table.rows.size() > n_trials;  // of trials not asked for
  if (table.rows.size() != n_trials && !has_more)
    fail(path,
         fmt::format("{} rows of labels for {} trials, must be as many, or both must have a column with "
                     "the trials' names (`trial`)",
                     table.rows.size(), n_trials));
  std::vector<std::size_t> rows(n_trials);
  for (std::size_t m = 0; m < n_trials; ++m) rows[m] = m;
  return rows;
}

}  // namespace

void join_labels(const ReadOptions& options, ReadResult& result) {
  const std::string& path = options.labels;
  const LabelTable table = read_label_table(path, options.separator);
  std::vector<Key> keys = find_keys(options, result.trials, table);
  find_pairs(table, keys);
  std::vector<std::size_t> rows = keys.empty() ? rows_in_order(path, table, options, result.trials.n_trials())
                                               : rows_by_name(path, keys, table, result);
  if (keys.empty()) sort_by_number(path, table, rows, result.notes);
  std::vector<std::string> added;
  const auto contains = [](const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  for (const std::string& name : options.label_columns)
    if (!contains(table.names, name) && !result.trials.find_label(name))
      throw Error(ErrorKind::bad_option,
                  fmt::format("`label_columns` = {}: neither the recording nor \"{}\" has it{}", name, path,
                              suggestion(name, table.names)));
  const auto is_key = [&](const std::string& name) {
    return std::any_of(keys.begin(), keys.end(), [&](const Key& key) { return key.of_table == name; });
  };
  for (std::size_t c = 0; c < table.names.size(); ++c) {
    const std::string& name = table.names[c];
    const bool is_wanted = options.label_columns.empty() || contains(options.label_columns, name);
    if (name.empty() || !is_wanted || is_key(name) || contains(options.ignore_columns, name)) continue;
    if (result.trials.find_label(name))
      fail_line(path, 1,
                fmt::format("the recording has labels named {} already; rename the column, or leave "
                            "it out with `ignore_columns` = {}",
                            shown(name), name));
    std::vector<std::string_view> texts;
    for (const std::size_t r : rows) texts.push_back(table.rows[r][c]);
    result.trials.labels.push_back(label_column(name, texts));
    note_if_unclear(result.trials.labels.back(), result.notes);
    added.push_back(name);
  }
  result.notes.push_back(fmt::format(
      "labels from \"{}\", {}: {}", path,
      keys.empty() ? "row by row in the order of the trials" : fmt::format("joined by {}", names_of(keys)),
      fmt::join(added, ", ")));
}

}  // namespace milcci::read
