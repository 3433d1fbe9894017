// Cuts the bytes of a table into rows and cells, a batch of rows at a time.
//
// - Cells are separated by one character, rows by LF or CRLF. A cell in double quotes may hold both; "" in it
//   is one quote. A quote within an unquoted cell is an ordinary character. Empty lines are left out.
// - A byte order mark is skipped. NUL bytes and quotes that never close are refused, with their line.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "read/tables/byte_source.hpp"

namespace milcci::read {

/// A NaN that no text is read as: there is no number.
inline constexpr std::uint64_t kNoNumber = 0x7FF8'6E6F'6E75'6D62;

/// Rows and the bytes they lie in.
struct RowBatch {
  struct Cell {
    std::uint32_t begin = 0, size = 0;
  };
  struct Row {
    std::uint32_t first_cell = 0, n_cells = 0;
    std::uint64_t line = 0;
  };
  /// In the size of a cell: quotes in it are doubled.
  static constexpr std::uint32_t kHasDoubled = std::uint32_t{1} << 31;
  bool has_doubled = false;  ///< in any cell

  std::vector<char> buffer;  ///< with padding around (short_text.hpp)
  std::vector<Cell> cells;   ///< those of the rows; there may be more
  std::vector<Row> rows;
  std::vector<double> numbers;  ///< of one cell per row, if asked for; `kNoNumber` where there is none

  std::string_view bytes(const Cell& cell) const {
    return {buffer.data() + cell.begin, cell.size & ~kHasDoubled};
  }
};

class RowCutter {
 public:
  /// Where `number_cell` is given, that cell of each row is also read as a number (number.hpp, `parse_cell`).
  RowCutter(const std::string& path, char separator, std::optional<std::size_t> number_cell = {});

  /// The next rows, at least one; false if there are none. Throws Error(bad_file) if the bytes are no table.
  bool fill(RowBatch& batch);
  /// True if the file has been read to its end; rows may still be left.
  bool is_all_read() const { return is_all_read_; }

 private:
  void read_on(std::vector<char>& buffer);
  void skip_comments();
  bool is_header(const char* line, const char* line_end, const char* next, const char* next_end) const;
  void cut_rows(RowBatch& batch);
  void read_numbers(RowBatch& batch) const;
  const char* take_quoted(const char* cell, RowBatch::Cell& taken, RowBatch& batch);
  [[noreturn]] void fail_at(const char* position, const std::string& message) const;

  std::string path_;
  char separator_;
  std::optional<std::size_t> number_cell_;
  std::unique_ptr<ByteSource> source_;
  bool is_all_read_ = false, is_at_start_ = true;
  std::string rest_;  // the beginning of a row whose end has not been read

  const char *row_ = nullptr, *end_ = nullptr;  // the row at hand, and the end of the bytes
  std::uint64_t line_ = 1, n_inner_lines_ = 0;  // where that row begins, and newlines within its quotes
};

}  // namespace milcci::read
