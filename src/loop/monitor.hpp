// What the loop reports while it works: a clock for its two updates, and one record per iteration.
#pragma once

#include <chrono>
#include <functional>
#include <utility>

#include "milcci/fit.hpp"

namespace milcci {

/// Called after every iteration; Continue::stop ends the stage.
using IterationCallback = std::function<Continue(const IterationRecord&)>;

struct UpdateSeconds {
  double traces = 0, components = 0;
};

/// One for all stages of a fit: iterations are numbered and timed throughout.
class Monitor {
 public:
  explicit Monitor(IterationCallback on_iteration = {}) : on_iteration_(std::move(on_iteration)) {}

  /// Numbers and times the record, and hands it on.
  Continue tell(IterationRecord record) {
    record.iteration = ++n_iterations_;
    record.seconds = seconds_since(begin_);
    return on_iteration_ ? on_iteration_(record) : Continue::yes;
  }

  /// Runs `update` and adds the time it took to `seconds`.
  template <class Update>
  auto timed(double UpdateSeconds::*seconds, Update&& update) {
    const Clock::time_point start = Clock::now();
    auto result = update();
    seconds_.*seconds += seconds_since(start);
    return result;
  }

  int n_iterations() const { return n_iterations_; }
  const UpdateSeconds& seconds() const { return seconds_; }
  double seconds_so_far() const { return seconds_since(begin_); }

 private:
  using Clock = std::chrono::steady_clock;
  static double seconds_since(Clock::time_point then) {
    return std::chrono::duration<double>(Clock::now() - then).count();
  }

  IterationCallback on_iteration_;
  Clock::time_point begin_ = Clock::now();
  int n_iterations_ = 0;
  UpdateSeconds seconds_;
};

}  // namespace milcci
