#include "fit/dynamics.hpp"

#include <Eigen/Eigenvalues>

namespace milcci {

Matrix best_transition(const Matrix& phi, double gamma5) {
  const Index P = phi.cols(), steps = phi.rows() - 1;
  const Matrix identity = Matrix::Identity(P, P);
  if (steps < 1) return identity;
  const auto now = phi.bottomRows(steps), before = phi.topRows(steps);
  const Matrix cross = now.transpose() * before + gamma5 * identity;
  const Matrix gram = before.transpose() * before + gamma5 * identity;
  // Solved for W - I, with a pseudo-inverse: directions the traces never take stay the identity.
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(gram);
  const double floor = 1e-12 * eigen.eigenvalues()(P - 1);
  const Vector inverse =
      eigen.eigenvalues().unaryExpr([floor](double x) { return x > floor ? 1.0 / x : 0.0; });
  return identity +
         (cross - gram) * eigen.eigenvectors() * inverse.asDiagonal() * eigen.eigenvectors().transpose();
}

}  // namespace milcci
