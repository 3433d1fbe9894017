// Trials with noise on top, for methods that fail on the data as they are.
#pragma once

#include <cstdint>

#include "milcci/trial_source.hpp"

namespace milcci {

/// A copy with Gaussian noise of this share of the standard deviation of all observed entries. Data without
/// a negative value stay without one.
TrialSource noisy_trials(const TrialSource& trials, double share, std::uint64_t seed);

}  // namespace milcci
