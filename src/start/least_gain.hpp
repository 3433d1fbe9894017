// How much a component must explain to be kept.
#pragma once

#include "data/trial_data.hpp"
#include "milcci/options.hpp"

namespace milcci {

/// Whether noise decides, and not only a share of the variation.
bool is_judged_by_noise(const FitOptions& options);

/// By how much the squared error must fall with a component, where this much is left of it: a share of the
/// variation, `redundancy`. If penalties are estimated and it is not given, also by what the strongest
/// direction of noise alone would explain, sigma^2 (sqrt(N) + sqrt(T))^2 of N channels over T time points.
double least_gain(const TrialData& data, const FitOptions& options, double squared_error);

}  // namespace milcci
