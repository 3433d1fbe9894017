// Some of the trials, with everything that belongs to them.
#pragma once

#include <vector>

#include "milcci/trials.hpp"

namespace milcci {

/// Keeps these trials (0, 1, ...), in this order; none twice.
void select_trials(Trials& trials, const std::vector<std::size_t>& kept);

}  // namespace milcci
