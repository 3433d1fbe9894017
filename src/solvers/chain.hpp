// Quadratic problems over a chain of time points: what the traces of one trial solve.
//
//   f(Phi) = sum_t phi_t' H_t phi_t - 2 b_t' phi_t
//          + gamma sum_{t >= 2} v_{t-1} || phi_t - W phi_{t-1} ||^2
//          + sum_t sum_j ridge_j phi_tj^2
//
// paper eq. (3) without its decorrelation term (W = I: smoothness), and the linear-dynamics prior of the
// appendix (W given). H_t = A' A over the channels observed at t; b_t = A' y_t over the same. Traces are kept
// T x P, so that one trace is contiguous in memory.
#pragma once

#include "kernels/kernels.hpp"
#include "milcci/types.hpp"
#include "solvers/tridiagonal.hpp"
#include "util/per_component.hpp"

namespace milcci {

struct ChainProblem {
  Matrix H;             ///< P x P, of a time point at which every channel counts
  Matrix own_H;         ///< padded(T) x packed_size(P), H_t in row t; empty if every H_t is H
  Matrix B;             ///< T x P
  double gamma = 0;     ///< weight of the prior over time
  PerComponent ridge;   ///< already on the diagonals of H and own_H
  Vector step_weights;  ///< v, T - 1 numbers, or empty: all one
  Matrix W;             ///< P x P, or empty: the identity

  Index n_times() const { return B.rows(); }
  Index n_components() const { return B.cols(); }
  bool has_own() const { return own_H.size() > 0; }
  /// H_t(j, l) over all time points, T numbers. Only if has_own().
  auto own(Index j, Index l) const { return own_H.col(packed_index(j, l)).head(n_times()); }
  /// H_t, P x P.
  void copy_hessian(Index t, Matrix& to) const;
  Matrix hessian(Index t) const;
  /// No channel belongs to component j.
  bool is_dead(Index j) const { return !(H(j, j) > ridge(j)); }
  double step_weight(Index t) const { return step_weights.size() == 0 ? 1.0 : step_weights(t); }
};

/// sum_t v_{t-1} (phi_t - W phi_{t-1})^2, one number per row of the residual (component).
Vector prior_energy(const ChainProblem& problem, const Matrix& phi);
/// f(phi), split into its data part, its prior and its ridge.
struct ChainObjective {
  double data = 0, prior = 0, ridge = 0;
};
ChainObjective chain_objective(const ChainProblem& problem, const Matrix& phi);
/// Half the gradient of f, T x P.
Matrix chain_gradient(const ChainProblem& problem, const Matrix& phi);

/// The minimiser; of least norm per time point where gamma = 0 leaves it open.
void solve_chain(const ChainProblem& problem, Matrix& phi);

struct ChainWork {
  Vector diagonal, off, rhs, before, ahead, behind;
  std::vector<TridiagonalWork> tridiagonal;  ///< one per trace; where rows differ, one for all
};
struct ChainOptions {
  /// Stop when a sweep moved the traces by less than this share of their length.
  double tolerance = 1e-6;
  int max_sweeps = 100;
};
/// weight ||x||^2 - 2 rhs . x, added to the problem of one trace x.
struct TracePull {
  double weight = 0;
  Vector rhs;  ///< T numbers, or empty: zero
};
/// The trace j >= 0 that minimises f + `pull` while the others are fixed, starting from phi's
/// column j. Leaves minus half the slope at x = 0 in work.rhs. (With W_jj < 0: one sweep over its
/// time points.)
void solve_trace_nonnegative(const ChainProblem& problem, Index j, const TracePull& pull, Matrix& phi,
                             ChainWork& work);

/// The minimiser with phi >= 0, from phi: exact minimisation over one trace after another. Returns
/// the number of sweeps.
int solve_chain_nonnegative(const ChainProblem& problem, const ChainOptions& options, Matrix& phi,
                            ChainWork& work);

}  // namespace milcci
