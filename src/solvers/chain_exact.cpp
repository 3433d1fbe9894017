// Chains without a sign constraint: solved directly, by the cheapest of four ways that the problem allows.
#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <cmath>
#include <vector>

#include "milcci/error.hpp"
#include "solvers/chain.hpp"
#include "solvers/pseudo_inverse.hpp"

namespace milcci {
namespace {

// No prior: every time point alone, H_t phi_t = b_t. The pseudo-inverse keeps duplicate or dead components
// finite; where H_t differs from time point to time point it is made only for those that need it.
void solve_points(const ChainProblem& problem, Matrix& phi) {
  constexpr double kLeastPivot = 1e-8;
  if (!problem.has_own()) {
    phi.noalias() = problem.B * pseudo_inverse(problem.H);
    return;
  }
  const Index n_times = problem.n_times(), P = problem.n_components();
  std::vector<unsigned char> is_open(static_cast<std::size_t>(n_times), 1);
  Index n_open = n_times;
  phi.resize(n_times, P);
  if (P <= kMaxOwn)
    n_open = kernels().solve_own(shape_of_columns(n_times, P), problem.own_H.data(), problem.own_H.rows(),
                                 kLeastPivot, problem.B.data(), phi.data(), is_open.data());
  if (n_open == 0) return;
  Matrix H;
  for (Index t = 0; t < n_times; ++t) {
    if (is_open[static_cast<std::size_t>(t)] == 0) continue;
    problem.copy_hessian(t, H);
    phi.row(t) = problem.B.row(t) * pseudo_inverse(H);
  }
}

// One H for all time points and W = I: Phi H + gamma L Phi = B with L the (weighted) second difference. In
// the eigenvectors of H this is P separate tridiagonal systems (lambda_p I + gamma L) psi_p = (B V)_p.
void solve_smooth(const ChainProblem& problem, Matrix& phi) {
  const Index n_times = problem.n_times();
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(problem.H);
  const Vector& value = eigen.eigenvalues();
  Vector laplacian = Vector::Zero(n_times), off(n_times - 1), work;
  for (Index t = 0; t + 1 < n_times; ++t) {
    const double weight = problem.gamma * problem.step_weight(t);
    laplacian(t) += weight;
    laplacian(t + 1) += weight;
    off(t) = -weight;
  }
  Matrix psi = problem.B * eigen.eigenvectors();
  for (Index p = 0; p < psi.cols(); ++p) {
    if (value(p) <= kRankTolerance * value(value.size() - 1)) {
      psi.col(p).setZero();
    } else {
      solve_tridiagonal((laplacian.array() + value(p)).matrix(), off, psi.col(p), work);
    }
  }
  phi.noalias() = psi * eigen.eigenvectors().transpose();
}

// A direction that no channel sees at any time is left open by the data; this ridge decides it to be zero.
double least_ridge(const ChainProblem& problem) {
  return kRankTolerance * (problem.H.trace() + problem.gamma) / static_cast<double>(problem.n_components());
}

[[noreturn]] void refuse_block() {
  throw Error(ErrorKind::numerical, "traces: a block of the smoothing system is not positive definite");
}

// An H for every time point and W = I.
void solve_smooth_own(const ChainProblem& problem, Matrix& phi) {
  const Index n_times = problem.n_times(), P = problem.n_components();
  Vector pull(n_times - 1);
  for (Index t = 0; t + 1 < n_times; ++t) pull(t) = problem.gamma * problem.step_weight(t);
  std::vector<double> work(static_cast<std::size_t>(n_times * P * P));
  phi.resize(n_times, P);
  if (!kernels().smooth_own(shape_of_columns(n_times, P), problem.own_H.data(), problem.own_H.rows(),
                            least_ridge(problem), pull.data(), problem.B.data(), phi.data(), work.data()))
    refuse_block();
}

// Anything else: block tridiagonal Cholesky, P x P blocks. Diagonal block t is
//   H_t + gamma (v_{t-1} I + v_t W'W), the block below it -gamma v_t W.
void solve_blocks(const ChainProblem& problem, Matrix& phi) {
  const Index n_times = problem.n_times(), P = problem.n_components();
  const Matrix identity = Matrix::Identity(P, P);
  const Matrix W = problem.W.size() == 0 ? identity : problem.W;
  const Matrix WtW = W.transpose() * W;
  std::vector<Eigen::LLT<Matrix>> factors(static_cast<std::size_t>(n_times));
  Matrix forward(P, n_times), block;
  for (Index t = 0; t < n_times; ++t) {
    problem.copy_hessian(t, block);
    forward.col(t) = problem.B.row(t).transpose();
    if (t + 1 < n_times) block += problem.gamma * problem.step_weight(t) * WtW;
    if (t > 0) {
      const double weight = problem.gamma * problem.step_weight(t - 1);
      const auto& previous = factors[static_cast<std::size_t>(t - 1)];
      block += weight * identity - weight * weight * (W * previous.solve(W.transpose()));
      forward.col(t) += weight * (W * previous.solve(forward.col(t - 1)));
    }
    block.diagonal().array() += least_ridge(problem);
    factors[static_cast<std::size_t>(t)].compute(block);
    if (factors[static_cast<std::size_t>(t)].info() != Eigen::Success) refuse_block();
  }
  phi.resize(n_times, P);
  Vector x = factors.back().solve(forward.col(n_times - 1));
  phi.row(n_times - 1) = x.transpose();
  for (Index t = n_times - 2; t >= 0; --t) {
    const double weight = problem.gamma * problem.step_weight(t);
    x = factors[static_cast<std::size_t>(t)].solve(forward.col(t) + weight * (W.transpose() * x));
    phi.row(t) = x.transpose();
  }
}

}  // namespace

void solve_chain(const ChainProblem& problem, Matrix& phi) {
  if (problem.gamma <= 0 || problem.n_times() == 1) {
    solve_points(problem, phi);
  } else if (!problem.has_own() && problem.W.size() == 0) {
    solve_smooth(problem, phi);
  } else if (problem.W.size() == 0 && problem.n_components() <= kMaxComponents) {
    solve_smooth_own(problem, phi);
  } else {
    solve_blocks(problem, phi);
  }
}

}  // namespace milcci
