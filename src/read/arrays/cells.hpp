// MATLAB's cell arrays, and the fields of its struct arrays: lists of values of any kind. Of use to us are
// lists of texts and of single numbers (labels) and lists of matrices (one per trial).
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "read/arrays/arrays.hpp"

namespace milcci::read {

/// A value that is of no use, and what it is.
struct Useless {
  std::string what;
};
/// The rows of a character matrix; one text has one row.
using TextRows = std::vector<std::string>;
using CellValue = std::variant<NumberArray, TextRows, Useless>;

/// An item with all its values.
struct StoredItem {
  ItemInfo info;
  NumberArray numbers;
  std::vector<std::string> texts;
  std::vector<NumberArray> list;
};

StoredItem item_of_value(const std::string& name, CellValue value);
/// Texts if all values are one text or empty, numbers if all are one number or empty (missing), else a list
/// if all are numbers.
StoredItem item_of_cells(const std::string& name, std::vector<CellValue> cells);

/// Rows of a matrix of characters, in UTF-16 units or UTF-8 bytes, without blanks at their ends.
TextRows text_rows(const std::vector<double>& units, std::size_t n_rows);

}  // namespace milcci::read
