// Chains with phi >= 0: exact minimisation over one whole trace at a time, the others held.
//
// For trace j the problem is tridiagonal in time:
//   diagonal_t = H_t,jj + gamma (v_{t-1} + v_t (W'W)_jj),   off_t = -gamma v_t W_jj
//   rhs_t = b_tj - sum_{l != j} [(H_t + gamma v_t W'W)_jl phi_tl - gamma v_{t-1} W_jl phi_{t-1,l} - gamma v_t
//   W_lj phi_{t+1,l}]
// Without a prior it is diagonal and all time points are done at once.
#include <algorithm>
#include <cmath>

#include "solvers/chain.hpp"

namespace milcci {
namespace {

// rhs and diagonal of trace j without the prior.
void data_part(const ChainProblem& problem, Index j, const Matrix& phi, ChainWork& work) {
  if (!problem.has_own()) {
    work.rhs.noalias() = problem.B.col(j) - phi * problem.H.col(j);
    work.rhs += problem.H(j, j) * phi.col(j);
    work.diagonal.setConstant(phi.rows(), problem.H(j, j));
    return;
  }
  work.rhs = problem.B.col(j);
  work.diagonal = problem.own(j, j);
  for (Index l = 0; l < phi.cols(); ++l)
    if (l != j) work.rhs.array() -= problem.own(j, l).array() * phi.col(l).array();
}

void add_smoothness(const ChainProblem& problem, ChainWork& work) {
  const Index steps = work.rhs.size() - 1;
  work.off.resize(steps);
  for (Index t = 0; t < steps; ++t) {
    const double weight = problem.gamma * problem.step_weight(t);
    work.off(t) = -weight;
    work.diagonal(t) += weight;
    work.diagonal(t + 1) += weight;
  }
}

void add_dynamics(const ChainProblem& problem, Index j, const Matrix& phi, ChainWork& work) {
  const Index steps = work.rhs.size() - 1;
  const Matrix& W = problem.W;
  Vector inner = W.transpose() * W.col(j), incoming = W.row(j).transpose(), outgoing = W.col(j);
  const double own = inner(j), self = W(j, j);
  inner(j) = incoming(j) = outgoing(j) = 0.0;
  work.off.resize(steps);
  work.ahead.noalias() = phi.bottomRows(steps) * outgoing;
  work.ahead.noalias() -= phi.topRows(steps) * inner;
  work.behind.noalias() = phi.topRows(steps) * incoming;
  for (Index t = 0; t < steps; ++t) {
    const double weight = problem.gamma * problem.step_weight(t);
    work.off(t) = -weight * self;
    work.diagonal(t) += weight * own;
    work.diagonal(t + 1) += weight;
    work.rhs(t) += weight * work.ahead(t);
    work.rhs(t + 1) += weight * work.behind(t);
  }
}

// A falling trace (W_jj < 0) does not give an M-matrix: one pass of exact steps over single time points
// instead.
void sweep_points(const ChainWork& work, Eigen::Ref<Vector> x) {
  const Index n = x.size();
  for (Index t = 0; t < n; ++t) {
    double pull = work.rhs(t);
    if (t > 0) pull -= work.off(t - 1) * x(t - 1);
    if (t + 1 < n) pull -= work.off(t) * x(t + 1);
    x(t) = std::max(0.0, pull / work.diagonal(t));
  }
}

// Every time point has an H of its own, and no prior ties it to the next.
int solve_own_points(const ChainProblem& problem, const ChainOptions& options, Matrix& phi) {
  Vector weights = problem.H.diagonal();
  for (Index j = 0; j < weights.size(); ++j)
    if (problem.is_dead(j)) weights(j) = 0.0;
  int sweep = 0;
  while (sweep < options.max_sweeps) {
    ++sweep;
    const auto [moved, length] =
        kernels().nonnegative_sweep(shape_of_columns(phi.rows(), phi.cols()), problem.own_H.data(),
                                    problem.own_H.rows(), weights.data(), problem.B.data(), phi.data());
    if (moved <= options.tolerance * options.tolerance * length) break;
  }
  return sweep;
}

}  // namespace

void solve_trace_nonnegative(const ChainProblem& problem, Index j, const TracePull& pull, Matrix& phi,
                             ChainWork& work) {
  const bool has_prior = problem.gamma > 0 && problem.n_times() > 1;
  const bool is_dynamic = problem.W.size() > 0;
  data_part(problem, j, phi, work);
  if (pull.weight > 0) work.diagonal.array() += pull.weight;
  if (pull.rhs.size() > 0) work.rhs += pull.rhs;
  if (!has_prior) {
    // Where no channel of the component is observed the diagonal is zero, and so is the trace.
    phi.col(j) = (work.diagonal.array() > 0).select((work.rhs.array() / work.diagonal.array()).max(0.0), 0.0);
    return;
  }
  is_dynamic ? add_dynamics(problem, j, phi, work) : add_smoothness(problem, work);
  if (!is_dynamic || problem.W(j, j) >= 0) {
    work.tridiagonal.resize(static_cast<std::size_t>(phi.cols()));
    const bool repeats = !problem.has_own() && problem.step_weights.size() == 0;  // else nothing is kept
    solve_tridiagonal_nonnegative(work.diagonal, work.off, work.rhs, phi.col(j),
                                  work.tridiagonal[repeats ? static_cast<std::size_t>(j) : 0]);
  } else {
    sweep_points(work, phi.col(j));
  }
}

int solve_chain_nonnegative(const ChainProblem& problem, const ChainOptions& options, Matrix& phi,
                            ChainWork& work) {
  const bool has_prior = problem.gamma > 0 && problem.n_times() > 1;
  if (!has_prior && problem.has_own() && problem.n_components() <= kMaxComponents)
    return solve_own_points(problem, options, phi);
  const TracePull none;
  int sweep = 0;
  while (sweep < options.max_sweeps) {
    ++sweep;
    double moved = 0.0, length = 0.0;
    for (Index j = 0; j < problem.n_components(); ++j) {
      if (problem.is_dead(j)) {
        phi.col(j).setZero();
        continue;
      }
      work.before = phi.col(j);
      solve_trace_nonnegative(problem, j, none, phi, work);
      moved += problem.H(j, j) * (phi.col(j) - work.before).squaredNorm();
      length += problem.H(j, j) * phi.col(j).squaredNorm();
    }
    if (moved <= options.tolerance * options.tolerance * length) break;
  }
  return sweep;
}

}  // namespace milcci
