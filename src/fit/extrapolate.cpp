#include "fit/extrapolate.hpp"

#include <algorithm>

#include "util/columns.hpp"

namespace milcci {
namespace {

// Ang and Gillis's defaults, rounded: how beta grows, how its ceiling grows, and how far both fall on a
// restart.
constexpr double kGrowth = 1.05, kCeilingGrowth = 1.01, kFall = 1.5;

}  // namespace

Components between(const Components& a, const Components& b, double step) {
  Components c = a;
  for (std::size_t k = 0; k < a.size(); ++k)
    for (std::size_t i = 0; i < a[k].size(); ++i) c[k][i] += step * (b[k][i] - a[k][i]);
  return c;
}

Components Extrapolation::ahead_of(const Components& updated, bool is_nonnegative) {
  is_active_ = !last_.empty();
  Components ahead = updated;
  if (is_active_) {
    for (std::size_t k = 0; k < updated.size(); ++k)
      for (std::size_t i = 0; i < updated[k].size(); ++i) {
        Matrix& a = ahead[k][i];
        a += beta_ * (updated[k][i] - last_[k][i]);
        a = (updated[k][i].array() == 0).select(0.0, a);
        if (is_nonnegative) a = a.cwiseMax(0.0);
        normalise_columns(a);
      }
  }
  last_ = updated;
  return ahead;
}

void Extrapolation::encourage() {
  beta_ = std::min(ceiling_, kGrowth * beta_);
  ceiling_ = std::min(1.0, kCeilingGrowth * ceiling_);
}

void Extrapolation::restart() {
  ceiling_ = beta_;
  beta_ /= kFall;
  last_.clear();
}

}  // namespace milcci
