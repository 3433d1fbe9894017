#include "baselines/state_graphs.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "util/percentile.hpp"

namespace milcci::baselines {
namespace {

// The s^2 of exp(-d^2 / s^2): the median, or one where that is zero.
double width_of(const std::vector<double>& squared_distances) {
  const double median = squared_distances.empty() ? 0 : percentile(squared_distances, 0.5);
  return median > 0 ? median : 1;
}

// Every channel's nearest, and whose nearest it is; equally near ones by their numbers.
std::vector<std::vector<Index>> neighbours_of(const Matrix& squared, int n_neighbours) {
  const Index N = squared.rows();
  const Index n_nearest = std::min<Index>(n_neighbours, N - 1);
  std::vector<std::vector<Index>> joined(static_cast<std::size_t>(N));
  std::vector<Index> others;
  for (Index n = 0; n < N; ++n) {
    others.clear();
    for (Index i = 0; i < N; ++i)
      if (i != n) others.push_back(i);
    std::partial_sort(others.begin(), others.begin() + n_nearest, others.end(), [&](Index a, Index b) {
      return squared(a, n) < squared(b, n) || (squared(a, n) == squared(b, n) && a < b);
    });
    for (Index i = 0; i < n_nearest; ++i) {
      const Index other = others[static_cast<std::size_t>(i)];
      joined[static_cast<std::size_t>(n)].push_back(other);
      joined[static_cast<std::size_t>(other)].push_back(n);
    }
  }
  for (std::vector<Index>& of_channel : joined) {
    std::sort(of_channel.begin(), of_channel.end());
    of_channel.erase(std::unique(of_channel.begin(), of_channel.end()), of_channel.end());
  }
  return joined;
}

}  // namespace

ChannelGraph channel_graph(const Matrix& products, int n_neighbours) {
  const Index N = products.rows();
  const Vector energy = products.diagonal();
  const Matrix squared =
      (((-2.0 * products).colwise() + energy).rowwise() + energy.transpose()).cwiseMax(0.0);
  const std::vector<std::vector<Index>> joined = neighbours_of(squared, n_neighbours);
  std::vector<double> distances;
  for (Index n = 0; n < N; ++n)
    for (const Index i : joined[static_cast<std::size_t>(n)]) distances.push_back(squared(i, n));
  const double width = width_of(distances);
  std::vector<Eigen::Triplet<double>> entries;
  for (Index n = 0; n < N; ++n) {
    const std::vector<Index>& neighbours = joined[static_cast<std::size_t>(n)];
    double sum = 0;
    for (const Index i : neighbours) sum += std::exp(-squared(i, n) / width);
    if (!(sum > 0)) continue;
    for (const Index i : neighbours)
      entries.emplace_back(static_cast<int>(n), static_cast<int>(i), std::exp(-squared(i, n) / width) / sum);
  }
  ChannelGraph graph(N, N);
  graph.setFromTriplets(entries.begin(), entries.end());
  return graph;
}

Matrix state_graph(const Matrix& inner) {
  const Index D = inner.rows();
  const auto is_zero = [&](Index d) { return !(inner(d, d) > 0); };
  Matrix squared = Matrix::Zero(D, D);
  std::vector<double> distances;
  for (Index d = 0; d < D; ++d)
    for (Index e = 0; e < d; ++e) {
      double distance = is_zero(d) == is_zero(e) ? 0 : 1;
      if (!is_zero(d) && !is_zero(e))
        distance = std::max(0.0, 2 - 2 * inner(d, e) / std::sqrt(inner(d, d) * inner(e, e)));
      squared(d, e) = squared(e, d) = distance;
      distances.push_back(distance);
    }
  Matrix graph = (-squared / width_of(distances)).array().exp();
  graph.diagonal().setZero();
  for (Index d = 0; d < D; ++d)
    if (const double sum = graph.row(d).sum(); sum > 0) graph.row(d) /= sum;
  return graph;
}

}  // namespace milcci::baselines
