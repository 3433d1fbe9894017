// The rows of a text table (CSV), one after the other, cut into cells (row_cutter.hpp). Streams: of the file
// only a few pieces are in memory, 256 KiB each or as long as the longest row. Files that are longer than a
// first piece are read, unpacked and cut by a second thread while the rows before are being used.
#pragma once

#include <bit>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "read/tables/row_cutter.hpp"

namespace milcci::read {

/// The cells of a row. They lie in padded memory (short_text.hpp).
class RowCells {
 public:
  RowCells(const RowBatch& batch, const RowBatch::Row& row)
      : bytes_(batch.buffer.data()), cells_(batch.cells.data() + row.first_cell), size_(row.n_cells) {}

  std::size_t size() const { return size_; }
  std::string_view operator[](std::size_t i) const { return {bytes_ + cells_[i].begin, cells_[i].size}; }

 private:
  const char* bytes_;
  const RowBatch::Cell* cells_;
  std::size_t size_;
};

class TableRows {
 public:
  /// `number_cell` is a cell to be read as a number by the second thread, see `number`.
  TableRows(const std::string& path, char separator, std::optional<std::size_t> number_cell = {});
  ~TableRows();

  /// Reads the next row; false at the end. The cells of the one before are gone then.
  bool next() {
    if (++row_ >= batch_->rows.size() && !next_batch()) return false;
    if (batch_->has_doubled) single_quotes();
    return true;
  }
  RowCells cells() const { return {*batch_, batch_->rows[row_]}; }
  /// Where the row began, from 1. Newlines within quotes count.
  std::uint64_t line() const { return batch_->rows[row_].line; }

  /// The cell asked for as a number, NaN if missing; false if it is none.
  bool number(double& value) const {
    value = batch_->numbers[row_];
    return std::bit_cast<std::uint64_t>(value) != kNoNumber;
  }

  [[noreturn]] void fail(const std::string& message) const;

 private:
  class Ahead;

  bool next_batch();
  void single_quotes();

  std::string path_;
  std::unique_ptr<RowCutter> cutter_;
  std::unique_ptr<Ahead> ahead_;  // once a second piece is needed
  std::unique_ptr<RowBatch> batch_ = std::make_unique<RowBatch>();
  std::size_t row_ = 0;
  bool is_at_start_ = true, is_at_end_ = false;
};

}  // namespace milcci::read
