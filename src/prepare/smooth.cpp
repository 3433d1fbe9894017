// Values smoothed over time:
//
//   y(t) <- sum_s k(t, s) o(s) y(s) / sum_s k(t, s) o(s),   k(t, s) = exp(-(time(t) - time(s))^2 / (2
//   sigma^2))
//
// over the samples s of the trial within half a window of t; o is 0 where a value is missing, else 1. What is
// missing stays missing.
#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "prepare/steps.hpp"

namespace milcci::prepare_steps {

namespace {

void smooth_trial(Matrix& values, const Vector& times, double sigma, double half_window) {
  const Matrix observed = values.array().isNaN().select(Matrix::Zero(values.rows(), values.cols()), 1.0);
  const Matrix known = values.array().isNaN().select(0.0, values);
  Index first = 0, last = 0;  // the samples of the window, `last` not included
  for (Index t = 0; t < values.cols(); ++t) {
    while (times(t) - times(first) > half_window) ++first;
    while (last < values.cols() && times(last) - times(t) <= half_window) ++last;
    const Vector kernel =
        (-((times.segment(first, last - first).array() - times(t)) / sigma).square() / 2).exp();
    const Vector sum = known.middleCols(first, last - first) * kernel;
    const Vector weight = observed.middleCols(first, last - first) * kernel;
    for (Index n = 0; n < values.rows(); ++n)
      if (observed(n, t) > 0) values(n, t) = sum(n) / weight(n);
  }
}

}  // namespace

std::string smooth(Trials& trials, const SmoothStep& step) {
  const double window = step.window > 0 ? step.window : 10 * step.sigma;
  const bool has_times = !trials.times.empty(), has_truth = trials.truth.has_value();
  trials.truth.reset();
  for (std::size_t m = 0; m < trials.n_trials(); ++m) {
    const Index n = trials.values[m].cols();
    const Vector times =
        has_times ? trials.times[m] : Vector::LinSpaced(n, 0, static_cast<double>(std::max<Index>(n, 1) - 1));
    // Half a window may fall short by a rounding error.
    smooth_trial(trials.values[m], times, step.sigma, window / 2 * (1 + 1e-9));
  }
  return fmt::format("smoothed by a Gaussian of sigma {} and window {}, in {}{}", step.sigma, window,
                     has_times ? "units of time" : "samples",
                     has_truth ? "; the truth left out, it does not describe smoothed values" : "");
}

}  // namespace milcci::prepare_steps
