// How much of what the model describes each component carries.
#pragma once

#include "loop/state.hpp"

namespace milcci {

/// Share of the fitted energy that each component carries, P numbers that sum to one (or are all zero).
Vector explained_energy(const Design& design, const State& state);

}  // namespace milcci
