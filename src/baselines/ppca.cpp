// Probabilistic PCA (Tipping and Bishop 1999): y = b + W z + noise, z ~ N(0, I), noise ~ N(0, sigma^2 I).
// Without gaps the maximum likelihood is known: with eigenvalues l_1 >= l_2 >= ... of the covariance and
// their vectors u_j,
//   sigma^2 = mean of l_{P+1}, ..., l_N,   W = U_P (L_P - sigma^2)^1/2
// With gaps it is where expectation maximisation begins.
#include <cmath>
#include <numbers>

#include "baselines/gaussian.hpp"
#include "baselines/leading.hpp"

namespace milcci::baselines {

BaselineFit fit_ppca(const Task& task) {
  const Samples samples = side_by_side(task.trials);
  const Index N = samples.values.rows(), P = task.n_components();
  require_at_most(task, N - 1, "channels less one");
  const Moments moments = moments_of(samples);
  const Vector least = least_noise(moments);
  const Leading eigen = leading_eigenvectors(moments.covariance, N);
  const double noise = std::max(eigen.values.tail(N - P).mean(), least.maxCoeff());
  GaussianModel model;
  model.offset = moments.mean;
  model.noise = Vector::Constant(N, noise);
  model.W = eigen.vectors.leftCols(P) *
            (eigen.values.head(P).array() - noise).max(0.0).sqrt().matrix().asDiagonal();

  BaselineFit fit;
  if (samples.n_missing > 0) {
    Descent descent(task.options, task.clock, 0, static_cast<double>(samples.n_observed()));
    model = maximise_by_em(samples, std::move(model), NoiseLevels::common, least, descent);
    set_outcome(descent, fit);
  } else {
    // -S/2 (N log 2 pi + log |C| + tr C^-1 covariance), C = W W' + sigma^2 I
    const Vector of_model = eigen.values.head(P).cwiseMax(noise);
    const double rest = static_cast<double>(N - P) * std::log(noise) + eigen.values.tail(N - P).sum() / noise;
    model.log_likelihood =
        -0.5 * static_cast<double>(samples.values.cols()) *
        (static_cast<double>(N) * std::log(2 * std::numbers::pi) + of_model.array().log().sum() +
         (eigen.values.head(P).array() / of_model.array()).sum() + rest);
    fit.objective = {-model.log_likelihood};
    fit.iterations = 1;
  }
  set_gaussian(task, samples, std::move(model), fit);
  return fit;
}

}  // namespace milcci::baselines
