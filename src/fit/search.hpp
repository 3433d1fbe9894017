// The start decides the answer: sparse starts, each dealt to the categories and tried, in a tournament that
// the lowest objective wins.
#pragma once

#include <vector>

#include "fit/state.hpp"
#include "milcci/fit.hpp"
#include "milcci/options.hpp"
#include "prepare/trial_data.hpp"

namespace milcci {

struct SearchResult {
  Components components;                    ///< of the winner, for every option of the design
  std::vector<CandidateRecord> candidates;  ///< best first
  bool is_interrupted = false;
};

/// `options.restarts` candidates begin on a subset of the time points; after every round the better ones go
/// on for longer. The same result for any number of threads.
SearchResult search(const TrialData& data, const Design& design, const FitOptions& options,
                    const ProgressCallback& progress);

}  // namespace milcci
