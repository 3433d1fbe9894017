// How many numbers a fit of our own used.
#pragma once

#include <string>

#include "milcci/model.hpp"
#include "milcci/trial_source.hpp"

namespace milcci {

struct DegreesOfFreedom {
  double count = 0;
  std::string note;  ///< how they were counted
};

/// Non-zero memberships of the options that trials have, less a scale per component and option; offsets of
/// the channels; and what the traces are worth, which for a trial is
///   tr K^-1 H,   H = diag(H_1, ..., H_T),   H_t = A'A over the channels observed at t,
/// with K the Hessian of what the traces minimise: H, missing entries, ridge and smoothness as the fit had
/// them, whether estimated or given. Where traces may not be negative, over those above zero. Decorrelation
/// is left out, and so is what ties variants to one another. Cost O(T P^3) per trial.
DegreesOfFreedom own_degrees_of_freedom(const FitResult& fitted, const TrialSource& trials);

}  // namespace milcci
