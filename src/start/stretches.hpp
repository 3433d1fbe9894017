// Trials cut into stretches of consecutive time points.
#pragma once

#include <vector>

#include "data/trial_data.hpp"

namespace milcci {

struct Stretch {
  Index begin = 0, length = 0;
};

/// Trial m cut into stretches of at most `width` time points, as equal as can be, and as few as
/// that takes. None crosses a jump in time: a step more than three times the typical one.
std::vector<Stretch> stretches(const TrialData& data, std::size_t m, Index width);

}  // namespace milcci
