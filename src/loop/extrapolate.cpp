#include "loop/extrapolate.hpp"

#include <algorithm>
#include <limits>

#include "util/columns.hpp"
#include "util/parallel.hpp"

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

Components Extrapolation::ahead_of(const Design& design, Components updated, bool is_nonnegative,
                                   int threads) {
  is_active_ = !last_.empty();
  if (!is_active_) {
    last_ = updated;
    return updated;
  }
  parallel_for(design.variants.size(), threads_for(n_values(design, updated), threads),
               [&](std::size_t v, int) {
                 const auto [k, i] = design.variants[v];
                 Matrix &a = updated[k][i], &last = last_[k][i];
                 last.swap(a);
                 const double lowest = is_nonnegative ? 0.0 : -std::numeric_limits<double>::infinity();
                 a = (last.array() == 0).select(0.0, ((1.0 + beta_) * last - beta_ * a).cwiseMax(lowest));
                 normalise_columns(a);
               });
  return updated;
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
