// Whether channels are below zero beyond what noise about zero would make.
#pragma once

#include <vector>

#include "milcci/trial_source.hpp"

namespace milcci {

/// Channels that are below zero where other channels say so. Noise of a channel does not know what others do,
/// whatever its level and however smooth it is: on average over the times at which another channel is above
/// zero, or below, a channel that is noise about a signal without sign is not below zero. Empty if what was
/// found holds hardly any of the energy. Where there is only one channel, or too little data to tell, all
/// channels with a value below zero.
std::vector<Index> find_negative_channels(const TrialSource& trials);

}  // namespace milcci
