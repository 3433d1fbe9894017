#include "baselines/descent.hpp"

#include <fmt/format.h>

#include <cmath>

#include "milcci/error.hpp"

namespace milcci::baselines {

bool Descent::goes_on(double objective) {
  if (!std::isfinite(objective))
    throw Error(ErrorKind::numerical,
                fmt::format("its numbers became infinite in iteration {}", course_.size() + 1));
  // Errors below this share of the data's energy are rounding.
  constexpr double kRounding = 1e-14;
  const double before = course_.empty() ? 0 : course_.back();
  course_.push_back(objective);
  const double unit = unit_ ? *unit_ : std::abs(objective);
  const bool is_perfect = !unit_ && objective <= kRounding * energy_;
  const bool is_at_rest = course_.size() > 1 && before - objective <= options_.tolerance * unit;
  if (is_perfect || is_at_rest) {
    reason_ = StopReason::converged;
    return false;
  }
  if (const std::optional<StopReason> why = clock_.why_over()) {
    reason_ = *why;
    return false;
  }
  reason_ = StopReason::iteration_limit;
  return static_cast<int>(course_.size()) < options_.max_iterations;
}

void set_outcome(const Descent& descent, BaselineFit& fit) {
  fit.reason = descent.reason();
  fit.objective = descent.course();
  fit.iterations = static_cast<int>(fit.objective.size());
}

}  // namespace milcci::baselines
