#include "baselines/degrees_of_freedom.hpp"

#include <algorithm>

#include "baselines/trace_solver.hpp"

namespace milcci::baselines {
namespace {

// Non-zero entries of the rows of a factor, of these components.
double count_rows(const Matrix& factor, const std::vector<Index>& components,
                  const Eigen::Array<Index, Eigen::Dynamic, 1>& n_observed) {
  double count = 0;
  for (Index row = 0; row < factor.rows(); ++row) {
    Index n = 0;
    for (const Index j : components) n += factor(row, j) != 0;
    count += static_cast<double>(std::min(n, n_observed(row)));
  }
  return count;
}

}  // namespace

Observed::Observed(const Mask& is_observed)
    : of_row(is_observed.cast<Index>().rowwise().sum()),
      of_column(is_observed.cast<Index>().colwise().sum().transpose()) {}

double count_of_rank(const Observed& observed, Index P) {
  const Index rank = std::min({P, observed.n_rows(), observed.n_columns()});
  const Index count = observed.of_row.min(rank).sum() + observed.of_column.min(rank).sum() - rank * rank;
  return static_cast<double>(std::max<Index>(count, 0));
}

NonZero count_nonzero(const Matrix& left, const Matrix& right, const Observed& observed) {
  std::vector<Index> alive;
  for (Index j = 0; j < left.cols(); ++j)
    if (((left.col(j).array() != 0) && (observed.of_row > 0)).any() &&
        ((right.col(j).array() != 0) && (observed.of_column > 0)).any())
      alive.push_back(j);
  return {count_rows(left, alive, observed.of_row) + count_rows(right, alive, observed.of_column),
          static_cast<Index>(alive.size())};
}

double count_traces(const Matrix& components, const TraceRule& rule, const Mask& is_observed) {
  const Vector weight = rule.weight.size() > 0 ? rule.weight : Vector::Ones(components.rows());
  Vector of_run;
  double sum = 0, worth = 0;
  for (Index t = 0; t < is_observed.cols(); ++t) {
    const Vector is_in = is_observed.col(t).cast<double>();
    if (of_run.size() == 0 || is_in != of_run) {
      of_run = is_in;
      const Matrix H = components.transpose() * weight.cwiseProduct(is_in).asDiagonal() * components;
      Matrix penalised = H;
      if (rule.ridge.size() > 0) penalised += rule.ridge;
      worth = (inverse_of_gram(penalised) * H).trace();
    }
    sum += worth;
  }
  return sum;
}

}  // namespace milcci::baselines
