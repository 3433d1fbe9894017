// The data as the search sees them: few columns, each the mean over a stretch of time.
#pragma once

#include <cstdint>
#include <vector>

#include "data/trial_data.hpp"

namespace milcci {

struct PoolOptions {
  Index n_columns = 0;               ///< wanted, over all groups
  Index width = 1;                   ///< the longest stretch, in time points
  std::vector<Index> channels = {};  ///< in rising order; empty: all
  std::uint64_t seed = 0;
};

/// One trial per group of trials, with about n_columns / n_groups columns (fewer if there are not
/// that many), evenly spread. A column is the mean over a stretch of one trial, and a stretch never
/// crosses a jump in time. The mean is over the observed entries, and missing where less than a
/// quarter of them are. Without a penalty over time the columns of trials with the same label are
/// exchangeable, so this is the same problem, smaller.
TrialData pool(const TrialData& data, const std::vector<int>& group_of_trial, const PoolOptions& options);

}  // namespace milcci
