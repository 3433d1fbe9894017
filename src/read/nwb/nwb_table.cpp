#include "read/nwb/nwb_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/nearest_name.hpp"
#include "milcci/error.hpp"
#include "read/arrays/number_labels.hpp"
#include "read/errors.hpp"

namespace milcci::read {

namespace {

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool is_table(const hdf5::Group& group) {
  return group.is_dataset("start_time") && group.is_dataset("stop_time");
}

TrialTable opened(hdf5::Group group, const std::string& path) {
  const hdf5::Shape shape = group.shape("start_time");
  if (shape.size() != 1)
    group.fail("start_time",
               fmt::format("its shape is {}, must be one time per trial", hdf5::to_text(shape)));
  return {std::move(group), path, shape.front()};
}

std::vector<TrialTable> tables_in_intervals(const hdf5::Group& root) {
  std::vector<TrialTable> tables;
  const auto intervals = find_group(root, "intervals");
  if (!intervals) return tables;
  for (const hdf5::Child& child : intervals->children()) {
    if (!child.is_group) continue;
    hdf5::Group group = intervals->open_group(child.name);
    if (is_table(group)) tables.push_back(opened(std::move(group), "/intervals/" + child.name));
  }
  return tables;
}

std::string listing(const std::vector<TrialTable>& tables) {
  std::vector<std::string> texts;
  for (const TrialTable& table : tables)
    texts.push_back(fmt::format("{} ({} rows)", table.path, table.n_rows));
  return fmt::format("{}", fmt::join(texts, ", "));
}

std::string name_in_intervals(const std::string& path) {
  return path.substr(path.rfind('/') + 1);
}

TrialTable named_table(const std::string& path, const hdf5::Group& root, const std::string& name) {
  const bool is_path = name.find('/') != std::string::npos;
  const std::string place = is_path ? name : "/intervals/" + name;
  auto group = find_group(root, place);
  if (!group) {
    const std::vector<TrialTable> tables = tables_in_intervals(root);
    std::vector<std::string> names;
    for (const TrialTable& table : tables) names.push_back(name_in_intervals(table.path));
    throw Error(ErrorKind::bad_option,
                fmt::format("`table` = {}: file \"{}\" has no such table{}", name, path,
                            names.empty() ? ", and none in /intervals" : suggestion(name, names)));
  }
  for (const char* column : {"start_time", "stop_time"})
    if (!group->is_dataset(column))
      group->fail(column, "there is no such column, a table of trials must have start_time and stop_time");
  return opened(std::move(*group), place);
}

// Names of an enumeration in place of its numbers; h5py's booleans stay 0 and 1.
std::optional<LabelColumn::Texts> enumerated(const hdf5::Group& table, const std::string& name,
                                             const std::vector<std::int64_t>& values) {
  const auto names = table.enumeration(name);
  const bool is_boolean = names.size() == 2 && names.contains(0) && names.at(0) == "FALSE";
  if (names.empty() || is_boolean) return {};
  LabelColumn::Texts texts;
  for (const std::int64_t value : values)
    texts.push_back(names.contains(value) ? names.at(value) : fmt::format("{}", value));
  return texts;
}

template <class Values>
Values chosen(const Values& values, const std::vector<std::size_t>& rows) {
  Values out;
  for (const std::size_t row : rows) out.push_back(values[row]);
  return out;
}

LabelColumn read_column(const TrialTable& table, const std::string& name,
                        const std::vector<std::size_t>& rows) {
  switch (table.group.value_type(name)) {
    case hdf5::ValueType::text:
      return {name, chosen(table.group.read_texts(name, table.n_rows), rows)};
    case hdf5::ValueType::integer: {
      const auto values = chosen(table.group.read_integers(name, {table.n_rows}), rows);
      if (auto texts = enumerated(table.group, name, values)) return {name, std::move(*texts)};
      return {name, values};
    }
    default:
      return label_of_numbers(name, chosen(table.group.read_reals(name, {table.n_rows}), rows));
  }
}

// Why a dataset of the table cannot be labels, or nothing.
std::string why_no_labels(const TrialTable& table, const std::string& name) {
  const hdf5::Shape shape = table.group.shape(name);
  if (table.group.is_dataset(name + "_index")) return "several values per trial";
  if (!table.group.find_value_type(name)) return "neither numbers nor texts";
  if (shape != hdf5::Shape{table.n_rows}) return hdf5::to_text(shape);
  return "";
}

}  // namespace

std::optional<hdf5::Group> find_group(const hdf5::Group& root, const std::string& path) {
  std::optional<hdf5::Group> group;
  std::size_t begin = 0;
  while (begin < path.size()) {
    const std::size_t end = std::min(path.find('/', begin), path.size());
    const std::string name = path.substr(begin, end - begin);
    begin = end + 1;
    if (name.empty()) continue;
    const hdf5::Group& parent = group ? *group : root;
    if (!parent.has(name) || parent.is_dataset(name)) return {};
    hdf5::Group child = parent.open_group(name);
    group.emplace(std::move(child));
  }
  return group;
}

Ragged read_ragged(const hdf5::Group& table, const std::string& name, std::size_t width) {
  if (!table.is_dataset(name)) table.fail(name, "there is no such column; the file is incomplete");
  const std::string index_name = name + "_index";
  if (!table.is_dataset(index_name))
    table.fail(index_name,
               fmt::format("there is no such column, must be beside {} and say where the values of each row "
                           "end",
                           name));
  Ragged column;
  column.values =
      table.read_reals(name, width == 1 ? hdf5::Shape{hdf5::kAny} : hdf5::Shape{hdf5::kAny, width});
  const std::size_t n_values = column.values.size() / width;
  column.offsets.push_back(0);
  for (const std::int64_t end : table.read_integers(index_name, {hdf5::kAny})) {
    const std::size_t row = column.n_rows() + 1, begin = column.offsets.back();
    if (end < 0 || static_cast<std::size_t>(end) < begin)
      table.fail(index_name,
                 fmt::format("row {} ends at {}, must not be before the end of the row above, {}; "
                             "the file is damaged",
                             row, end, begin));
    if (static_cast<std::size_t>(end) > n_values)
      table.fail(index_name, fmt::format("row {} ends at {}, but {} has only {} values; the file is damaged",
                                         row, end, name, n_values));
    column.offsets.push_back(static_cast<std::size_t>(end));
  }
  if (column.offsets.back() != n_values)
    table.fail(index_name, fmt::format("the last row ends at {}, must be {}, the number of values in {}; the "
                                       "file is damaged or incomplete",
                                       column.offsets.back(), n_values, name));
  return column;
}

TrialTable open_trial_table(const std::string& path, const hdf5::Group& root, const ReadOptions& options) {
  if (!options.table.empty()) return named_table(path, root, options.table);
  std::vector<TrialTable> tables = tables_in_intervals(root);
  for (TrialTable& table : tables)
    if (table.path == "/intervals/trials") return std::move(table);
  if (tables.size() == 1) return std::move(tables.front());
  if (tables.empty())
    fail(path,
         "has no table of trials in /intervals (start_time and stop_time); if it is elsewhere, name it "
         "with `table` = /group/name");
  fail(path,
       fmt::format("which table has the trials? Name it with `table`, such as `table` = {}. There are: {}",
                   name_in_intervals(tables.front().path), listing(tables)));
}

TableNames list_tables(const hdf5::Group& root) {
  TableNames names;
  const std::vector<TrialTable> tables = tables_in_intervals(root);
  names.is_decided = tables.size() == 1;
  for (const TrialTable& table : tables) {
    std::vector<std::string> columns;
    for (const hdf5::Child& child : table.group.children())
      if (!child.is_group && child.name != "id") columns.push_back(child.name);
    names.lines.push_back(
        fmt::format("{} ({} rows): {}", table.path, table.n_rows, fmt::join(columns, ", ")));
    names.is_decided |= table.path == "/intervals/trials";
  }
  return names;
}

std::vector<std::string> row_names(const TrialTable& table, const std::vector<std::size_t>& rows) {
  if (!table.group.is_dataset("id") || table.group.value_type("id") != hdf5::ValueType::integer) return {};
  const std::vector<std::int64_t> ids = table.group.read_integers("id", {table.n_rows});
  std::vector<std::string> names;
  for (const std::size_t row : rows) names.push_back(fmt::format("{}", ids[row]));
  return names;
}

std::vector<LabelColumn> table_labels(const std::string& path, const TrialTable& table,
                                      const ReadOptions& options, const std::vector<std::size_t>& rows,
                                      std::vector<std::string>& notes) {
  std::vector<LabelColumn> labels;
  std::vector<std::string> names, taken, left_out;
  for (const hdf5::Child& child : table.group.children())
    if (!child.is_group) names.push_back(child.name);
  for (const std::string& name : options.label_columns)
    if (!contains(names, name) && options.labels.empty())
      throw Error(ErrorKind::bad_option,
                  fmt::format("`label_columns` = {}: {} of file \"{}\" has no such column{}", name,
                              table.path, path, suggestion(name, names)));
  for (const std::string& name : names) {
    const bool is_asked = contains(options.label_columns, name);
    const bool is_limit = name == "start_time" || name == "stop_time";
    if (contains(options.ignore_columns, name)) continue;
    if (!is_asked && (!options.label_columns.empty() || is_limit || name.ends_with("_index"))) continue;
    const std::string problem = why_no_labels(table, name);
    if (problem.empty()) {
      labels.push_back(read_column(table, name, rows));
      taken.push_back(name);
    } else if (is_asked) {
      table.group.fail(name, fmt::format("holds {}, labels must be one number or text for each of {} trials",
                                         problem, table.n_rows));
    } else {
      left_out.push_back(fmt::format("{} ({})", name, problem));
    }
  }
  if (!taken.empty()) notes.push_back(fmt::format("labels = {}", fmt::join(taken, ", ")));
  if (!left_out.empty()) notes.push_back(fmt::format("left out: {}", fmt::join(left_out, ", ")));
  return labels;
}

}  // namespace milcci::read
