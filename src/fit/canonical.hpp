// One answer for one fit: components in order of what they explain, signs fixed, memberships summing to one.
#pragma once

#include "loop/state.hpp"
#include "milcci/model.hpp"

namespace milcci {

/// Orders the components of every category by explained energy, largest first; where `may_flip`, makes the
/// weightier sign of every component positive; and scales to the paper's sum of one. What A Phi gives does
/// not change. Returns the former position of each component.
std::vector<Index> make_canonical(const Design& design, bool may_flip, State& state);

}  // namespace milcci
