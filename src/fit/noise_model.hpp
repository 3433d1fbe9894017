// What a fit estimated of the noise, in the user's units, for the model.
#pragma once

#include <optional>

#include "fit/calibrate.hpp"
#include "milcci/model.hpp"

namespace milcci {

/// At the end of a fit, with components in the frame and at length one; standard errors are of memberships
/// that sum to one. `statistics` are those of the state.
NoiseModel describe_noise(const TrialData& data, const Design& design, const Calibrator& calibrator,
                          const State& state);
/// With the components in another order.
NoiseModel in_order(NoiseModel noise, const std::vector<Index>& order);

/// Components and traces as they describe the stored data: a_n / w_n.
void leave_frame(const Frame& frame, const Design& design, State& state);

/// R2 of the data as they are stored. `fit` are the squared errors in the frame, if they are known, which
/// are the same where it has no weights.
double r2_of_data(const TrialData& data, const Design& design, const State& state, std::optional<double> fit);

/// F and both R2 of a fit with Huber's loss. `noise_level` is that of every channel in the frame of the data.
void report_huber(const Calibration* calibration, const TrialData& data, const Design& design,
                  const State& state, double noise_level, FitSummary& summary);

}  // namespace milcci
