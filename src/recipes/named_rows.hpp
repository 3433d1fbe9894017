// Rows of a table whose columns are known by name.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "read/tables/table_rows.hpp"

namespace milcci::recipes {

class NamedRows {
 public:
  /// Throws Error(bad_file) if there is no such table.
  explicit NamedRows(const std::string& path);

  /// The position of a column. Case does not count. The second throws Error(bad_file) if it is not there.
  std::optional<std::size_t> find(const std::string& name) const;
  std::size_t column(const std::string& name) const;

  const std::vector<std::string>& names() const { return names_; }

  bool next();
  /// Without blanks at either end.
  std::string_view cell(std::size_t column) const;
  /// Empty if there is no such column.
  std::string_view cell(std::optional<std::size_t> column) const;
  /// Throws Error(bad_file) that names the line, the column and what was found.
  long long integer(std::size_t column) const;
  [[noreturn]] void fail(std::size_t column, const std::string& expected) const;

 private:
  NamedRows(const std::string& path, char separator);

  std::string path_;
  std::vector<std::string> names_;
  read::TableRows rows_;
};

}  // namespace milcci::recipes
