#include "label_graphs/graph.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

namespace milcci {
namespace {

// Kernel values below this are cut to zero, so that graphs with hundreds of options (trial numbers) are
// sparse.
constexpr double kNegligible = 1e-6;

Vector distances(Distance kind, const Matrix& values, const Eigen::RowVectorXd& point) {
  const Matrix difference = values.rowwise() - point;
  switch (kind) {
    case Distance::manhattan:
      return difference.rowwise().lpNorm<1>();
    case Distance::maximum:
      return difference.rowwise().lpNorm<Eigen::Infinity>();
    case Distance::euclidean:
      break;
  }
  return difference.rowwise().norm();
}

double median(std::vector<double> x) {
  std::sort(x.begin(), x.end());
  const std::size_t half = x.size() / 2;
  return x.size() % 2 == 1 ? x[half] : 0.5 * (x[half - 1] + x[half]);
}

// Similarities of one point to all options, zero below `least`: among thousands of options most are far, and
// are not worth an exponential. The paper prints the Gaussian kernel without its minus sign; a similarity
// must fall with the distance, so it is restored here.
Vector similarities(const CategorySpec& spec, const Matrix& values, const Eigen::RowVectorXd& point,
                    double width, int skip, double least) {
  const Index n = values.rows();
  const Vector distance = distances(spec.distance, values, point);
  const auto exponential = [log_least = std::log(least)](double x) {
    return x < log_least ? 0.0 : std::exp(x);
  };
  switch (spec.kernel) {
    case Kernel::gaussian:
      return (-0.5 * (distance / width).array().square()).unaryExpr(exponential);
    case Kernel::exponential:
      return (-distance / width).unaryExpr(exponential);
    case Kernel::inverse: {
      const Vector similarity = 1.0 / (1.0 + distance.array() / width);
      return (similarity.array() < least).select(0.0, similarity);
    }
    case Kernel::nearest:
      break;
  }
  std::vector<Index> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return distance(a) < distance(b); });
  std::erase(order, Index{skip});
  Vector weight = Vector::Zero(n);
  for (std::size_t r = 0; r < std::min(order.size(), static_cast<std::size_t>(spec.neighbours)); ++r)
    weight(order[r]) = 1.0;
  return weight;
}

void normalise_rows(Matrix& graph) {
  Vector sums = Vector::Zero(graph.rows());
  for (Index j = 0; j < graph.cols(); ++j) sums += graph.col(j).cwiseAbs();  // columns are contiguous
  graph.array().colwise() /= (sums.array() > 0).select(sums, 1.0).array();
}

}  // namespace

double default_width(const CategorySpec& spec, const Matrix& values) {
  if (values.rows() < 2) return 1.0;
  std::vector<double> gaps;
  if (values.cols() == 1) {
    std::vector<double> sorted(values.data(), values.data() + values.rows());
    std::sort(sorted.begin(), sorted.end());
    for (std::size_t i = 1; i < sorted.size(); ++i) gaps.push_back(sorted[i] - sorted[i - 1]);
  } else {
    for (Index i = 0; i < values.rows(); ++i) {
      Vector distance = distances(spec.distance, values, values.row(i));
      distance(i) = std::numeric_limits<double>::infinity();
      gaps.push_back(distance.minCoeff());
    }
  }
  const double width = median(gaps);
  return width > 0 ? width : 1.0;
}

Matrix label_graph(const CategorySpec& spec, int n_options, const Matrix& values) {
  Matrix graph = Matrix::Zero(n_options, n_options);
  switch (spec.kind) {
    case CategoryKind::categorical:
      graph.setOnes();
      break;
    case CategoryKind::ordinal:
    case CategoryKind::trial_number: {
      const double width = spec.width.value_or(default_width(spec, values));
      for (int i = 0; i < n_options; ++i)  // a column at a time is a contiguous one
        graph.col(i) = similarities(spec, values, values.row(i), width, i, kNegligible);
      graph.transposeInPlace();
      break;
    }
    case CategoryKind::graph:
      graph = spec.graph;
      break;
    case CategoryKind::fixed:
    case CategoryKind::free:
      break;
  }
  graph.diagonal().setZero();
  normalise_rows(graph);
  return graph;
}

Vector kernel_weights(const CategorySpec& spec, const Matrix& values, const Eigen::RowVectorXd& point) {
  Vector weight =
      similarities(spec, values, point, spec.width.value_or(default_width(spec, values)), -1, 0.0);
  // Far outside the known range every kernel value can underflow: the nearest option then stands alone.
  if (!(weight.sum() > 1e-12)) {
    Index nearest = 0;
    distances(spec.distance, values, point).minCoeff(&nearest);
    weight.setZero();
    weight(nearest) = 1.0;
  }
  return weight / weight.sum();
}

}  // namespace milcci
