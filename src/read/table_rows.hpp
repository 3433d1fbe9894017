// The rows of a text table (CSV), one after the other, cut into cells. Streams: of the file only a buffer is
// in memory, 1 MiB or as long as the longest row.
//
// - Cells are separated by one character, rows by LF or CRLF. A cell in double quotes may hold both; "" in it
//   is one quote. A quote within an unquoted cell is an ordinary character. Empty lines are left out.
// - A byte order mark is skipped. NUL bytes, UTF-16 and quotes that never close are refused, with their line.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "read/byte_source.hpp"

namespace milcci::read {

class TableRows {
 public:
  TableRows(const std::string& path, char separator);

  /// Reads the next row; false at the end. The cells of the one before are gone then.
  bool next();
  /// They lie in padded memory (short_text.hpp).
  std::span<const std::string_view> cells() const { return {cells_.data(), n_cells_}; }
  /// Where the row began, from 1. Newlines within quotes count.
  std::uint64_t line() const { return line_; }

  [[noreturn]] void fail(const std::string& message) const;

 private:
  enum class Outcome { row, empty, incomplete };

  Outcome cut();
  bool take_quoted();
  void push(std::string_view cell);
  void seek(char* position);
  void refill();
  [[noreturn]] void fail_at(const char* position, const std::string& message) const;

  std::string path_;
  char separator_;
  std::unique_ptr<ByteSource> source_;

  std::vector<char> buffer_;
  char *row_ = nullptr, *end_ = nullptr;  // the rest of the buffer: from this row to the last byte
  bool is_all_read_ = false;

  // Cutting: `cell_` is where the current cell begins; bit i of `marks_` is byte i from `block_`.
  char *cell_ = nullptr, *block_ = nullptr;
  std::uint64_t marks_ = 0;

  std::vector<std::string_view> cells_;
  std::size_t n_cells_ = 0;
  std::vector<std::unique_ptr<std::string>> unquoted_;  // cells of this row that held doubled quotes
  std::uint64_t line_ = 0, next_line_ = 1, n_inner_lines_ = 0;
};

}  // namespace milcci::read
