// The start decides the answer: sparse starts, each dealt to the categories and tried, of which the best goes
// on.
#pragma once

#include <vector>

#include "fit/state.hpp"
#include "milcci/fit.hpp"
#include "milcci/options.hpp"
#include "prepare/trial_data.hpp"

namespace milcci {

struct SearchResult {
  Components components;                    ///< of the best candidate, for every option of the design
  std::vector<CandidateRecord> candidates;  ///< best first
  bool is_interrupted = false;
};

/// Tries `options.restarts` candidates on a subset of the time points, in parallel, and returns the one with
/// the lowest objective. The same result for any number of threads.
SearchResult search(const TrialData& data, const Design& design, const FitOptions& options,
                    const ProgressCallback& progress);

/// sum over the trials of each label of (Y - A Phi) Phi', and of the squared traces: what `gain_table` needs.
struct LabelResiduals {
  std::vector<Matrix> residual;  ///< [l] N x P
  std::vector<Vector> energy;    ///< [l] P
};
LabelResiduals label_residuals(const Design& design, const Statistics& statistics,
                               const Components& components);

}  // namespace milcci
