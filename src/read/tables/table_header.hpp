// The first rows of a table: its header, checked, and a sample of what follows.
#pragma once

#include <string>
#include <vector>

#include "read/tables/table_rows.hpp"

namespace milcci::read {

using Row = std::vector<std::string>;
/// The cells of a row, trimmed.
Row texts_of(const TableRows& rows);

struct TableStart {
  Row names;  ///< trimmed; a name may be empty, but none is there twice
  std::vector<Row> rows;
};

/// The separator asked for, or the one that the header and the first row have.
char table_separator(const std::string& path, const std::string& asked_for);

/// The header and up to `most_rows` rows. Throws Error(bad_file) if there is no header or no row, a
/// name occurs twice, or a row does not have as many cells as the header.
TableStart read_start(const std::string& path, char separator, std::size_t most_rows);

/// Throws Error(bad_file) unless the row has as many cells as the header.
void check_width(const TableRows& rows, std::size_t n_columns);

}  // namespace milcci::read
