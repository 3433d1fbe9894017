#include "baselines/gaussian.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "baselines/degrees_of_freedom.hpp"
#include "baselines/leading.hpp"
#include "baselines/trace_solver.hpp"

namespace milcci::baselines {

Vector least_noise(const Moments& moments) {
  constexpr double kOfItsOwn = 1e-9, kOfTheMean = 1e-12;
  const Vector variance = moments.covariance.diagonal();
  const double mean = variance.mean();
  return (kOfItsOwn * variance).cwiseMax(kOfTheMean * (mean > 0 ? mean : 1.0));
}

void set_gaussian(const Task& task, const Samples& samples, GaussianModel model, BaselineFit& fit) {
  const Index P = model.W.cols();
  const Vector precision = model.noise.cwiseInverse();
  const Matrix H = model.W.transpose() * precision.asDiagonal() * model.W;
  model.W = (model.W * leading_eigenvectors(H, P).vectors).eval();
  fit.trace_rule.weight = precision;
  fit.trace_rule.ridge = Matrix::Identity(P, P);
  // Traces: the posterior mean (W' Psi^-1 W + I)^-1 W' Psi^-1 (y - b).
  const Matrix traces = TraceSolver(model.W, model.offset, fit.trace_rule).solve(samples.values);
  const Mask is_observed = !samples.values.array().isNaN();
  const Observed observed(is_observed);
  const double of_traces = count_traces(model.W, fit.trace_rule, is_observed);
  const Index of_channels = observed.of_row.min(P + 1).sum() - P * (P - 1) / 2;
  fit.degrees_of_freedom = static_cast<double>(std::max<Index>(of_channels, 0)) + of_traces;
  fit.degrees_of_freedom_note = fmt::format(
      "memberships N P less P (P - 1) / 2 turns, a mean per channel, and {:.6g}, which is what shrunken "
      "traces are worth",
      of_traces);
  fit.marginal_log_likelihood = model.log_likelihood;
  fit.noise_variance = model.noise;
  fit.model.noise.offset = model.offset;
  if (samples.n_missing > 0)
    fit.notes.push_back(fmt::format("fitted to observed entries only, {} are missing", samples.n_missing));
  set_components(task, model.W, samples.split(traces), fit);
}

}  // namespace milcci::baselines
