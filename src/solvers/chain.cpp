#include "solvers/chain.hpp"

namespace milcci {
namespace {

// Rows t of the result: phi_{t+1} - W phi_t, T - 1 x P.
Matrix innovations(const ChainProblem& problem, const Matrix& phi) {
  const Index steps = phi.rows() - 1;
  if (problem.W.size() == 0) return phi.bottomRows(steps) - phi.topRows(steps);
  return phi.bottomRows(steps) - phi.topRows(steps) * problem.W.transpose();
}

}  // namespace

void ChainProblem::copy_hessian(Index t, Matrix& to) const {
  to = H;
  if (!has_own()) return;
  for (Index j = 0; j < H.rows(); ++j)
    for (Index l = 0; l <= j; ++l) to(j, l) = to(l, j) = own_H(t, packed_index(j, l));
}

Matrix ChainProblem::hessian(Index t) const {
  Matrix result;
  copy_hessian(t, result);
  return result;
}

Vector prior_energy(const ChainProblem& problem, const Matrix& phi) {
  if (phi.rows() < 2) return Vector::Zero(phi.cols());
  const Matrix squares = innovations(problem, phi).cwiseAbs2();
  if (problem.step_weights.size() == 0) return squares.colwise().sum().transpose();
  return squares.transpose() * problem.step_weights;
}

ChainObjective chain_objective(const ChainProblem& problem, const Matrix& phi) {
  ChainObjective f;
  if (problem.has_own()) {
    f.data = kernels().quadratic_form(shape_of_columns(phi.rows(), phi.cols()), problem.own_H.data(),
                                      problem.own_H.rows(), phi.data());
  } else {
    f.data = (phi * problem.H).cwiseProduct(phi).sum();
  }
  f.data -= 2.0 * problem.B.cwiseProduct(phi).sum();
  f.ridge = problem.ridge.is_common() ? problem.ridge(0) * phi.squaredNorm()
                                      : problem.ridge.dot(phi.colwise().squaredNorm().transpose());
  f.data -= f.ridge;
  if (problem.gamma > 0) f.prior = problem.gamma * prior_energy(problem, phi).sum();
  return f;
}

Matrix chain_gradient(const ChainProblem& problem, const Matrix& phi) {
  Matrix gradient(phi.rows(), phi.cols());
  Matrix H;
  for (Index t = 0; t < phi.rows(); ++t) {
    problem.copy_hessian(t, H);
    gradient.row(t) = phi.row(t) * H;
  }
  gradient -= problem.B;
  if (problem.gamma > 0 && phi.rows() > 1) {
    Matrix step = problem.gamma * innovations(problem, phi);
    if (problem.step_weights.size() > 0) step = problem.step_weights.asDiagonal() * step;
    const Index steps = step.rows();
    gradient.bottomRows(steps) += step;
    if (problem.W.size() == 0) {
      gradient.topRows(steps) -= step;
    } else {
      gradient.topRows(steps) -= step * problem.W;
    }
  }
  return gradient;
}

}  // namespace milcci
