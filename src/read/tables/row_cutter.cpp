#include "read/tables/row_cutter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "read/errors.hpp"
#include "read/tables/delimiter_scan.hpp"
#include "read/text/number.hpp"

namespace milcci::read {

namespace {

// The first piece is short: most files are, and some are opened only to look at their header.
constexpr std::size_t kFirstPiece = std::size_t{1} << 14, kPiece = std::size_t{1} << 18,
                      kLongestRow = std::size_t{1} << 26;
// Around the bytes: `find_delimiters` looks at whole blocks, and cells must lie in padded memory.
constexpr std::size_t kPadding = kScanBlock;

}  // namespace

RowCutter::RowCutter(const std::string& path, char separator, std::optional<std::size_t> number_cell)
    : path_(path), separator_(separator), number_cell_(number_cell), source_(open_source(path)) {}

void RowCutter::fail_at(const char* position, const std::string& message) const {
  fail_line(path_, line_ + static_cast<std::uint64_t>(std::count(row_, position, '\n')), message);
}

bool RowCutter::fill(RowBatch& batch) {
  batch.rows.clear();
  batch.has_doubled = false;
  while (batch.rows.empty() && !(is_all_read_ && rest_.empty())) {
    read_on(batch.buffer);
    cut_rows(batch);
  }
  if (number_cell_) read_numbers(batch);
  return !batch.rows.empty();
}

// Puts the rest and what follows in the file into the buffer: twice as much as the rest if that is long.
void RowCutter::read_on(std::vector<char>& buffer) {
  if (rest_.size() >= kLongestRow)
    fail_line(path_, line_,
              fmt::format(
                  "the row is longer than {} bytes; is this a table, and does every double quote in it have "
                  "a second one?",
                  kLongestRow));
  const std::size_t room = std::max(is_at_start_ ? kFirstPiece : kPiece, rest_.size());
  buffer.resize(rest_.size() + room + 2 * kPadding);
  char* const begin = buffer.data() + kPadding;
  std::copy(rest_.begin(), rest_.end(), begin);
  const std::size_t n_new = source_->read(begin + rest_.size(), room);
  is_all_read_ = n_new < room;
  row_ = begin;
  end_ = begin + rest_.size() + n_new;
  std::fill_n(begin + rest_.size() + n_new, kPadding, '\0');
  if (const void* nul = std::memchr(begin + rest_.size(), '\0', n_new))
    fail_at(static_cast<const char*>(nul),
            "there is a NUL byte, must be text in UTF-8; if this is a table, save it as CSV UTF-8");
  if (is_at_start_ &&
      std::string_view(row_, static_cast<std::size_t>(end_ - row_)).starts_with("\xEF\xBB\xBF"))
    row_ += 3;
  if (is_at_start_) skip_comments();
  is_at_start_ = false;
}

// Lines that begin with # before the header are remarks. The last of them is the header itself, as NumPy
// writes it, if it has as many cells as the line behind it and that has a number.
void RowCutter::skip_comments() {
  while (row_ != end_ && *row_ == '#') {
    const char* const line_end = std::find(row_, end_, '\n');
    if (line_end == end_) return;
    const char *const next = line_end + 1, *const next_end = std::find(next, end_, '\n');
    if (next != end_ && *next != '#' && is_header(row_, line_end, next, next_end)) {
      do ++row_;
      while (*row_ == ' ');
      return;
    }
    row_ = next;
    ++line_;
  }
}

bool RowCutter::is_header(const char* line, const char* line_end, const char* next,
                          const char* next_end) const {
  const auto n_separators = std::count(line, line_end, separator_);
  if (n_separators == 0 || n_separators != std::count(next, next_end, separator_)) return false;
  for (const char* cell = next; cell < next_end;) {
    const char* const cell_end = std::find(cell, next_end, separator_);
    if (parse_number({cell, static_cast<std::size_t>(cell_end - cell)})) return true;
    cell = cell_end + 1;
  }
  return false;
}

// Cuts all whole rows from `row_` on; what is left is the rest. The loop runs on local variables: writing
// cells would otherwise make the compiler reload the members each time.
void RowCutter::cut_rows(RowBatch& batch) {
  const char *cell = row_, *block = row_, *const end = end_, *const base = batch.buffer.data();
  // As many cells as there can be: one per byte, and one behind the last separator.
  if (batch.cells.size() <= batch.buffer.size()) batch.cells.resize(batch.buffer.size() + 1);
  RowBatch::Cell *const cells = batch.cells.data(), *first = cells, *next = cells;
  std::uint64_t delimiters = find_delimiters(block, separator_);
  while (row_ != end) {
    while (delimiters == 0 && end - block > static_cast<std::ptrdiff_t>(kScanBlock)) {
      block += kScanBlock;
      delimiters = find_delimiters(block, separator_);
    }
    if (delimiters == 0 && !is_all_read_) break;
    const char* delimiter = delimiters == 0 ? end : block + std::countr_zero(delimiters);
    delimiters &= delimiters - 1;
    if (delimiter != end && *delimiter == '"') {
      if (delimiter != cell) continue;
      delimiter = take_quoted(cell, *next, batch);
      if (delimiter == nullptr) break;
      block = delimiter + (delimiter != end);
      delimiters = find_delimiters(block, separator_);
    } else {
      *next = {static_cast<std::uint32_t>(cell - base), static_cast<std::uint32_t>(delimiter - cell)};
    }
    const bool is_last = delimiter == end || *delimiter == '\n';
    cell = delimiter + (delimiter != end);
    ++next;
    if (!is_last) continue;

    const bool is_quoted = base[next[-1].begin + (next[-1].size & ~RowBatch::kHasDoubled)] == '"';
    if (!is_quoted && next[-1].size > 0 && delimiter[-1] == '\r') --next[-1].size;
    const bool is_empty = next - first == 1 && next[-1].size == 0;
    if (is_empty)
      next = first;
    else
      batch.rows.push_back(
          {static_cast<std::uint32_t>(first - cells), static_cast<std::uint32_t>(next - first), line_});
    first = next;
    line_ += 1 + n_inner_lines_;
    n_inner_lines_ = 0;
    row_ = cell;
  }
  n_inner_lines_ = 0;
  rest_.assign(row_, end_);
}

void RowCutter::read_numbers(RowBatch& batch) const {
  batch.numbers.resize(batch.rows.size());
  for (std::size_t i = 0; i < batch.rows.size(); ++i) {
    const RowBatch::Row& row = batch.rows[i];
    const bool has_number =
        *number_cell_ < row.n_cells &&
        parse_cell(batch.bytes(batch.cells[row.first_cell + *number_cell_]), batch.numbers[i]);
    if (!has_number) batch.numbers[i] = std::bit_cast<double>(kNoNumber);
  }
}

// Takes the cell whose opening quote is at `cell`. Returns what ends it, a separator, a newline or the end;
// null if the bytes end before.
const char* RowCutter::take_quoted(const char* cell, RowBatch::Cell& taken, RowBatch& batch) {
  const char* const begin = cell + 1;
  const char* close = begin;
  bool has_doubled = false;
  for (;; close += 2) {
    close = static_cast<const char*>(std::memchr(close, '"', static_cast<std::size_t>(end_ - close)));
    if ((close == nullptr || close + 1 == end_) && !is_all_read_) return nullptr;
    if (close == nullptr)
      fail_at(cell,
              "a double quote opens a cell and is never closed; close it, or double it (\"\") if it "
              "belongs to the text");
    if (close + 1 == end_ || close[1] != '"') break;
    has_doubled = true;
  }
  const char* after = close + 1;
  if (after != end_ && *after == '\r') ++after;
  if (after == end_ && !is_all_read_) return nullptr;
  const std::string_view inside(begin, static_cast<std::size_t>(close - begin));
  if (after != end_ && *after != separator_ && *after != '\n') {
    const auto n_shown = std::min<std::size_t>(8, static_cast<std::size_t>(end_ - close - 1));
    fail_at(close,
            fmt::format("the quoted cell {} is followed by {}, must be followed by a separator; double "
                        "quotes within quotes (\"\")",
                        shown(inside), shown({close + 1, n_shown})));
  }
  n_inner_lines_ += static_cast<std::uint64_t>(std::count(begin, close, '\n'));
  batch.has_doubled = batch.has_doubled || has_doubled;
  taken = {static_cast<std::uint32_t>(begin - batch.buffer.data()),
           static_cast<std::uint32_t>(inside.size()) | (has_doubled ? RowBatch::kHasDoubled : 0)};
  return after;
}

}  // namespace milcci::read
