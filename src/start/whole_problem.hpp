// The problem as it was posed, and the smaller one that the search works on.
#pragma once

#include <vector>

#include "data/trial_data.hpp"
#include "milcci/options.hpp"
#include "start/binned_design.hpp"
#include "start/candidate.hpp"
#include "start/search_progress.hpp"

namespace milcci {

/// How many time points the search pools, shared out equally among the labels, if there are that many:
/// 128 per component, between 1024 and 4096, fewer where thousands of channels make them large, and all
/// of small data.
Index n_pooled_times(const Design& design, Index n_channels, Index n_times);

struct WholeProblem {
  /// Refers to all three, which must outlive it.
  WholeProblem(const TrialData& data, const Design& design, const FitOptions& options);

  /// On the chosen channels, pooled time points and binned options, without penalties over time.
  SearchProblem in_small(SearchProgress& progress) const;
  /// Components that were found there, under all options and of all channels.
  Components components_from(const Components& found, SearchProgress& progress) const;
  /// Whether it has more options or more channels than the small one.
  bool is_finer() const;

  const TrialData& data;
  const Design& design;
  const FitOptions& options;
  const BinnedDesign binned;
  const std::vector<Index> channels;  ///< chosen for the search
};

}  // namespace milcci
