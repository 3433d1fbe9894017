// How far the search for a start has come, reported from whichever of its loops the calling thread
// is in.
#pragma once

#include <atomic>
#include <chrono>
#include <string>
#include <thread>

#include "loop/monitor.hpp"
#include "milcci/fit.hpp"

namespace milcci {

/// Work is counted in planned iterations of candidates. Only the thread that made this object calls
/// the callback, between iterations at the latest; its answer stops all threads.
class SearchProgress {
 public:
  SearchProgress(const ProgressCallback& callback, long planned)
      : callback_(callback), planned_(planned), owner_(std::this_thread::get_id()) {}

  /// A new phase begins, at this much of the plan: earlier ones may have needed less than planned.
  void begin_phase(const std::string& name, long done);
  /// This much of the plan is done, by any thread.
  void add(long iterations);
  /// For every loop of the search, in any thread.
  Monitor monitor() {
    return Monitor([this](const IterationRecord&) { return go_on(); });
  }
  bool is_stopped() const { return is_stopped_; }

 private:
  using Clock = std::chrono::steady_clock;
  Continue go_on();
  void tell();

  const ProgressCallback& callback_;
  const long planned_;
  const std::thread::id owner_;
  std::string phase_;
  std::atomic<long> done_ = 0;
  std::atomic<bool> is_stopped_ = false;
  Clock::time_point last_told_ = Clock::now();
};

}  // namespace milcci
