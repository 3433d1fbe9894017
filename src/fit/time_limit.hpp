// When a fit has to end, by the clock or by its caller.
#pragma once

#include <chrono>
#include <optional>
#include <utility>

#include "milcci/fit.hpp"

namespace milcci {

class TimeLimit {
 public:
  TimeLimit(std::optional<double> seconds, const ProgressCallback& progress)
      : seconds_(seconds), progress_(progress) {}

  /// What the caller says, unless the time is over.
  Continue tell(const Progress& now) {
    is_over_ = is_over_ || is_past(1.0);
    const Continue answer = progress_ ? progress_(now) : Continue::yes;
    return is_over_ ? Continue::stop : answer;
  }
  /// Whether half of the time is over: what else the search may try should leave time for the fit.
  bool is_late() const { return is_past(0.5); }
  /// Whether the time was over when somebody was told last.
  bool is_over() const { return is_over_; }

 private:
  using Clock = std::chrono::steady_clock;
  bool is_past(double share) const {
    return seconds_ && std::chrono::duration<double>(Clock::now() - begin_).count() >= share * *seconds_;
  }

  const std::optional<double> seconds_;
  const ProgressCallback& progress_;
  const Clock::time_point begin_ = Clock::now();
  bool is_over_ = false;
};

}  // namespace milcci
