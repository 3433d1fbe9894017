// The trials as the baselines take them: side by side as one matrix, or stacked as one tensor.
#pragma once

#include <string>
#include <vector>

#include "milcci/trial_source.hpp"

namespace milcci::baselines {

/// All trials side by side, N x S; NaN = missing.
struct Samples {
  Matrix values;
  std::vector<Index> first;  ///< M + 1: column of every trial's first time point, and S
  Index n_missing = 0;

  Index n_observed() const { return values.size() - n_missing; }
  /// Columns of the trials apart.
  std::vector<Matrix> split(const Matrix& rows) const;
};
Samples side_by_side(const TrialSource& trials);

/// Trials of equal length T, N x (T M): that is, the tensor (channel, time, trial) unfolded along channels.
struct Tensor {
  Matrix values;
  Index n_times = 0, n_trials = 0;
  std::vector<std::string> notes;  ///< how many trials were cut or padded, how many entries were missing

  auto trial(Index m) const { return values.middleCols(m * n_times, n_times); }
  /// The tensor unfolded along time, T x (N M).
  Matrix by_time() const;
};

/// T is the 90th percentile of the lengths: longer trials are cut, shorter ones padded with zeros. Missing
/// entries are zeros.
Tensor stacked(const TrialSource& trials);

/// A trace over T time points as one of `n_times`: cut, or zero after its end.
Matrix with_length(const Matrix& traces, Index n_times);

}  // namespace milcci::baselines
