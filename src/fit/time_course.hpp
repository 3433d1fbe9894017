// How a trace runs over time, from sums over its estimates: how strong it is, how slow, and how loud the
// noise along it.
#pragma once

#include "data/trial_data.hpp"
#include "loop/state.hpp"

namespace milcci {

constexpr double kMostRidge = 1e3;

/// Sums over time of one trace after the other.
struct TraceMoments {
  double n = 0, n_steps = 0, n_lag2 = 0;
  Vector squares, steps;  ///< P: sum phi_t^2, sum v_t (phi_t - phi_{t-1})^2
  Vector lag1, lag2;      ///< P: sum (phi_t - phi_{t-h})^2
};
TraceMoments trace_moments(const TrialData& data, const State& state, Index n_components);

/// The ridge r and smoothness q of the stationary process whose mean square is e0 and mean squared step e1,
/// both over sigma^2. The spectrum of r phi_t^2 + q (phi_t - phi_{t-1})^2 is 1 / (r + q (2 - 2 cos w)), so
///   e0 = 1 / sqrt(r (r + 4 q)),   r e0 + q e1 = 1.
struct TraceWeights {
  double ridge, smoothness;
};
TraceWeights weights_of(double e0, double e1);
/// The same where the noise is smooth itself, with correlation rho from one time point to the next: time
/// tells noise from signal only as far as the signal is smoother. The ratio of the spectra of noise and
/// signal is
///   (r + q l) (1 - rho^2) / ((1 - rho)^2 + rho l),   l = 2 - 2 cos w,
/// here a straight line through its ends, l = 0 and 4.
TraceWeights against_smooth_noise(const TraceWeights& weights, double rho);
/// The ridge where the smoothness is given.
double ridge_of(double e0, double q);

/// The correlation, one time point apart, of the error of a trace with precision h at each time point and
/// weight q between neighbours.
double lag1_of_error(double h, double q);

/// The variance of the error of a trace that was fitted without smoothness, over sigma^2, where the noise
/// along its component is louder than `expected` by the noise of all channels, and that otherwise. Counts are
/// such noise, as channels vary more the more active they are. Taken for a fast part of the signal, it would
/// smooth the trace less and less, until the component is one channel. The trace differs from itself h time
/// points later by, in the mean square,
///   d_h = 2 error (1 - residual_h) + 2 s^2 (1 - rho^h),
/// from which the signal, s^2, drops out as d_2 - (1 + rho) d_1. Noise that is as slow cannot be told from
/// it.
double measured_error(const TraceMoments& sums, Index component, double noise, double expected,
                      const Vector& residual);

}  // namespace milcci
