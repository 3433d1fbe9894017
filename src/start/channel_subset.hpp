// Where there are thousands of channels, the search works on some of them.
#pragma once

#include <cstdint>
#include <vector>

#include "data/trial_data.hpp"
#include "loop/monitor.hpp"
#include "loop/state.hpp"
#include "milcci/options.hpp"

namespace milcci {

/// How many of so many channels the search works on, unless trials need more: all up to 2048,
/// otherwise 1024.
Index n_chosen_channels(Index n_channels);

/// Those channels, in rising order. Every channel that is not silent has a chance, strong ones a larger
/// one. A few of every group of channels are among them, and enough of those observed in each trial to
/// tell this many components apart.
std::vector<Index> choose_channels(const TrialData& data, Index n_components, std::uint64_t seed);

/// Components of all channels from those of the chosen ones. With zeros for all other channels they have
/// the same traces, and one update of the components fills in the zeros. Costs two passes over the data;
/// nothing if all channels were chosen.
Components fill_in(const TrialData& data, const Design& design, const FitOptions& options,
                   const std::vector<Index>& chosen, Components components, Monitor monitor);

}  // namespace milcci
