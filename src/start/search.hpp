// The start decides the answer: sparse starts, each assigned to categories and tried, in a tournament that
// the lowest objective wins.
#pragma once

#include <functional>
#include <vector>

#include "data/trial_data.hpp"
#include "loop/state.hpp"
#include "milcci/fit.hpp"
#include "milcci/options.hpp"
#include "start/certainty.hpp"

namespace milcci {

struct SearchResult {
  Components components;                    ///< of the winner, for every option of the design
  std::vector<CandidateRecord> candidates;  ///< best first
  Vector stability;                         ///< per component, share of the candidates that hold it
  std::vector<bool> is_dropped;             ///< per component, as the others did as well without it
  Vector r2_gain;  ///< per component, by how much R2 would rise with it; NaN where that was not looked at
  int times_found = 0;               ///< finalists that led to the answer
  std::vector<Certainty> certainty;  ///< per component; empty if no other answers were looked for
  std::vector<Rival> rivals;         ///< answers about as good, best first, the first few
  bool is_interrupted = false;
  bool is_cut_short = false;  ///< because it was late, or interrupted
};

/// Tournaments of starts on the pooled time points of the chosen channels (start/channel_subset.hpp), whose
/// finalists are improved by moves, until the best answer was found often enough for `options.effort`. Where
/// answers differ and are close, the whole data decide. `is_late` says that nothing more should be tried. The
/// result is the same for any number of threads.
SearchResult search(const TrialData& data, const Design& design, const FitOptions& options,
                    const ProgressCallback& progress, const std::function<bool()>& is_late = {});

}  // namespace milcci
