// The scale shared by a component and its traces, moved from one to the other. The fit does not change.
#pragma once

#include "fit/state.hpp"

namespace milcci {

enum class Scale {
  length_one,  ///< Euclidean: used while fitting, where it keeps the L1 norm meaningful
  sum_one      ///< absolute memberships sum to one: the paper's scale, used for output
};

/// Scales every variant and multiplies its traces by the same number (and turns W into D W D^-1). A variant
/// of all zeros is dead: it stays, and its traces become zero.
void normalise(const Design& design, Scale scale, State& state, int threads = 1);

}  // namespace milcci
