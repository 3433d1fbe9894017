// What probabilistic PCA and factor analysis share: y = b + W z + noise, z ~ N(0, I), noise ~ N(0, Psi),
// Psi diagonal, with one value for all channels (PPCA) or one per channel (factor analysis).
#pragma once

#include "baselines/methods.hpp"
#include "baselines/moments.hpp"

namespace milcci::baselines {

enum class NoiseLevels { common, per_channel };

struct GaussianModel {
  Matrix W;       ///< N x P
  Vector offset;  ///< b, N
  Vector noise;   ///< the diagonal of Psi, N
  double log_likelihood = 0;
};

/// Noise variances are not let below this, so that the likelihood of data without noise stays finite.
Vector least_noise(const Moments& moments);

/// Maximum likelihood over observed entries by expectation maximisation, from this model.
GaussianModel maximise_by_em(const Samples& samples, GaussianModel model, NoiseLevels levels,
                             const Vector& least_noise, Descent& descent);

/// Turns W to its principal axes (W' Psi^-1 W diagonal, largest first), and sets traces, rule and degrees of
/// freedom.
void set_gaussian(const Task& task, const Samples& samples, GaussianModel model, BaselineFit& fit);

}  // namespace milcci::baselines
