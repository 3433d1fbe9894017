#include "read/tables/constant_column.hpp"

#include <fmt/format.h>

#include "read/errors.hpp"

namespace milcci::read {

void ConstantColumn::add(std::string_view cell, std::uint64_t line) {
  value_of_.push_back(values_.id(cell));
  line_of_.push_back(line);
}

void ConstantColumn::fail_changed(const TableRows& rows, TextIds::Id owner, std::string_view owner_name,
                                  std::string_view cell) const {
  rows.fail(
      fmt::format("column {} of {} {} is {}, but {} in line {}; must be the same in all rows of a {}. "
                  "If it is no label, leave it out: `ignore_columns` = {}{}",
                  shown(name_), owner_, shown(owner_name), shown(cell), shown(text(owner)), line_of_[owner],
                  owner_, name_, comma_hint(cell)));
}

}  // namespace milcci::read
