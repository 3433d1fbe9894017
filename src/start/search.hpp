// The start decides the answer: sparse starts, each assigned to categories and tried, in a tournament that
// the lowest objective wins.
#pragma once

#include <vector>

#include "data/trial_data.hpp"
#include "loop/state.hpp"
#include "milcci/fit.hpp"
#include "milcci/options.hpp"

namespace milcci {

struct SearchResult {
  Components components;                    ///< of the winner, for every option of the design
  std::vector<CandidateRecord> candidates;  ///< best first
  Vector stability;                         ///< per component, share of the candidates that hold it
  bool is_interrupted = false;
};

/// How many time points the search pools, if there are that many: 128 per component, between 1024
/// and 4096, and fewer where thousands of channels make them large.
Index n_pooled_times(Index n_components, Index n_channels);

/// `options.restarts` candidates begin on a subset of the time points. After every round the better
/// ones continue for longer, down to `options.candidates` finalists. Where these differ, the whole
/// data decide. The result is the same for any number of threads.
SearchResult search(const TrialData& data, const Design& design, const FitOptions& options,
                    const ProgressCallback& progress);

}  // namespace milcci
