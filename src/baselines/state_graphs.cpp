#include "baselines/state_graphs.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "util/percentile.hpp"

namespace milcci::baselines {
namespace {

// exp(-d^2 / median d^2) where `is_joined`, rows scaled to sum one.
Matrix kernel(const Matrix& squared_distances, const Matrix& is_joined) {
  std::vector<double> joined;
  for (Index i = 0; i < is_joined.size(); ++i)
    if (is_joined.data()[i] > 0) joined.push_back(squared_distances.data()[i]);
  if (joined.empty()) return Matrix::Zero(is_joined.rows(), is_joined.cols());
  const double median = percentile(joined, 0.5), width = median > 0 ? median : 1.0;
  Matrix graph = (-squared_distances.array() / width).exp() * is_joined.array();
  for (Index i = 0; i < graph.rows(); ++i) {
    const double sum = graph.row(i).sum();
    if (sum > 0) graph.row(i) /= sum;
  }
  return graph;
}

}  // namespace

Matrix channel_graph(const Matrix& products, int n_neighbours) {
  const Index N = products.rows();
  const Vector energy = products.diagonal();
  const Matrix squared = ((-2.0 * products).colwise() + energy).rowwise() + energy.transpose();
  Matrix is_joined = Matrix::Zero(N, N);
  const auto n_nearest = std::min<std::size_t>(static_cast<std::size_t>(n_neighbours),
                                               static_cast<std::size_t>(std::max<Index>(N - 1, 0)));
  for (Index n = 0; n < N; ++n) {
    std::vector<Index> others;
    for (Index i = 0; i < N; ++i)
      if (i != n) others.push_back(i);
    std::stable_sort(others.begin(), others.end(),
                     [&](Index a, Index b) { return squared(n, a) < squared(n, b); });
    for (std::size_t i = 0; i < n_nearest; ++i) is_joined(n, others[i]) = is_joined(others[i], n) = 1;
  }
  return kernel(squared.cwiseMax(0.0), is_joined);
}

Matrix state_graph(const std::vector<Matrix>& products) {
  const auto D = static_cast<Index>(products.size());
  Matrix squared = Matrix::Zero(D, D);
  for (Index d = 0; d < D; ++d)
    for (Index e = 0; e < d; ++e) {
      const Matrix &a = products[static_cast<std::size_t>(d)], &b = products[static_cast<std::size_t>(e)];
      squared(d, e) = squared(e, d) =
          (a / std::max(a.norm(), 1e-300) - b / std::max(b.norm(), 1e-300)).squaredNorm();
    }
  return kernel(squared, Matrix::Ones(D, D) - Matrix::Identity(D, D));
}

}  // namespace milcci::baselines
