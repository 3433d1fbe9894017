#include "fit/time_course.hpp"

#include <algorithm>
#include <cmath>

#include "solvers/chain.hpp"

namespace milcci {
namespace {

// Smoothness below this changes nothing that could be seen, and costs a solver over time.
constexpr double kNoSmoothness = 0.02;

// Per column, the sum of (phi_t - phi_{t-h})^2.
Vector squared_differences(const Matrix& phi, Index h) {
  if (phi.rows() <= h) return Vector::Zero(phi.cols());
  const Index n = phi.rows() - h;
  return (phi.bottomRows(n) - phi.topRows(n)).colwise().squaredNorm().transpose();
}

}  // namespace

TraceMoments trace_moments(const TrialData& data, const State& state, Index n_components) {
  const Vector zero = Vector::Zero(n_components);
  TraceMoments sums{.squares = zero, .steps = zero, .lag1 = zero, .lag2 = zero};
  for (std::size_t m = 0; m < state.traces.size(); ++m) {
    const Matrix& phi = state.traces[m];
    ChainProblem steps;
    steps.step_weights = data.step_weights(m);
    sums.n += static_cast<double>(phi.rows());
    sums.n_steps += static_cast<double>(phi.rows() - 1);
    sums.squares += phi.colwise().squaredNorm().transpose();
    sums.steps += prior_energy(steps, phi);
    sums.lag1 += squared_differences(phi, 1);
    sums.lag2 += squared_differences(phi, 2);
    sums.n_lag2 += static_cast<double>(std::max<Index>(0, phi.rows() - 2));
  }
  return sums;
}

TraceWeights weights_of(double e0, double e1) {
  if (!(e0 > 0)) return {kMostRidge, 0.0};
  if (!(e1 < 2.0 * e0)) return {1.0 / e0, 0.0};
  const double ratio = 4.0 * e0 / e1;
  return {1.0 / (e0 * (ratio - 1.0)), (ratio - 2.0) / (ratio - 1.0) / e1};
}

TraceWeights against_smooth_noise(const TraceWeights& weights, double rho) {
  const double contrast = (1.0 + rho) / (1.0 - rho);
  const double slow = weights.ridge * contrast, fast = (weights.ridge + 4.0 * weights.smoothness) / contrast;
  const double smoothness = (fast - slow) / 4.0;
  if (smoothness < kNoSmoothness) return {std::sqrt(slow * fast), 0.0};
  return {slow, smoothness};
}

double ridge_of(double e0, double q) {
  return e0 > 0 ? std::sqrt(4.0 * q * q + 1.0 / (e0 * e0)) - 2.0 * q : kMostRidge;
}

double lag1_of_error(double h, double q) {
  return q > 0 ? ((h + 2.0 * q) - std::sqrt(h * (h + 4.0 * q))) / (2.0 * q) : 0.0;
}

double measured_error(const TraceMoments& sums, Index component, double noise, double expected,
                      const Vector& residual) {
  constexpr double kLeastContrast = 0.5;
  if (!(sums.n_lag2 > 0) || !(expected > 0)) return expected;
  const double d1 = sums.lag1(component) / sums.n_steps / noise,
               d2 = sums.lag2(component) / sums.n_lag2 / noise;
  const double square = sums.squares(component) / sums.n / noise;
  const double with_next = square - 0.5 * d1 - residual(1) * expected;  // s^2 rho
  if (!(with_next > 0.5 * (square - expected))) return expected;
  const double rho = std::clamp((square - 0.5 * d2 - residual(2) * expected) / with_next, 0.0, 1.0);
  const double contrast = (1.0 + rho) * (1.0 - residual(1)) - (1.0 - residual(2));
  if (contrast < kLeastContrast) return expected;
  const double found = 0.5 * ((1.0 + rho) * d1 - d2) / contrast;
  const double doubt = square / std::sqrt(sums.n);
  return std::max(expected, found - doubt);
}

}  // namespace milcci
