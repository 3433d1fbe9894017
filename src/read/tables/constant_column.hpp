// A column that says the same of its owner in every row: a label of a trial, the group of a channel.
#pragma once

#include <string>
#include <vector>

#include "read/tables/table_rows.hpp"
#include "read/tables/text_ids.hpp"
#include "read/text/number.hpp"

namespace milcci::read {

class ConstantColumn {
 public:
  /// `owner` is the word for what it belongs to: "trial", "channel".
  ConstantColumn(std::string name, std::size_t position, const char* owner)
      : name_(std::move(name)), position_(position), owner_(owner) {}

  /// Owners are numbered 0, 1, 2, ... in order of appearance. Throws Error(bad_file) that names both lines if
  /// an earlier row said otherwise.
  void take(const TableRows& rows, TextIds::Id owner, std::string_view owner_name) {
    const std::string_view cell = trim(rows.cells()[position_]);
    if (owner == value_of_.size())
      add(cell, rows.line());
    else if (!is_same_text(values_.text(value_of_[owner]), cell))
      fail_changed(rows, owner, owner_name, cell);
  }

  const std::string& name() const { return name_; }
  std::string_view text(TextIds::Id owner) const { return values_.text(value_of_[owner]); }

 private:
  void add(std::string_view cell, std::uint64_t line);
  [[noreturn]] void fail_changed(const TableRows& rows, TextIds::Id owner, std::string_view owner_name,
                                 std::string_view cell) const;

  std::string name_;
  std::size_t position_;
  const char* owner_;
  TextIds values_;
  std::vector<TextIds::Id> value_of_;  // per owner
  std::vector<std::uint64_t> line_of_;
};

}  // namespace milcci::read
