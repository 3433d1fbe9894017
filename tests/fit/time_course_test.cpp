// What a trace tells about its noise: from traces that were made of a signal and noise.
#include "fit/time_course.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "milcci/evaluate.hpp"
#include "milcci/fit.hpp"
#include "milcci/simulate.hpp"
#include "support/simulated_fit.hpp"
#include "util/random.hpp"

namespace milcci {
namespace {

constexpr double kNoise = 0.7, kExpected = 0.5;  // sigma^2, and the error that it should make, over sigma^2

// A signal, first-order autoregressive with correlation rho and variance 4, and an error of the variance
// kNoise * error: white, or the mean of `width` neighbours of white noise.
TraceMoments moments(double rho, double error, int width = 1, Index n = 20'000) {
  Random random(5, 1);
  const Matrix steps = std::sqrt(4.0 * (1 - rho * rho)) * random.normal(n, 1);
  const Matrix white = std::sqrt(error * kNoise * width) * random.normal(n + width, 1);
  Matrix phi(n, 1);
  double signal = 2.0 * random.normal(1, 1)(0);
  for (Index t = 0; t < n; ++t) {
    phi(t) = signal + white.middleRows(t, width).mean();
    signal = rho * signal + steps(t);
  }
  const auto difference = [&](Index h) {
    return Vector::Constant(1, (phi.bottomRows(n - h) - phi.topRows(n - h)).squaredNorm());
  };
  TraceMoments sums;
  sums.n = static_cast<double>(n), sums.n_steps = sums.n - 1, sums.n_lag2 = sums.n - 2;
  sums.squares = Vector::Constant(1, phi.squaredNorm());
  sums.steps = sums.lag1 = difference(1);
  sums.lag2 = difference(2);
  return sums;
}

double found(const TraceMoments& sums, double residual1 = 0, double residual2 = 0) {
  const Vector residual{{1, residual1, residual2}};
  return measured_error(sums, 0, kNoise, kExpected, residual);
}

TEST(MeasuredError, IsFoundInSlowTraces) {
  EXPECT_NEAR(found(moments(0.99, 1.0)), 1.0, 0.2);
  EXPECT_NEAR(found(moments(0.9, 1.0)), 1.0, 0.2);
  EXPECT_EQ(found(moments(0.99, kExpected)), kExpected);  // no louder than is expected
}

TEST(MeasuredError, IsNotWhatAFastSignalDoes) {
  for (const double rho : {0.0, 0.3, 0.6, 0.8}) EXPECT_LT(found(moments(rho, kExpected)), 0.6) << rho;
}

TEST(MeasuredError, IsFoundBesideResidualsThatFollowEachOther) {
  EXPECT_NEAR(found(moments(0.99, 1.0, 2), 0.5, 0.0), kExpected, 0.0);  // next to as slow as a signal may be
  EXPECT_NEAR(found(moments(0.99, 1.0), 0.01, 0.0), 1.0, 0.2);
}

TEST(MeasuredError, NeedsEnoughTimePoints) {
  EXPECT_EQ(found(moments(0.99, 1.0, 1, 50)), kExpected);
}

// Estimated without it, one component of these turns into a single channel: 0.59 and 0.80.
TEST(MeasuredError, KeepsComponentsOfLowCountsFromTurningIntoChannels) {
  for (const std::uint64_t seed : {1, 3}) {
    SimulateOptions simulated = testing::small_paper(seed);
    simulated.n_channels = 50;
    simulated.n_trials = 60;
    simulated.min_length = simulated.max_length = 100;
    simulated.counts = 0.3;
    const Trials trials = simulate(simulated);
    FitOptions options = testing::options_for(simulated);
    options.penalties = PenaltyChoice::automatic;
    EXPECT_GT(evaluate(fit(trials, options).model, trials).truth->component_correlation.mean, 0.97) << seed;
  }
}

}  // namespace
}  // namespace milcci
