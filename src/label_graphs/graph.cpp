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

Vector distances(const CategorySpec& spec, const Matrix& values, const Eigen::RowVectorXd& point) {
  Matrix difference = values.rowwise() - point;
  if (spec.kind == CategoryKind::circular) {
    // The shorter way round.
    const double period = spec.period.value_or(static_cast<double>(spec.order.size()));
    difference = difference.unaryExpr([&](double d) { return std::remainder(d, period); });
  }
  switch (spec.distance) {
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

// The paper prints the Gaussian kernel without its minus sign; a similarity must fall with the distance, so
// it is restored here. Zero below `least`: among thousands of options most are far, and are not worth an
// exponential.
double similarity(Kernel kernel, double distance, double width, double least) {
  const auto exponential = [least](double x) { return least > 0 && x < std::log(least) ? 0.0 : std::exp(x); };
  const double widths = distance / width;
  switch (kernel) {
    case Kernel::gaussian:
      return exponential(-0.5 * (widths * widths));
    case Kernel::exponential:
      return exponential(-widths);
    case Kernel::inverse:
    case Kernel::nearest:
      break;
  }
  const double similarity = 1.0 / (1.0 + widths);
  return similarity < least ? 0.0 : similarity;
}

using Row = std::vector<LabelGraph::Neighbour>;

// The options among `candidates` that are like one at these distances, by ascending option. The `nearest`
// kernel takes the first of those that are equally near.
Row like(const CategorySpec& spec, double width, double least, Row candidates) {
  if (spec.kernel == Kernel::nearest) {
    std::ranges::stable_sort(candidates, {}, &LabelGraph::Neighbour::weight);
    candidates.resize(std::min(candidates.size(), static_cast<std::size_t>(spec.neighbours)));
    for (LabelGraph::Neighbour& other : candidates) other.weight = 1.0;
  } else {
    for (LabelGraph::Neighbour& other : candidates)
      other.weight = similarity(spec.kernel, other.weight, width, least);
    std::erase_if(candidates, [](const LabelGraph::Neighbour& other) { return !(other.weight > 0); });
  }
  std::ranges::sort(candidates, {}, &LabelGraph::Neighbour::option);
  return candidates;
}

// All options but `skip` with their distances to a point.
Row at_distances(const CategorySpec& spec, const Matrix& values, const Eigen::RowVectorXd& point, int skip) {
  const Vector distance = distances(spec, values, point);
  Row all;
  for (int i = 0; i < static_cast<int>(distance.size()); ++i)
    if (i != skip) all.push_back({i, distance(i)});
  return all;
}

// Values of one column: from every option outwards along the order of the values, until options are too far
// to be alike.
std::vector<Row> rows_in_order(const CategorySpec& spec, const Matrix& values, double width) {
  const auto n = static_cast<int>(values.rows());
  std::vector<int> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, {}, [&](int i) { return values(i, 0); });
  std::vector<Row> rows(order.size());
  for (int position = 0; position < n; ++position) {
    const int i = order[static_cast<std::size_t>(position)];
    Row& row = rows[static_cast<std::size_t>(i)];
    for (const int step : {-1, 1}) {
      int n_met = 0;
      double last = -1.0;
      for (int at = position + step; at >= 0 && at < n; at += step, ++n_met) {
        const int other = order[static_cast<std::size_t>(at)];
        const double distance = std::abs(values(other, 0) - values(i, 0));
        const bool is_too_far = spec.kernel == Kernel::nearest
                                    ? n_met >= spec.neighbours && distance > last  // ties are all candidates
                                    : !(similarity(spec.kernel, distance, width, kNegligible) > 0);
        if (is_too_far) break;
        row.push_back({other, distance});
        last = distance;
      }
    }
    std::ranges::sort(row, {}, &LabelGraph::Neighbour::option);
    row = like(spec, width, kNegligible, std::move(row));
  }
  return rows;
}

std::vector<Row> rows_of_pairs(const CategorySpec& spec, const Matrix& values, double width) {
  std::vector<Row> rows;
  for (int i = 0; i < static_cast<int>(values.rows()); ++i)
    rows.push_back(like(spec, width, kNegligible, at_distances(spec, values, values.row(i), i)));
  return rows;
}

std::vector<Row> rows_of_matrix(const Matrix& weights) {
  std::vector<Row> rows(static_cast<std::size_t>(weights.rows()));
  for (int i = 0; i < static_cast<int>(weights.rows()); ++i)
    for (int other = 0; other < static_cast<int>(weights.cols()); ++other)
      if (other != i && weights(i, other) != 0)
        rows[static_cast<std::size_t>(i)].push_back({other, weights(i, other)});
  return rows;
}

LabelGraph normalised(std::vector<Row> rows) {
  for (Row& row : rows) {
    double sum = 0.0;
    for (const LabelGraph::Neighbour& other : row) sum += std::abs(other.weight);
    for (LabelGraph::Neighbour& other : row) other.weight /= sum > 0 ? sum : 1.0;
  }
  return LabelGraph(rows);
}

}  // namespace

double default_width(const CategorySpec& spec, const Matrix& values) {
  if (values.rows() < 2) return 1.0;
  std::vector<double> gaps;
  if (values.cols() == 1 && spec.kind != CategoryKind::circular) {
    std::vector<double> sorted(values.data(), values.data() + values.rows());
    std::sort(sorted.begin(), sorted.end());
    for (std::size_t i = 1; i < sorted.size(); ++i) gaps.push_back(sorted[i] - sorted[i - 1]);
  } else {
    for (Index i = 0; i < values.rows(); ++i) {
      Vector distance = distances(spec, values, values.row(i));
      distance(i) = std::numeric_limits<double>::infinity();
      gaps.push_back(distance.minCoeff());
    }
  }
  const double width = median(gaps);
  return width > 0 ? width : 1.0;
}

LabelGraph label_graph(const CategorySpec& spec, int n_options, const Matrix& values) {
  switch (spec.kind) {
    case CategoryKind::categorical:
      return LabelGraph::constant(n_options, n_options > 1 ? 1.0 / (n_options - 1) : 0.0);
    case CategoryKind::ordinal:
    case CategoryKind::circular:
    case CategoryKind::trial_number: {
      const double width = spec.width.value_or(default_width(spec, values));
      const bool is_on_a_line = values.cols() == 1 && spec.kind != CategoryKind::circular;
      return normalised(is_on_a_line ? rows_in_order(spec, values, width)
                                     : rows_of_pairs(spec, values, width));
    }
    case CategoryKind::graph:
      return normalised(rows_of_matrix(spec.graph));
    case CategoryKind::fixed:
    case CategoryKind::free:
      break;
  }
  return LabelGraph::constant(n_options, 0.0);
}

Vector kernel_weights(const CategorySpec& spec, const Matrix& values, const Eigen::RowVectorXd& point) {
  Vector weight = Vector::Zero(values.rows());
  const double width = spec.width.value_or(default_width(spec, values));
  for (const auto& [option, similarity] : like(spec, width, 0.0, at_distances(spec, values, point, -1)))
    weight(option) = similarity;
  // Far outside the known range every kernel value can underflow: the nearest option then stands alone.
  if (!(weight.sum() > 1e-12)) {
    Index nearest = 0;
    distances(spec, values, point).minCoeff(&nearest);
    weight.setZero();
    weight(nearest) = 1.0;
  }
  return weight / weight.sum();
}

}  // namespace milcci
