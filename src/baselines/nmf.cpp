// Non-negative matrix factorisation of all trials side by side, over observed entries only:
//   min_{A >= 0, Phi >= 0} sum over observed (n, s) of (y_ns - a_n phi_s)^2
#include <fmt/format.h>

#include "baselines/degrees_of_freedom.hpp"
#include "baselines/methods.hpp"
#include "baselines/nonnegative_factors.hpp"
#include "milcci/error.hpp"

namespace milcci::baselines {
namespace {

void refuse_negative(const Samples& samples) {
  const Index n_negative = (samples.values.array() < 0).count();
  if (n_negative == 0) return;
  throw Error(ErrorKind::bad_input,
              fmt::format("NMF takes no negative data, and {} of {} observed entries are below zero",
                          n_negative, samples.n_observed()));
}

// Missing entries at their channel's mean, for the first start.
Matrix filled(const Samples& samples) {
  Matrix Y = samples.values;
  for (Index n = 0; n < Y.rows(); ++n) {
    const auto is_missing = Y.row(n).array().isNaN();
    const double n_observed = static_cast<double>(Y.cols() - is_missing.count());
    const double mean = is_missing.select(0.0, Y.row(n).array()).sum() / std::max(n_observed, 1.0);
    Y.row(n) = is_missing.select(mean, Y.row(n).array()).matrix().eval();
  }
  return Y;
}

}  // namespace

BaselineFit fit_nmf(const Task& task) {
  const Samples samples = side_by_side(task.trials);
  refuse_negative(samples);
  const Index N = samples.values.rows(), S = samples.values.cols(), P = task.n_components();
  require_at_most(task, N, "channels");
  require_at_most(task, S, "time points in all trials");
  const bool has_gaps = samples.n_missing > 0;
  const double energy = samples.values.array().isNaN().select(0.0, samples.values).squaredNorm();

  BaselineFit fit;
  const FactorPair best = best_of_starts(task, energy, fit, [&](int start, Random& random, Descent& descent) {
    FactorPair factors = start == 0
                             ? start_from_singular_vectors(has_gaps ? filled(samples) : samples.values, P)
                             : start_at_random(samples.values, P, random);
    if (has_gaps)
      alternate_nonnegative_observed(samples.values, descent, factors);
    else
      alternate_nonnegative(samples.values, descent, factors);
    return factors;
  });
  if (has_gaps)
    fit.notes.push_back(fmt::format("fitted to observed entries only, {} are missing", samples.n_missing));

  const NonZero nonzero = count_nonzero(best.left, best.right, Observed(!samples.values.array().isNaN()));
  fit.degrees_of_freedom = nonzero.count - static_cast<double>(nonzero.n_components);
  fit.degrees_of_freedom_note = "non-zero entries of both factors, less a scale per component";
  fit.trace_rule.is_nonnegative = true;
  set_components(task, best.left, samples.split(best.right.transpose()), fit);
  return fit;
}

}  // namespace milcci::baselines
