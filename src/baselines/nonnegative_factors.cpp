#include "baselines/nonnegative_factors.hpp"

#include <algorithm>
#include <cmath>

#include "baselines/leading.hpp"
#include "baselines/trace_solver.hpp"

namespace milcci::baselines {
namespace {

// Sweeps over the columns of a factor for one product with the data, which costs far more.
constexpr int kSweeps = 4;

void sweep_often(const Matrix& G, const Matrix& C, Matrix& F) {
  for (int sweep = 0; sweep < kSweeps; ++sweep) sweep_columns(G, C, F);
}

// Rows of F by coordinate descent, X about F other'; every row over its observed columns.
void solve_rows(const Matrix& X, const Matrix& other, Matrix& F) {
  const Matrix all = other.transpose() * other;
  for (Index row = 0; row < X.rows(); ++row) {
    const Vector x = X.row(row).transpose();
    const auto is_missing = x.array().isNaN();
    const Vector c = other.transpose() * is_missing.select(0.0, x.array()).matrix();
    Vector f = F.row(row).transpose();
    if (is_missing.any()) {
      const Vector is_observed = 1.0 - is_missing.cast<double>();
      descend_nonnegative(other.transpose() * is_observed.asDiagonal() * other, c, f, kSweeps);
    } else {
      descend_nonnegative(all, c, f, kSweeps);
    }
    F.row(row) = f.transpose();
  }
}

}  // namespace

void sweep_columns(const Matrix& G, const Matrix& C, Matrix& F) {
  for (Index j = 0; j < F.cols(); ++j)
    if (G(j, j) > 0) F.col(j) = (F.col(j) + (C.col(j) - F * G.col(j)) / G(j, j)).cwiseMax(0.0);
}

FactorPair start_from_singular_vectors(const Matrix& X, Index n_components) {
  const Leading leading = leading_left_vectors(X, n_components);
  const Matrix right = X.transpose() * leading.vectors;  // singular values times right vectors
  FactorPair factors{Matrix::Zero(X.rows(), n_components), Matrix::Zero(X.cols(), n_components)};
  for (Index j = 0; j < leading.vectors.cols(); ++j) {
    const Vector u = leading.vectors.col(j), v = right.col(j);
    if (j == 0) {  // of one sign, if the data are
      factors.left.col(j) = u.cwiseAbs();
      factors.right.col(j) = v.cwiseAbs();
      continue;
    }
    const Vector u_plus = u.cwiseMax(0.0), v_plus = v.cwiseMax(0.0);
    const Vector u_minus = (-u).cwiseMax(0.0), v_minus = (-v).cwiseMax(0.0);
    const bool is_plus = u_plus.norm() * v_plus.norm() >= u_minus.norm() * v_minus.norm();
    factors.left.col(j) = is_plus ? u_plus : u_minus;
    factors.right.col(j) = is_plus ? v_plus : v_minus;
  }
  // Both factors of a component at one length. Zeros would be slow to leave: what is put there makes an entry
  // of about the mean of the data.
  for (Index j = 0; j < n_components; ++j) {
    const double left = factors.left.col(j).norm(), right_length = factors.right.col(j).norm();
    const double balance = left > 0 && right_length > 0 ? std::sqrt(right_length / left) : 1.0;
    factors.left.col(j) *= balance;
    factors.right.col(j) /= balance;
  }
  const double small = std::sqrt(std::max(X.mean(), 0.0) / static_cast<double>(n_components));
  for (Matrix* factor : {&factors.left, &factors.right})
    *factor = (factor->array() > 0).select(*factor, small).eval();
  return factors;
}

FactorPair start_at_random(const Matrix& X, Index n_components, Random& random) {
  const double size = X.array().isNaN().select(0.0, X.array().abs()).mean();
  const double scale = std::sqrt(size / static_cast<double>(n_components));
  FactorPair factors;
  factors.left = scale * random.normal(X.rows(), n_components).cwiseAbs();
  factors.right = scale * random.normal(X.cols(), n_components).cwiseAbs();
  return factors;
}

void alternate_nonnegative(const Matrix& X, Descent& descent, FactorPair& factors) {
  auto& [left, right] = factors;
  const double energy = X.squaredNorm();
  double error = 0;
  do {
    sweep_often(left.transpose() * left, X.transpose() * left, right);
    const Matrix G = right.transpose() * right, C = X * right;
    sweep_often(G, C, left);
    // ||X - left right'||^2 from products that are there already
    error = energy - 2 * left.cwiseProduct(C).sum() + (left.transpose() * left).cwiseProduct(G).sum();
  } while (descent.goes_on(std::max(error, 0.0)));
}

void alternate_nonnegative_observed(const Matrix& X, Descent& descent, FactorPair& factors) {
  auto& [left, right] = factors;
  const Matrix transposed = X.transpose();
  double error = 0;
  do {
    solve_rows(transposed, left, right);
    solve_rows(X, right, left);
    const Matrix rest = X - left * right.transpose();
    error = rest.array().isNaN().select(0.0, rest).squaredNorm();
  } while (descent.goes_on(error));
}

}  // namespace milcci::baselines
