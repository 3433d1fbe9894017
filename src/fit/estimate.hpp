// The time of an iteration, measured.
#pragma once

#include "milcci/fit.hpp"

namespace milcci {

/// The shortest of the iterations of a fit that is made to go on, in seconds. The first ones solve more, and
/// one that takes an extrapolation back passes over the data twice: neither is the shortest.
double shortest_iteration(const TrialSource& trials, FitOptions options, const Start& start, int iterations);

}  // namespace milcci
