// Where a model describes the trials well and where not: squared errors by channel and trial, and what they
// come to per trial, channel, option and category.
#pragma once

#include "milcci/evaluate.hpp"

namespace milcci {

/// Sums over the observed entries of one channel in one trial, N x M. All scores are ratios of sums over
/// some of these, so that parts add up to the whole.
struct SquareTables {
  Matrix error;      ///< squared distance of the reconstruction from the data
  Matrix energy;     ///< squared data
  Matrix variation;  ///< squared distance of the data from the channel's mean over all trials
};

/// Sum of squares over the observed entries, one number per row; NaN = missing.
Vector squares_of_rows(const Matrix& rows);

/// Without the errors, which are zero. Channels that never change have no variation, not that of rounding.
SquareTables square_tables(const Model& model, const TrialSource& trials);

/// Sets the scores of the whole and of its parts.
void score(const Model& model, const TrialSource& trials, Evaluation& evaluation);

}  // namespace milcci
