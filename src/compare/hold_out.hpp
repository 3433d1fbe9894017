// Which trials are held out.
#pragma once

#include <cstdint>
#include <vector>

#include "milcci/labels.hpp"
#include "milcci/trial_source.hpp"

namespace milcci {

struct HeldOut {
  std::vector<std::size_t> train, test;  ///< in order
};

/// About this share of the trials of every label, at random; at least one trial is on either side.
HeldOut hold_out(const TrialSource& trials, const std::vector<CategorySpec>& categories, double share,
                 std::uint64_t seed);

}  // namespace milcci
