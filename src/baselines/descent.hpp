// When the iterations of a baseline end: at rest, at a limit, or with numbers that are none.
#pragma once

#include <chrono>
#include <optional>
#include <vector>

#include "milcci/baselines.hpp"

namespace milcci::baselines {

/// The time of one method, all of its starts together.
class Clock {
 public:
  explicit Clock(const BaselineOptions& options) : options_(options) {}
  double seconds() const { return std::chrono::duration<double>(Steady::now() - begin_).count(); }
  /// Why it is time to end, if it is.
  std::optional<StopReason> why_over() const {
    if (options_.should_stop && options_.should_stop()) return StopReason::interrupted;
    if (options_.time_limit && seconds() >= *options_.time_limit) return StopReason::time_limit;
    return {};
  }

 private:
  using Steady = std::chrono::steady_clock;
  const BaselineOptions& options_;
  Steady::time_point begin_ = Steady::now();
};

/// One start: is told what is minimised after each iteration, and says whether to go on.
class Descent {
 public:
  /// `unit`: falls below tolerance * unit count as none; empty: relative to the objective itself.
  Descent(const BaselineOptions& options, const Clock& clock, double energy, std::optional<double> unit = {})
      : options_(options), clock_(clock), energy_(energy), unit_(unit) {}

  /// Throws Error(numerical) if the objective is no finite number.
  bool goes_on(double objective);

  StopReason reason() const { return reason_; }
  const std::vector<double>& course() const { return course_; }
  double last() const { return course_.back(); }

 private:
  const BaselineOptions& options_;
  const Clock& clock_;
  double energy_;
  std::optional<double> unit_;
  StopReason reason_ = StopReason::iteration_limit;
  std::vector<double> course_;
};

/// Sets how it ended.
void set_outcome(const Descent& descent, BaselineFit& fit);

}  // namespace milcci::baselines
