#include "solvers/pseudo_inverse.hpp"

#include <Eigen/Eigenvalues>

namespace milcci {

Matrix pseudo_inverse(const Matrix& H) {
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(H);
  const Vector& value = eigen.eigenvalues();
  const double floor = kRankTolerance * value(value.size() - 1);
  const Vector inverse = value.unaryExpr([floor](double x) { return x > floor ? 1.0 / x : 0.0; });
  return eigen.eigenvectors() * inverse.asDiagonal() * eigen.eigenvectors().transpose();
}

}  // namespace milcci
