// Huber's loss: residuals beyond a few noise levels are charged by their size, and not by its square, so
// that one value can do only so much.
//
//   rho(r) = min_z (r - z)^2 + 2 c |z|,   z = what of r lies beyond c
//
// F is minimised over z as over everything else: the loop fits the targets y - z, values that are moved to
// within c of what the model says. Its kernels and sums are those of squared errors.
#pragma once

#include "data/trial_data.hpp"
#include "loop/state.hpp"

namespace milcci {

/// c, in noise levels. Of normal noise 4.6 % lies beyond it: estimates lose a hundredth of their precision.
constexpr double kHuberWidth = 2.0;
/// E min(|x|, c)^2 of a standard normal x: what is left of the variance of normal residuals within c.
constexpr double kVarianceWithinHuber = 0.92054;

struct HuberTargets {
  TrialData data;     ///< y - z, in the frame of y
  double charge = 0;  ///< sum of 2 c |z|, which belongs to the fit term
};

/// The targets of a state, which has traces. `noise_level` is that of every channel in the frame of `data`.
HuberTargets huber_targets(const TrialData& data, const Design& design, const State& state,
                           double noise_level, int threads);

/// Targets before there is a model: values within the usual range of their channel.
TrialData within_usual_range(const TrialData& data, int threads);

}  // namespace milcci
