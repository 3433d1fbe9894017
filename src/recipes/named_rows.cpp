#include "recipes/named_rows.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "read/errors.hpp"
#include "read/tables/table_header.hpp"
#include "read/text/number.hpp"
#include "recipes/letters.hpp"

namespace milcci::recipes {

NamedRows::NamedRows(const std::string& path) : NamedRows(path, read::table_separator(path, "")) {}

NamedRows::NamedRows(const std::string& path, char separator)
    : path_(path), names_(read::read_start(path, separator, 1).names), rows_(path, separator) {
  rows_.next();
}

std::optional<std::size_t> NamedRows::find(const std::string& name) const {
  for (std::size_t i = 0; i < names_.size(); ++i)
    if (upper_case(names_[i]) == upper_case(name)) return i;
  return {};
}

std::size_t NamedRows::column(const std::string& name) const {
  const std::optional<std::size_t> found = find(name);
  if (!found)
    read::fail(path_, fmt::format("has no column {}, only {}", read::shown(name), fmt::join(names_, ", ")));
  return *found;
}

bool NamedRows::next() {
  if (!rows_.next()) return false;
  read::check_width(rows_, names_.size());
  return true;
}

std::string_view NamedRows::cell(std::size_t column) const {
  return read::trim(rows_.cells()[column]);
}

std::string_view NamedRows::cell(std::optional<std::size_t> column) const {
  return column ? cell(*column) : std::string_view();
}

long long NamedRows::integer(std::size_t column) const {
  const auto number = read::parse_integer(cell(column));
  if (!number) fail(column, "a whole number");
  return *number;
}

void NamedRows::fail(std::size_t column, const std::string& expected) const {
  rows_.fail(fmt::format("column {} is {}, must be {}", read::shown(names_[column]),
                         read::shown(cell(column)), expected));
}

}  // namespace milcci::recipes
