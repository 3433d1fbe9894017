// Penalties that were estimated from the data (fit/calibrate.hpp), as a stage uses them.
#pragma once

#include <optional>

#include "data/trial_data.hpp"
#include "loop/state.hpp"
#include "milcci/model.hpp"
#include "milcci/options.hpp"

namespace milcci {

/// Where the noise of every channel has the same variance sigma^2, traces are first-order autoregressive
/// and variants differ by a normal distribution, the negative logarithm of the posterior is F / (2 sigma^2)
/// with these weights, apart from the L1 norm.
struct Calibration {
  double noise = 0;                 ///< sigma^2, of the data in their frame
  Vector ridge, smoothness;         ///< per component; empty = as the options say
  std::vector<Vector> consistency;  ///< [k] p_k: gamma2; empty = as the options say
  std::vector<Matrix> uncertainty;  ///< `Penalties::uncertainty`
  /// Members were chosen by their standard errors: a membership that is zero stays zero, and sparsity
  /// charges nothing.
  bool keeps_members = false;
};

/// Whether members are chosen by their standard errors, and not by a penalty that the options give.
bool chooses_members(const FitOptions& options);

/// Replaces what the options leave open. Nothing happens without a calibration.
void calibrate_traces(const Calibration* calibration, const FitOptions& options, Penalties& penalties);
void calibrate_components(const Calibration* calibration, const FitOptions& options, Penalties& penalties);

/// What a fit has estimated, as its loop used it: how it looked at the data, and its penalties without the
/// uncertainty of the traces. None if penalties were not estimated.
Frame frame_of(const NoiseModel& noise);
/// Of every channel in that frame; 0 if it is not known.
double noise_level_of(const NoiseModel& noise);
std::optional<Calibration> calibration_of(const NoiseModel& noise);

/// The variance of the traces about their estimates, over sigma^2 and summed over the time points of every
/// label: for every set S of traces that are free (all of them, or those above zero where traces may not be
/// negative) the inverse of (H + ridge)_SS, times the number of time points with that set. Smoothness adds
/// to the diagonal what makes the variance of a single trace right.
std::vector<Matrix> uncertainty_per_noise(const TrialData& data, const Design& design,
                                          const Penalties& penalties, bool is_nonnegative, const State& state,
                                          int threads);

/// The same times sigma^2, by the weights of the calibration: its `uncertainty`. None with the lds prior.
void set_uncertainty(const TrialData& data, const Design& design, const FitOptions& options,
                     const State& state, Calibration& calibration);

}  // namespace milcci
