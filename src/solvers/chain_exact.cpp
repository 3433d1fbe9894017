// Chains without a sign constraint: solved directly, by the cheapest of four ways that the problem allows.
#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <cmath>
#include <limits>
#include <utility>
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
  Vector laplacian = Vector::Zero(n_times), off(n_times - 1), diagonal;
  TridiagonalSolver solver;
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
      diagonal = laplacian.array() + value(p);
      solver.set_matrix(diagonal, off);
      solver.solve(0, n_times - 1, psi.col(p));
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
struct Factor {
  Matrix lower;     // L_t
  Matrix coupling;  // L_t^-1 gamma v_t W'
};

// The factors of all time points. Where nothing changes from one to the next they soon settle (as Kalman
// gains do), and one serves for the rest.
struct Factors {
  std::vector<Factor> distinct;
  std::vector<std::size_t> of_time;
  const Factor& at(Index t) const { return distinct[of_time[static_cast<std::size_t>(t)]]; }
};

Factors factorise(const ChainProblem& problem, const Matrix& W) {
  constexpr double kSettled = 4 * std::numeric_limits<double>::epsilon();
  const Index n_times = problem.n_times(), P = problem.n_components();
  const Matrix WtW = W.transpose() * W;
  const double ridge = least_ridge(problem);
  const auto weight = [&](Index t) {
    return t >= 0 && t + 1 < n_times ? problem.gamma * problem.step_weight(t) : 0.0;
  };
  Factors factors;
  Matrix block, last = Matrix::Zero(P, P);
  bool has_settled = false;
  for (Index t = 0; t < n_times; ++t) {
    const bool is_like_last = t > 1 &&
                              (!problem.has_own() || problem.own_H.row(t) == problem.own_H.row(t - 1)) &&
                              weight(t) == weight(t - 1) && weight(t - 1) == weight(t - 2);
    if (!(is_like_last && has_settled)) {
      problem.copy_hessian(t, block);
      block += weight(t) * WtW;
      block.diagonal().array() += weight(t - 1) + ridge;
      if (t > 0) block.noalias() -= factors.at(t - 1).coupling.transpose() * factors.at(t - 1).coupling;
      has_settled = is_like_last && (block - last).cwiseAbs().maxCoeff() <= kSettled * block.trace();
      last = block;
      const Eigen::LLT<Eigen::Ref<Matrix>> cholesky(block);
      if (cholesky.info() != Eigen::Success) refuse_block();
      Factor factor{block, weight(t) * W.transpose()};
      factor.lower.triangularView<Eigen::Lower>().solveInPlace(factor.coupling);
      factors.distinct.push_back(std::move(factor));
    }
    factors.of_time.push_back(factors.distinct.size() - 1);
  }
  return factors;
}

void solve_blocks(const ChainProblem& problem, Matrix& phi) {
  const Index n_times = problem.n_times(), P = problem.n_components();
  const Factors factors = factorise(problem, problem.W.size() == 0 ? Matrix::Identity(P, P) : problem.W);
  Matrix x = problem.B.transpose();  // a time point is contiguous
  for (Index t = 0; t < n_times; ++t) {
    if (t > 0) x.col(t).noalias() += factors.at(t - 1).coupling.transpose() * x.col(t - 1);
    factors.at(t).lower.triangularView<Eigen::Lower>().solveInPlace(x.col(t));
  }
  for (Index t = n_times - 1; t >= 0; --t) {
    if (t + 1 < n_times) x.col(t).noalias() += factors.at(t).coupling * x.col(t + 1);
    factors.at(t).lower.triangularView<Eigen::Lower>().transpose().solveInPlace(x.col(t));
  }
  phi = x.transpose();
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
