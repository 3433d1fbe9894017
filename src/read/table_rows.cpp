#include "read/table_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "read/complain.hpp"
#include "read/marks.hpp"

namespace milcci::read {

namespace {

constexpr std::size_t kBuffer = std::size_t{1} << 20, kLongestRow = std::size_t{1} << 26;
// Around the bytes: `find_marks` looks at whole blocks, and cells are to lie in padded memory.
constexpr std::size_t kPadding = kMarkBlock;

}  // namespace

TableRows::TableRows(const std::string& path, char separator)
    : path_(path), separator_(separator), source_(open_source(path)), buffer_(kBuffer + 2 * kPadding) {
  row_ = end_ = buffer_.data() + kPadding;
  refill();
  const std::string_view start(row_, static_cast<std::size_t>(end_ - row_));
  if (start.starts_with("\xEF\xBB\xBF")) seek(row_ += 3);
}

void TableRows::fail(const std::string& message) const {
  fail_line(path_, line_, message);
}

void TableRows::fail_at(const char* position, const std::string& message) const {
  const auto n_before = std::count(static_cast<const char*>(row_), position, '\n');
  fail_line(path_, next_line_ + static_cast<std::uint64_t>(n_before), message);
}

bool TableRows::next() {
  while (row_ != end_ || !is_all_read_) {
    const Outcome outcome = cut();
    if (outcome == Outcome::incomplete) {
      refill();
      continue;
    }
    line_ = next_line_;
    next_line_ += 1 + n_inner_lines_;
    row_ = cell_;
    if (outcome == Outcome::row) return true;
  }
  return false;
}

// Cuts the row that begins at `row_`. Afterwards `cell_` is where the next one begins. The loop runs on local
// variables: writing cells would otherwise make the compiler reload the members each time.
TableRows::Outcome TableRows::cut() {
  n_cells_ = n_inner_lines_ = 0;
  unquoted_.clear();
  char *cell = row_, *block = block_, *const end = end_;
  std::uint64_t marks = marks_;
  std::size_t n_cells = 0;
  for (bool is_last = false; !is_last;) {
    while (marks == 0 && end - block > static_cast<std::ptrdiff_t>(kMarkBlock)) {
      block += kMarkBlock;
      marks = find_marks(block, separator_);
    }
    char* mark = marks == 0 ? end : block + std::countr_zero(marks);
    marks &= marks - 1;
    if (mark == end) {
      if (!is_all_read_) return Outcome::incomplete;
      is_last = true;
    } else if (*mark == '"') {
      if (mark != cell) continue;
      cell_ = cell;
      n_cells_ = n_cells;
      if (!take_quoted()) return Outcome::incomplete;
      is_last = cell_ == end || *cell_ == '\n';
      cell = cell_ + (cell_ != end);
      n_cells = n_cells_;
      block = block_;
      marks = marks_;
      continue;
    } else {
      is_last = *mark == '\n';
    }
    if (n_cells == cells_.size()) cells_.resize(std::max<std::size_t>(16, 2 * n_cells));
    cells_[n_cells++] = {cell, static_cast<std::size_t>(mark - cell)};
    cell = mark + (mark != end);
    if (is_last && cells_[n_cells - 1].ends_with('\r')) cells_[n_cells - 1].remove_suffix(1);
  }
  cell_ = cell;
  block_ = block;
  marks_ = marks;
  n_cells_ = n_cells;
  const bool is_empty = n_cells == 1 && cells_[0].empty();
  return is_empty ? Outcome::empty : Outcome::row;
}

// Takes the cell whose opening quote is at `cell_`, and moves there to what ends it: a separator, a newline
// or the end. False if the buffer ends before.
bool TableRows::take_quoted() {
  char* const begin = cell_ + 1;
  char* close = begin;
  bool has_doubled = false;
  for (;; close += 2) {
    close = static_cast<char*>(std::memchr(close, '"', static_cast<std::size_t>(end_ - close)));
    if (close == nullptr || close + 1 == end_) {
      if (!is_all_read_) return false;
      if (close == nullptr)
        fail_at(cell_,
                "a double quote opens a cell and is never closed; close it, or double it (\"\") if "
                "it belongs to the text");
    }
    if (close + 1 == end_ || close[1] != '"') break;
    has_doubled = true;
  }
  const std::string_view inside(begin, static_cast<std::size_t>(close - begin));
  char* after = close + 1;
  if (after != end_ && *after == '\r') ++after;
  if (after == end_ && !is_all_read_) return false;
  if (after != end_ && *after != separator_ && *after != '\n')
    fail_at(close,
            fmt::format(
                "the quoted cell {} is followed by {}, must be followed by a separator; double "
                "quotes within quotes (\"\")",
                shown(inside),
                shown({close + 1, std::min<std::size_t>(8, static_cast<std::size_t>(end_ - close - 1))})));
  n_inner_lines_ += static_cast<std::uint64_t>(std::count(begin, close, '\n'));
  if (has_doubled) {
    constexpr std::size_t kAround = 8;
    std::string& text = *unquoted_.emplace_back(std::make_unique<std::string>(kAround, '\0'));
    for (std::size_t i = 0; i < inside.size(); ++i) {
      text += inside[i];
      i += inside[i] == '"';
    }
    text.append(kAround, '\0');
    push(std::string_view(text).substr(kAround, text.size() - 2 * kAround));
  } else {
    push(inside);
  }
  cell_ = after;
  if (after != end_) seek(after + 1);
  return true;
}

void TableRows::push(std::string_view cell) {
  if (n_cells_ == cells_.size()) cells_.resize(std::max<std::size_t>(16, 2 * n_cells_));
  cells_[n_cells_++] = cell;
}

void TableRows::seek(char* position) {
  block_ = position;
  marks_ = find_marks(position, separator_);
}

// Moves the rest to the front of the buffer, which grows if that is more than half of it, and reads on.
void TableRows::refill() {
  const auto n_kept = static_cast<std::size_t>(end_ - row_);
  if (n_kept >= kLongestRow)
    fail_line(path_, next_line_,
              fmt::format("the row is longer than {} bytes; is this a table, and does "
                          "every double quote in it have a second one?",
                          kLongestRow));
  std::memmove(buffer_.data() + kPadding, row_, n_kept);
  if (n_kept > buffer_.size() / 2) buffer_.resize(2 * buffer_.size());
  row_ = buffer_.data() + kPadding;
  const std::size_t room = buffer_.size() - 2 * kPadding - n_kept, n_new = source_->read(row_ + n_kept, room);
  is_all_read_ = n_new < room;
  end_ = row_ + n_kept + n_new;
  std::fill_n(end_, kPadding, '\0');
  if (const void* nul = std::memchr(row_ + n_kept, '\0', n_new))
    fail_at(static_cast<const char*>(nul),
            "there is a NUL byte, must be text in UTF-8; if this is a table, save it as CSV UTF-8");
  seek(row_);
}

}  // namespace milcci::read
