#include "read/tables/table_header.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "milcci/error.hpp"
#include "read/errors.hpp"
#include "read/text/number.hpp"
#include "read/text/utf.hpp"

namespace milcci::read {

namespace {

void check_names(const TableRows& rows, const Row& names) {
  std::map<std::string, std::size_t> positions;
  bool is_named = false;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i].find('\r') != std::string::npos)
      rows.fail("its lines end in CR alone, must end in LF or CRLF; save the table again");
    if (!is_utf8(names[i]))
      rows.fail(
          fmt::format("column {} is named {}, must be text in UTF-8; save the table as CSV UTF-8, or "
                      "convert it with iconv -f latin1 -t utf-8",
                      i + 1, shown(names[i])));
    const auto [earlier, is_new] = positions.emplace(names[i], i);
    if (!is_new && !names[i].empty())
      rows.fail(fmt::format("columns {} and {} are both named {}, must differ", earlier->second + 1, i + 1,
                            shown(names[i])));
    is_named = is_named || !names[i].empty();
  }
  if (!is_named) rows.fail("the first row names no column, must name them all");
}

}  // namespace

Row texts_of(const TableRows& rows) {
  Row texts;
  const RowCells cells = rows.cells();
  for (std::size_t i = 0; i < cells.size(); ++i) texts.emplace_back(trim(cells[i]));
  return texts;
}

void check_width(const TableRows& rows, std::size_t n_columns) {
  const std::size_t found = rows.cells().size();
  if (found == n_columns) return;
  rows.fail(fmt::format("{} cells, must be {} as in the header; the row begins with {}{}", found, n_columns,
                        shown(rows.cells()[0]),
                        found > n_columns ? "; cells that hold the separator need double quotes" : ""));
}

char table_separator(const std::string& path, const std::string& asked_for) {
  if (asked_for == "tab" || asked_for == "\\t") return '\t';
  if (!asked_for.empty()) return asked_for.front();
  char best = ',';
  std::size_t most = 0;
  for (const char candidate : {',', ';', '\t'}) {
    try {
      TableRows rows(path, candidate);
      const std::size_t n_names = rows.next() ? rows.cells().size() : 0;
      const bool agrees = !rows.next() || rows.cells().size() == n_names;
      const std::size_t score = n_names > 1 ? n_names * (agrees ? 1000 : 1) : 0;
      if (score > most) best = candidate;
      most = std::max(most, score);
    } catch (const Error&) {
      // Quotes that make no sense with this separator. What is wrong with every separator is found later.
    }
  }
  return best;
}

TableStart read_start(const std::string& path, char separator, std::size_t most_rows) {
  TableRows rows(path, separator);
  if (!rows.next()) fail(path, "is empty, must be a table with a header and rows");
  TableStart start{texts_of(rows), {}};
  check_names(rows, start.names);
  while (start.rows.size() < most_rows && rows.next()) {
    check_width(rows, start.names.size());
    start.rows.push_back(texts_of(rows));
  }
  if (start.rows.empty() && most_rows > 0)
    fail(path, fmt::format("has a header ({} columns, the first is {}) but no rows", start.names.size(),
                           shown(start.names.front())));
  return start;
}

}  // namespace milcci::read
