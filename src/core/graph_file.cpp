#include "core/graph_file.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <set>

#include "milcci/error.hpp"
#include "util/web_address.hpp"

namespace milcci {

namespace {

constexpr const char* kExample = "a right file is\n  ,left,right\n  left,1,0.5\n  right,0.5,1";

[[noreturn]] void fail(const std::string& path, const std::string& found) {
  throw Error(ErrorKind::bad_option, fmt::format("label graph \"{}\": {}; {}", path, found, kExample));
}

std::string trim(const std::string& text) {
  const char* blanks = " \t\r";
  const std::size_t first = text.find_first_not_of(blanks);
  return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

// Cells of one line; a cell in double quotes may hold commas, and "" there is one quote.
std::vector<std::string> read_cells(const std::string& line) {
  std::vector<std::string> cells(1);
  bool is_quoted = false, was_quoted = false;
  const auto finish = [&] {
    if (!was_quoted) cells.back() = trim(cells.back());
    was_quoted = false;
  };
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (is_quoted && c == '"' && i + 1 < line.size() && line[i + 1] == '"') {
      cells.back() += line[++i];
    } else if (is_quoted && c == '"') {
      is_quoted = false;
    } else if (!is_quoted && c == '"' && trim(cells.back()).empty()) {
      cells.back().clear();
      is_quoted = was_quoted = true;
    } else if (!is_quoted && c == ',') {
      finish();
      cells.emplace_back();
    } else if (is_quoted || !was_quoted) {
      cells.back() += c;
    }
  }
  finish();
  return cells;
}

double read_similarity(const std::string& path, std::size_t line, const std::string& row,
                       const std::string& column, const std::string& cell) {
  double value = 0;
  const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  if (error != std::errc{} || end != cell.data() + cell.size() || !std::isfinite(value) || value < 0)
    fail(path,
         fmt::format("line {}: the similarity of \"{}\" and \"{}\" is \"{}\", must be a finite number >= 0",
                     line, row, column, cell));
  return value;
}

}  // namespace

GraphTable read_graph_file(const std::string& path) {
  std::error_code ignored;
  std::ifstream file(path);
  if (!file && is_address(path))
    throw Error(ErrorKind::bad_file, fmt::format("label graph \"{}\" {}", path, why_not_there(path)));
  if (path.empty() || !file || std::filesystem::is_directory(path, ignored))
    throw Error(ErrorKind::bad_file, fmt::format("label graph \"{}\" cannot be read: no such file, or no "
                                                 "permission; check the path after graph=",
                                                 path));
  GraphTable table;
  std::size_t n_lines = 0;
  Index n_rows = 0;
  for (std::string line; std::getline(file, line);) {
    ++n_lines;
    if (n_lines == 1 && line.starts_with("\xEF\xBB\xBF")) line.erase(0, 3);
    if (trim(line).empty()) continue;
    const std::vector<std::string> cells = read_cells(line);
    if (table.options.empty()) {
      table.options.assign(cells.begin() + 1, cells.end());
      if (table.options.empty()) fail(path, fmt::format("line {}: the first row names no options", n_lines));
      if (std::set<std::string>(cells.begin() + 1, cells.end()).size() != table.options.size())
        fail(path, fmt::format("line {}: the first row names an option twice", n_lines));
      const auto n_options = static_cast<Index>(table.options.size());
      table.similarities.resize(n_options, n_options);
      continue;
    }
    const std::size_t n_options = table.options.size();
    if (static_cast<std::size_t>(n_rows) == n_options)
      fail(path, fmt::format("line {}: more rows than the {} options of the first row", n_lines, n_options));
    const std::string& option = table.options[static_cast<std::size_t>(n_rows)];
    if (cells.size() != n_options + 1)
      fail(path, fmt::format("line {}: {} cells, must be {} (a name and {} numbers)", n_lines, cells.size(),
                             n_options + 1, n_options));
    if (cells.front() != option)
      fail(path, fmt::format("line {}: the row is named \"{}\", must be \"{}\" as in the first row", n_lines,
                             cells.front(), option));
    for (std::size_t i = 0; i < n_options; ++i)
      table.similarities(n_rows, static_cast<Index>(i)) =
          read_similarity(path, n_lines, option, table.options[i], cells[i + 1]);
    ++n_rows;
  }
  if (table.options.empty()) fail(path, "the file is empty");
  if (n_rows != table.similarities.rows())
    fail(path, fmt::format("{} rows, must be {} as there are {} options", n_rows, table.options.size(),
                           table.options.size()));
  return table;
}

}  // namespace milcci
