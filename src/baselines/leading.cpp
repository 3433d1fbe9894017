#include "baselines/leading.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <algorithm>

namespace milcci::baselines {

Leading leading_eigenvectors(const Matrix& symmetric, Index n) {
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(symmetric);
  n = std::min(n, symmetric.rows());
  return {eigen.eigenvectors().rightCols(n).rowwise().reverse(),
          eigen.eigenvalues().tail(n).reverse().cwiseMax(0.0)};
}

Leading leading_left_vectors(const Matrix& X, Index n) {
  n = std::min(n, X.rows());
  if (X.rows() <= X.cols()) {
    Matrix gram = Matrix::Zero(X.rows(), X.rows());
    gram.selfadjointView<Eigen::Lower>().rankUpdate(X);
    Leading found = leading_eigenvectors(gram.selfadjointView<Eigen::Lower>(), n);
    found.values = found.values.cwiseSqrt();
    return found;
  }
  const Leading right = leading_eigenvectors(X.transpose() * X, n);
  // X v = sigma u. Where sigma is zero, QR completes the vectors to an orthonormal set.
  Matrix U = Matrix::Zero(X.rows(), n);
  U.leftCols(right.vectors.cols()) = X * right.vectors;
  const Eigen::HouseholderQR<Matrix> qr(U);
  const Matrix R = qr.matrixQR().topRows(n).triangularView<Eigen::Upper>();
  Matrix Q = qr.householderQ() * Matrix::Identity(X.rows(), n);
  for (Index j = 0; j < n; ++j)
    if (R(j, j) < 0) Q.col(j) = -Q.col(j);
  Vector values = Vector::Zero(n);
  values.head(right.values.size()) = right.values.cwiseSqrt();
  return {Q, values};
}

}  // namespace milcci::baselines
