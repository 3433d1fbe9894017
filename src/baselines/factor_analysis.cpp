// Factor analysis: y = b + W z + noise, z ~ N(0, I), noise ~ N(0, Psi), a noise level per channel.
// Without gaps, given Psi the best W is known from the covariance in units of the noise: with eigenvalues
// l_j and vectors u_j of Psi^-1/2 C Psi^-1/2,
//   W = Psi^1/2 U_P (L_P - 1)_+^1/2,      then Psi = diag(C - W W')
// and so on in turn (Barber 2012, section 21.2). With gaps: expectation maximisation.
#include <cmath>
#include <numbers>

#include "baselines/gaussian.hpp"
#include "baselines/leading.hpp"

namespace milcci::baselines {
namespace {

// W for these noise levels, and the log-likelihood of S time points with this covariance.
void maximise_loadings(const Moments& moments, Index P, double n_samples, GaussianModel& model) {
  const Vector level = model.noise.cwiseSqrt(), inverse = level.cwiseInverse();
  const Index N = level.size();
  const Leading eigen =
      leading_eigenvectors(inverse.asDiagonal() * moments.covariance * inverse.asDiagonal(), N);
  model.W = level.asDiagonal() * eigen.vectors.leftCols(P) *
            (eigen.values.head(P).array() - 1).max(0.0).sqrt().matrix().asDiagonal();
  const Vector of_model = eigen.values.head(P).cwiseMax(1.0);
  model.log_likelihood =
      -0.5 * n_samples *
      (static_cast<double>(N) * std::log(2 * std::numbers::pi) + model.noise.array().log().sum() +
       of_model.array().log().sum() + (eigen.values.head(P).array() / of_model.array()).sum() +
       eigen.values.tail(N - P).sum());
}

GaussianModel maximise_by_turns(const Task& task, const Samples& samples, const Moments& moments,
                                GaussianModel model, const Vector& least, Descent& descent) {
  const auto n_samples = static_cast<double>(samples.values.cols());
  maximise_loadings(moments, task.n_components(), n_samples, model);
  while (descent.goes_on(-model.log_likelihood)) {
    GaussianModel next = model;
    next.noise = (moments.covariance.diagonal() - model.W.rowwise().squaredNorm()).cwiseMax(least);
    maximise_loadings(moments, task.n_components(), n_samples, next);
    if (next.log_likelihood > model.log_likelihood) model = std::move(next);
  }
  return model;
}

}  // namespace

BaselineFit fit_factor_analysis(const Task& task) {
  const Samples samples = side_by_side(task.trials);
  require_at_most(task, samples.values.rows() - 1, "channels less one");
  const Moments moments = moments_of(samples);
  const Vector least = least_noise(moments);
  GaussianModel model;
  model.offset = moments.mean;
  model.noise = moments.covariance.diagonal().cwiseMax(least);

  BaselineFit fit;
  Descent descent(task.options, task.clock, 0, static_cast<double>(samples.n_observed()));
  if (samples.n_missing > 0) {
    // A few turns on the data with means in the gaps are a good beginning.
    BaselineOptions few = task.options;
    few.max_iterations = std::min(few.max_iterations, 20);
    Descent beginning(few, task.clock, 0, static_cast<double>(samples.n_observed()));
    model = maximise_by_turns(task, samples, moments, std::move(model), least, beginning);
    model = maximise_by_em(samples, std::move(model), NoiseLevels::per_channel, least, descent);
  } else {
    model = maximise_by_turns(task, samples, moments, std::move(model), least, descent);
  }
  set_outcome(descent, fit);
  set_gaussian(task, samples, std::move(model), fit);
  return fit;
}

}  // namespace milcci::baselines
