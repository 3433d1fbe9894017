// How far the search for a start has come, reported from whichever of its loops the calling thread
// is in.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <string>
#include <thread>
#include <utility>

#include "loop/monitor.hpp"
#include "milcci/fit.hpp"

namespace milcci {

/// Work is counted in planned iterations of candidates. Only the thread that made this object calls
/// the callback, between iterations at the latest; its answer stops all threads.
class SearchProgress {
 public:
  /// `is_late` says that nothing long should begin any more; empty: never.
  explicit SearchProgress(const ProgressCallback& callback, std::function<bool()> is_late = {})
      : callback_(callback), is_late_(std::move(is_late)), owner_(std::this_thread::get_id()) {}

  /// More work is planned than was known before.
  void plan(long iterations) { planned_ += iterations; }
  /// A new phase begins.
  void begin_phase(const std::string& name);
  /// This much of the plan is done, by any thread.
  void add(long iterations);
  /// Nothing of the plan is left.
  void finish();
  /// For every loop of the search, in any thread.
  Monitor monitor() {
    return Monitor([this](const IterationRecord&) { return go_on(); });
  }
  bool is_stopped() const { return is_stopped_; }
  /// Whether a new phase should not begin: interrupted, or late.
  bool is_over() const { return is_stopped_ || (is_late_ && is_late_()); }

 private:
  using Clock = std::chrono::steady_clock;
  Continue go_on();
  void tell();

  const ProgressCallback& callback_;
  const std::function<bool()> is_late_;
  long planned_ = 0;
  const std::thread::id owner_;
  std::string phase_;
  std::atomic<long> done_ = 0;
  std::atomic<bool> is_stopped_ = false;
  Clock::time_point last_told_ = Clock::now();
};

}  // namespace milcci
