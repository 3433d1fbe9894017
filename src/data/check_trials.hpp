// The border of the library: trials are checked once here and trusted everywhere after.
#pragma once

#include <string>
#include <vector>

#include "milcci/trial_source.hpp"

namespace milcci {

/// The value farthest from zero must be between these in size, so that products of squares are numbers.
constexpr double kSmallestSize = 1e-70, kLargestSize = 1e70;
enum class ValueSizes { any, of_a_fit };

/// Throws Error(bad_input) for trials that do not fit together: no trials, channel counts that differ,
/// infinite values or such that their squares would be, a trial without a single observed value, time stamps
/// that do not increase, labels of another length. Returns warnings for what is allowed but seldom meant:
/// channels that are constant or never observed.
std::vector<std::string> check_trials(const TrialSource& trials, int threads = 1,
                                      ValueSizes sizes = ValueSizes::of_a_fit);

}  // namespace milcci
