// Traces of a trial under fixed components, by the rule of a method.
#pragma once

#include <limits>

#include "milcci/baselines.hpp"

namespace milcci::baselines {

/// At each time point, over its observed channels,
///   min_phi sum_n weight_n (y_n - b_n - a_n phi)^2 + phi' R phi       (and phi >= 0)
/// With H = A'WA + R and B = A'W(Y - b): H phi = B, or coordinate descent on H and B. H is factorised once
/// for all complete time points, and once for each run of time points with the same gaps.
class TraceSolver {
 public:
  /// `offset` has N values or none; `rule` is used for its weight, ridge and sign.
  TraceSolver(Matrix components, Vector offset, const TraceRule& rule);

  /// y is N x T; NaN = missing. Returns P x T.
  Matrix solve(const Eigen::Ref<const Matrix>& y) const;

  /// Over the whole trial: Phi = sum_q theta_q shape_q, with theta that minimise the weighted error.
  Matrix solve_shapes(const Eigen::Ref<const Matrix>& y, const std::vector<Matrix>& shapes) const;

 private:
  Matrix gram(const Eigen::Ref<const Eigen::Array<double, Eigen::Dynamic, 1>>& is_observed) const;
  void solve_column(const Matrix& H, const Matrix& inverse, const Vector& b, Eigen::Ref<Vector> phi) const;

  Matrix A_;
  Vector offset_, weight_;
  Matrix ridge_;
  bool is_nonnegative_;
};

/// min_x x'Hx - 2 b'x with x >= 0 by coordinate descent, starting from x. A few sweeps lower it, many solve
/// it.
void descend_nonnegative(const Matrix& H, const Vector& b, Eigen::Ref<Vector> x, int max_sweeps = 500);

/// The inverse of a symmetric positive definite matrix, or the pseudo-inverse if it is none to rounding.
Matrix inverse_of_gram(const Matrix& H);

/// Noise over the energy of each trace, both as fitted: what keeps traces of new trials from following noise.
Matrix ridge_of_noise(const Model& model, double squared_error, double n_observed);
/// The same over the observed entries of these trials, and over time points of which something was observed;
/// of each trial as many as the method has looked at.
/// Where signs are free, noise (sum phi phi' / T)^-1, which is the same for any mixture of the components.
Matrix ridge_of_noise(const Model& model, bool is_nonnegative, const TrialSource& trials,
                      Index most_times = std::numeric_limits<Index>::max());

}  // namespace milcci::baselines
