// What the model leaves of every channel.
#pragma once

#include "data/trial_data.hpp"
#include "loop/state.hpp"

namespace milcci {

/// Sums over the observed entries of a channel, of the data in their frame.
struct ChannelResiduals {
  Vector count;    ///< N
  Vector sum;      ///< of r_t
  Vector squares;  ///< of r_t^2
  /// Of r_t r_{t+h} over all channels, within some of the trials, h = 0, 1, ...
  Vector lags;

  /// How alike residuals h time points apart are.
  double autocorrelation(Index h) const { return lags(0) > 0 ? lags(h) / lags(0) : 0.0; }
};

constexpr Index kLags = 24;

/// Lags are measured in a few dozen trials, which is enough to know them to a hundredth or so.
bool has_measured_lags(std::size_t trial, std::size_t n_trials);

/// Sums over a matrix with a row per channel or trace: of x_t x_{t+h}, h = 0, 1, ...
Vector lagged_products(const Eigen::Ref<const Matrix>& x);

ChannelResiduals channel_residuals(const TrialData& data, const Design& design, const State& state,
                                   int threads);

/// The same from the sums of the state, sum y^2 - 2 a' C + a' G a, with a look at few trials. Takes a pass
/// after all where there are gaps, or where too few digits are left of the difference.
ChannelResiduals channel_residuals(const TrialData& data, const Design& design, const State& state,
                                   const Statistics& statistics, int threads);

}  // namespace milcci
