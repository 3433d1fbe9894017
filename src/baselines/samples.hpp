// The trials as the baselines take them: side by side as one matrix, or stacked as one tensor.
#pragma once

#include <string>
#include <vector>

#include "baselines/degrees_of_freedom.hpp"
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
  Mask is_observed;                ///< as the values; padding is not
  std::vector<std::string> notes;  ///< how many trials were cut or padded, how many entries were missing

  /// How many of its channels, time points and trials something was observed of.
  struct Sizes {
    Index n_channels = 0, n_times = 0, n_trials = 0;
  };
  Sizes observed_sizes() const;

  auto trial(Index m) const { return values.middleCols(m * n_times, n_times); }
  /// The tensor unfolded along time, T x (N M).
  Matrix by_time() const;
  Mask observed_by_time() const;
};

/// T is the 90th percentile of the lengths: longer trials are cut, shorter ones padded with zeros. Missing
/// entries are zeros.
Tensor stacked(const TrialSource& trials);

/// A trace over T time points as one of `n_times`: cut, or zero after its end.
Matrix with_length(const Matrix& traces, Index n_times);

}  // namespace milcci::baselines
