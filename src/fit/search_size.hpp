// How large the problem is that the search for a start works on, before it begins.
#pragma once

#include "label_graphs/design.hpp"
#include "milcci/trial_source.hpp"

namespace milcci {

struct SearchSize {
  Design design;          ///< many options binned
  double n_channels = 0;  ///< chosen
  double n_times = 0;     ///< pooled, over all its labels
};

SearchSize search_size(const TrialSource& trials, const Design& design);

}  // namespace milcci
