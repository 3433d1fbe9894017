#include "read/tables/read_table.hpp"

#include <fmt/format.h>

#include "milcci/error.hpp"
#include "read/tables/table_trials.hpp"

namespace milcci::read {

namespace {

std::string separator_name(char separator) {
  return separator == ','    ? "commas"
         : separator == ';'  ? "semicolons"
         : separator == '\t' ? "tabs"
                             : fmt::format("\"{}\"", separator);
}

std::string meaning(const TableColumns& c) {
  std::string text = fmt::format("table of layout {}, separated by {}: trial = {}", to_text(c.layout),
                                 separator_name(c.separator), c.names_at(c.trial));
  const auto add = [&](const char* what, const std::optional<Position>& column) {
    if (column) text += fmt::format(", {} = {}", what, c.names[*column]);
  };
  add("channel", c.channel);
  add("channel group", c.channel_group);
  add("time", c.time);
  add("value", c.value);
  if (c.layout == Layout::wide)
    text += fmt::format(", {} channels = {}", c.values.size(), c.names_at(c.values));
  if (c.layout == Layout::series)
    text += fmt::format(", {} time points = {}", c.values.size(), c.names_at(c.values));
  text += c.labels.empty() ? "; no further labels" : fmt::format("; labels = {}", c.names_at(c.labels));
  return text;
}

}  // namespace

ReadResult read_table(const std::string& path, const ReadOptions& options) {
  ReadResult result;
  const TableColumns columns = table_columns(path, options, result.notes);
  result.notes.insert(result.notes.begin(), meaning(columns));
  if (options.absent == Absent::zero && columns.layout != Layout::long_rows)
    throw Error(
        ErrorKind::bad_option,
        fmt::format("`absent` = zero: file \"{}\" has layout {}, this is for long tables; empty cells are "
                    "missing values",
                    path, to_text(columns.layout)));
  switch (columns.layout) {
    case Layout::long_rows:
      read_long_table(path, columns, options.absent, result);
      break;
    case Layout::wide:
      read_wide_table(path, columns, result);
      break;
    default:
      read_series_table(path, columns, result);
  }
  for (const LabelColumn& column : result.trials.labels) note_if_unclear(column, result.notes);
  return result;
}

}  // namespace milcci::read
