#include "read/tables/table_rows.hpp"

#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>

#include "read/errors.hpp"

namespace milcci::read {

// Cuts the next batches in a thread of its own, at most two ahead of the one in use.
class TableRows::Ahead {
 public:
  explicit Ahead(RowCutter& cutter) : cutter_(cutter), thread_([this] { run(); }) {}
  ~Ahead() {
    {
      const std::lock_guard lock(mutex_);
      is_stopped_ = true;
    }
    changed_.notify_all();
    thread_.join();
  }

  /// Gives a used batch back for the next one; null after the last. Throws what the thread met.
  std::unique_ptr<RowBatch> exchange(std::unique_ptr<RowBatch> used) {
    std::unique_lock lock(mutex_);
    free_.push_back(std::move(used));
    changed_.notify_all();
    changed_.wait(lock, [this] { return !full_.empty() || is_finished_; });
    if (!full_.empty()) {
      std::unique_ptr<RowBatch> batch = std::move(full_.front());
      full_.pop_front();
      return batch;
    }
    if (error_) std::rethrow_exception(error_);
    return nullptr;
  }

 private:
  void run() {
    std::unique_lock lock(mutex_);
    while (!is_finished_) {
      changed_.wait(lock, [this] { return !free_.empty() || is_stopped_; });
      if (is_stopped_) return;
      std::unique_ptr<RowBatch> batch = std::move(free_.front());
      free_.pop_front();
      lock.unlock();
      bool is_filled = false;
      std::exception_ptr error;
      try {
        is_filled = cutter_.fill(*batch);
      } catch (...) {
        error = std::current_exception();
      }
      lock.lock();
      if (is_filled) full_.push_back(std::move(batch));
      is_finished_ = !is_filled;
      error_ = error;
      changed_.notify_all();
    }
  }

  RowCutter& cutter_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::unique_ptr<RowBatch>> free_ = first_batches(), full_;
  std::exception_ptr error_;
  bool is_stopped_ = false, is_finished_ = false;
  std::thread thread_;  // last: it uses all the others

  static std::deque<std::unique_ptr<RowBatch>> first_batches() {
    std::deque<std::unique_ptr<RowBatch>> batches;
    batches.push_back(std::make_unique<RowBatch>());
    return batches;
  }
};

TableRows::TableRows(const std::string& path, char separator, std::optional<std::size_t> number_cell)
    : path_(path), cutter_(std::make_unique<RowCutter>(path, separator, number_cell)) {}

TableRows::~TableRows() = default;

void TableRows::fail(const std::string& message) const {
  fail_line(path_, line(), message);
}

bool TableRows::next_batch() {
  row_ = 0;
  if (is_at_end_) return false;
  if (is_at_start_ || (!ahead_ && cutter_->is_all_read())) {
    is_at_start_ = false;
    is_at_end_ = !cutter_->fill(*batch_);
    return !is_at_end_;
  }
  if (!ahead_) ahead_ = std::make_unique<Ahead>(*cutter_);
  batch_ = ahead_->exchange(std::move(batch_));
  is_at_end_ = !batch_;
  if (is_at_end_) batch_ = std::make_unique<RowBatch>();
  return !is_at_end_;
}

// Doubled quotes in the cells of this row become single ones, in place.
void TableRows::single_quotes() {
  const RowBatch::Row& row = batch_->rows[row_];
  for (std::size_t i = row.first_cell; i < row.first_cell + row.n_cells; ++i) {
    RowBatch::Cell& cell = batch_->cells[i];
    if (!(cell.size & RowBatch::kHasDoubled)) continue;
    char* const text = batch_->buffer.data() + cell.begin;
    const std::uint32_t size = cell.size & ~RowBatch::kHasDoubled;
    cell.size = 0;
    for (std::uint32_t from = 0; from < size; ++from) {
      text[cell.size++] = text[from];
      from += text[from] == '"';
    }
  }
}

}  // namespace milcci::read
