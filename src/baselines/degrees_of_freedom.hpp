// How many free numbers a fit used. What was never observed has none: a row or column of the data (a channel,
// a time point) is worth at most as many numbers as were observed of it.
#pragma once

#include "milcci/baselines.hpp"

namespace milcci::baselines {

using Mask = Eigen::Array<bool, Eigen::Dynamic, Eigen::Dynamic>;

/// Of which rows and columns something was observed, or how much.
struct Observed {
  explicit Observed(const Mask& is_observed);
  Eigen::Array<Index, Eigen::Dynamic, 1> of_row, of_column;

  Index n_rows() const { return (of_row > 0).count(); }
  Index n_columns() const { return (of_column > 0).count(); }
};

/// Those of a matrix of rank P, without gaps P (rows + columns - P):
///   sum over rows of min(P, observed) + sum over columns of min(P, observed) - P^2
double count_of_rank(const Observed& observed, Index P);

/// Non-zero entries of both factors of left right', without those of components that are zero in either.
struct NonZero {
  double count = 0;
  Index n_components = 0;  ///< that are zero in neither
};
NonZero count_nonzero(const Matrix& left, const Matrix& right, const Observed& observed);

/// What the traces under a rule are worth, with H_O = A'WA over the channels O observed at a time point:
///   sum over time points of tr (H_O + R)^-1 H_O
/// Cost O(N P^2) for every run of time points with the same gaps.
double count_traces(const Matrix& components, const TraceRule& rule, const Mask& is_observed);

}  // namespace milcci::baselines
