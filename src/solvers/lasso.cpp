#include "solvers/lasso.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "kernels/kernels.hpp"
#include "solvers/pseudo_inverse.hpp"

namespace milcci {
namespace {

double soft_threshold(double x, double threshold, bool is_nonnegative) {
  if (x > threshold) return x - threshold;
  if (x < -threshold && !is_nonnegative) return x + threshold;
  return 0.0;
}

}  // namespace

void lasso_rows(const Matrix& G, const Eigen::Ref<const Matrix>& R, const Eigen::Ref<const Vector>& l1,
                const LassoOptions& options, Eigen::Ref<Matrix> A) {
  if (!options.is_nonnegative && (l1.array() == 0).all()) {
    A = R * pseudo_inverse(G);  // plain least squares
    return;
  }
  if (G.rows() > kMaxComponents) {
    for (Index n = 0; n < A.rows(); ++n) {
      Vector a = A.row(n).transpose();
      lasso_row(G, R.row(n).transpose(), l1, options, a);
      A.row(n) = a.transpose();
    }
    return;
  }
  const Shape shape{
      .n_channels = 0, .n_times = A.rows(), .n_components = G.rows(), .stride = A.outerStride()};
  const auto solve = options.is_nonnegative ? kernels().nonnegative_lasso_points : kernels().lasso_points;
  solve(shape, G.data(), l1.data(), 0.0, {options.tolerance, options.max_sweeps}, R.data(), A.data());
}

void lasso_rows_of_own(const Matrix& G, const Eigen::Ref<const Vector>& extra, const Matrix& R,
                       const Eigen::Ref<const Vector>& l1, const LassoOptions& options,
                       Eigen::Ref<Matrix> A) {
  const Index p = A.cols();
  if (p > kMaxComponents) {
    Matrix own(p, p);
    for (Index n = 0; n < A.rows(); ++n) {
      for (Index j = 0; j < p; ++j)
        for (Index l = 0; l < p; ++l) own(j, l) = G(n, packed_index(j, l)) + (j == l ? extra(j) : 0.0);
      Vector a = A.row(n).transpose();
      lasso_row(own, R.row(n).transpose(), l1, options, a);
      A.row(n) = a.transpose();
    }
    return;
  }
  const Shape shape{.n_channels = 0, .n_times = A.rows(), .n_components = p, .stride = A.outerStride()};
  const auto solve = options.is_nonnegative ? kernels().nonnegative_lasso_own : kernels().lasso_own;
  solve(shape, G.data(), G.rows(), extra.data(), l1.data(), {options.tolerance, options.max_sweeps}, R.data(),
        A.data());
}

void lasso_row(const Matrix& G, const Vector& r, const Eigen::Ref<const Vector>& l1,
               const LassoOptions& options, Vector& a) {
  for (int sweep = 0; sweep < options.max_sweeps; ++sweep) {
    double moved = 0.0, largest = 0.0;
    for (Index j = 0; j < a.size(); ++j) {
      const double before = a(j);
      a(j) = 0.0;
      if (G(j, j) > 0)
        a(j) = soft_threshold(r(j) - G.col(j).dot(a), 0.5 * l1(j), options.is_nonnegative) / G(j, j);
      moved = std::max(moved, std::abs(a(j) - before));
      largest = std::max(largest, std::abs(a(j)));
    }
    if (moved <= options.tolerance * largest) return;
  }
}

double best_shift(double quadratic, double linear, const Vector& a, const Vector& l1, bool is_nonnegative) {
  if (is_nonnegative) return std::max(-a.minCoeff(), -(linear + 0.5 * l1.sum()) / quadratic);
  // Half the derivative, quadratic x + linear + sum l1/2 sign(a + x), rises with x and jumps at x = -a_i:
  // walk the breakpoints upwards until it changes sign.
  std::vector<Index> order(static_cast<std::size_t>(a.size()));
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<Index>(i);
  std::sort(order.begin(), order.end(), [&](Index i, Index j) { return a(i) > a(j); });
  double pull = linear - 0.5 * l1.sum();  // left of every breakpoint
  for (const Index i : order) {
    const double breakpoint = -a(i), root = -pull / quadratic;
    if (root <= breakpoint) return root;
    pull += l1(i);
    if (quadratic * breakpoint + pull >= 0) return breakpoint;
  }
  return -pull / quadratic;
}

}  // namespace milcci
