// How long the stretches of time may be that the search averages over.
#pragma once

#include "data/trial_data.hpp"

namespace milcci {

/// A power of two: as many time points as it takes for the mean over them to hold more signal than
/// noise, and no more than leave what the channels have in common as it is. 1 where noise is small,
/// where signals change from one time point to the next, and where neither can be told. Measured on
/// a sample of the data; the same for any number of threads.
Index stretch_width(const TrialData& data, int threads);

}  // namespace milcci
