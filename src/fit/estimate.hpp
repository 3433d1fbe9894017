// The time of an iteration, measured.
#pragma once

#include "milcci/fit.hpp"

namespace milcci {

/// The shortest iteration, in seconds, of a fit that is kept from stopping. The first iterations do
/// more work, and one that takes an extrapolation back passes over the data twice: neither is the
/// shortest.
double shortest_iteration(const TrialSource& trials, FitOptions options, const Start& start, int iterations);

}  // namespace milcci
