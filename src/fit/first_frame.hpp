// How a fit looks at the data before it knows their noise.
#pragma once

#include "data/trial_data.hpp"
#include "milcci/options.hpp"

namespace milcci {

/// The frame that a fit begins with. Where traces may be negative, the offset is the mean of each channel,
/// and channels that have nothing in common are standardised. Where they may not, traces that stay away from
/// zero and an offset cannot be told apart: then only what lies below nearly all values of a channel, and
/// only if that is more than three standard deviations, or if the mean is below zero.
Frame first_frame(const TrialData& data, const FitOptions& options);

}  // namespace milcci
