// What the data say about their own noise: offsets, noise levels, and the weights of the penalties.
//
//   y_n = b_n + (A Phi)_n + noise,  noise ~ N(0, sigma_n^2),  phi_j first-order autoregressive,
//   a_i - a_i' ~ N(0, delta_k^2 / w(i, i'))
//
// Each weight is a ratio of variances: ridge and smoothness sigma^2 over those of a trace and of its steps,
// gamma2 sigma^2 over delta^2. All are estimated where the fit has come to, by what the estimates and their
// uncertainty say (one round of expectation maximisation), and the fit goes on from there.
#pragma once

#include "data/trial_data.hpp"
#include "loop/alternate.hpp"
#include "loop/calibration.hpp"
#include "milcci/model.hpp"

namespace milcci {

class Calibrator {
 public:
  /// `first_options` are those before the first estimate.
  Calibrator(TrialData& data, const Design& design, const FitOptions& options,
             const FitOptions& first_options);

  /// Whether anything is estimated at all.
  bool is_needed() const;
  /// Estimates everything at `state`, whose sums are `statistics`, or empty. Sets the frame of the data, and
  /// brings components and traces into it: sums of before are then no longer those of the state. Returns by
  /// how much the weights changed, as a ratio less one; a calibration that is new is infinitely different.
  double estimate(const Statistics& statistics, State& state);
  const FitOptions& options_now() const { return is_estimated_ ? options_ : first_options_; }
  /// Null before the first estimate, or where penalties are fixed.
  const Calibration* calibration() const;
  /// Memberships that cannot be told from zero become zero, and stay so in all later stages. Returns whether
  /// anything changed.
  bool choose_members(State& state);
  /// The component that stands out of the noise least is taken away, if it does not stand out at all, or if
  /// it is one channel's own.
  /// Returns whether it was. Of noise alone, N channels over T independent time points, the strongest
  /// direction has the variance sigma^2 (1 + sqrt(x))^2, x = N / T: a trace there seems to have the variance
  /// sigma^2 (2 sqrt(x) + x) beyond its error.
  bool drop_noise(State& state);
  /// Per component.
  const std::vector<bool>& is_noise() const { return is_noise_; }
  /// From now on zeros stay and sparsity charges nothing, also where there was no time to choose.
  void keep_members() { calibration_.keeps_members = true; }
  /// Whether next to nothing was left at the last estimate but what offsets describe. Fixed penalties are
  /// made for such data: there sparsity tells components apart that standard errors, which are tiny, do not.
  bool leaves_little() const;
  /// Whether residuals beyond the width of the Huber loss were clipped.
  bool is_robust() const { return options_.loss == Loss::huber; }
  double noise() const { return calibration_.noise; }  ///< sigma^2, of the data in their frame
  const Vector& inflation() const { return inflation_; }
  /// The uncertainty of the traces at `state`, by the weights as they are.
  void update_uncertainty(const State& state);

 private:
  /// 1 + 2 sum_h rho_residual(h) rho_trace(h): by how much the variance of a membership is larger than it
  /// would be if residuals that follow each other were independent.
  void estimate_inflation(const Vector& residual_lags, const State& state);
  Penalties trace_weights() const;
  void estimate_frame(const Statistics& statistics, const State& state);
  void estimate_traces(const State& state);
  void estimate_consistency(const State& state);

  TrialData& data_;
  const Design& design_;
  const FitOptions &options_, &first_options_;
  bool is_nonnegative_ = false;
  int threads_ = 1;
  Calibration calibration_;
  bool is_estimated_ = false;
  std::vector<Matrix> per_noise_;  ///< uncertainty over sigma^2
  double share_left_ = 1;          ///< of the data's variation, once offsets were estimated
  Vector residual_;                ///< correlation of residuals h = 1, 2 time points apart, at [h]
  Vector inflation_;               ///< per component, see `estimate_inflation`
  /// Per component, over sigma^2: the variance of its trace, and that of its error if there were no ridge.
  Vector signal_, error_;
  std::vector<bool> is_noise_;  ///< dropped as such
};

/// Components, and traces if there are any, from one frame of the data to another.
void change_frame(const Frame& from, const Frame& to, const Design& design, State& state);

}  // namespace milcci
