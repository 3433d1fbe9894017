// How long the search averages over: as noise asks for and signals allow.
#include "start/stretch_width.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "milcci/trials.hpp"
#include "util/random.hpp"

namespace milcci {
namespace {

struct Waves {
  double period = 100.0;  // of every trace, with a phase of its own in every trial; 0: white traces
  double noise = 3.0;     // in standard deviations of the signal
  Index n_channels = 40, n_times = 100;
  std::size_t n_trials = 40;
};

// Three traces that all channels share, and noise of their own.
Trials waves(const Waves& w) {
  Random random(1, 0);
  Trials trials;
  const Matrix A = random.normal(w.n_channels, 3) / std::sqrt(3.0);
  for (std::size_t m = 0; m < w.n_trials; ++m) {
    Matrix phi = random.normal(3, w.n_times);
    if (w.period > 0)
      for (Index j = 0; j < 3; ++j) {
        const double phase = random.uniform();
        for (Index t = 0; t < w.n_times; ++t)
          phi(j, t) = std::numbers::sqrt2 *
                      std::sin(2.0 * std::numbers::pi * (static_cast<double>(t) / w.period + phase));
      }
    trials.values.push_back(A * phi + w.noise * random.normal(w.n_channels, w.n_times));
  }
  return trials;
}

Index width_of(const Trials& trials, int threads = 1) {
  return stretch_width(TrialData(trials), threads);
}

TEST(StretchWidth, IsOneWhereNoiseIsSmall) {
  for (const double period : {0.0, 5.0, 20.0, 100.0, 1000.0})
    for (const double noise : {0.0, 0.1, 0.5})
      EXPECT_EQ(width_of(waves({.period = period, .noise = noise})), 1) << period << " " << noise;
}

TEST(StretchWidth, GrowsWithTheNoiseOfSlowSignals) {
  EXPECT_EQ(width_of(waves({.noise = 1.3})), 2);
  EXPECT_EQ(width_of(waves({.noise = 1.8})), 4);
  EXPECT_EQ(width_of(waves({.noise = 2.6})), 8);
  EXPECT_EQ(width_of(waves({.noise = 3.5})), 16);
}

// What channels have in common is small beside the noise: a few thousand time points do not tell it.
TEST(StretchWidth, LooksAtMoreDataTheLouderTheNoise) {
  for (const double noise : {5.0, 5.5, 6.0, 6.5})
    EXPECT_GE(width_of(waves({.period = 500, .noise = noise, .n_times = 500, .n_trials = 160})), 8) << noise;
}

TEST(StretchWidth, IsNoLongerThanTheTrials) {
  for (const Index n_times : {1, 3, 10})
    EXPECT_LE(width_of(waves({.noise = 3.5, .n_times = n_times})), n_times) << n_times;
}

TEST(StretchWidth, LeavesSignalsThatChangeFast) {
  EXPECT_EQ(width_of(waves({.period = 0.0})), 1);  // unrelated time points
  EXPECT_EQ(width_of(waves({.period = 3.0})), 1);
  EXPECT_EQ(width_of(waves({.period = 10.0})), 2);
  EXPECT_EQ(width_of(waves({.period = 20.0})), 4);
}

TEST(StretchWidth, LeavesFastSignalsBesideSlowOnes) {
  Trials both = waves({});
  const Trials fast = waves({.period = 0.0, .noise = 0.0});
  for (std::size_t m = 0; m < both.n_trials(); ++m) both.values[m] += 2.0 * fast.values[m];
  EXPECT_EQ(width_of(both), 1);
}

TEST(StretchWidth, LeavesNoiseThatIsSmoothItself) {
  Trials trials = waves({});
  for (Matrix& y : trials.values)  // a running mean, as rates are made of counts
    for (Index t = 0; t + 4 < y.cols(); ++t) y.col(t) = y.middleCols(t, 5).rowwise().mean().eval();
  EXPECT_EQ(width_of(trials), 1);
}

TEST(StretchWidth, DoesNotDependOnOffsetsOfChannelsNorOnGaps) {
  Random random(2, 0);
  const Vector offset = 100.0 * random.normal(40, 1);
  for (const auto& [period, width] : {std::pair{100.0, 16}, {20.0, 4}, {10.0, 2}}) {
    Trials trials = waves({.period = period});
    EXPECT_EQ(width_of(trials), width);
    for (Matrix& y : trials.values) y.colwise() += offset;
    EXPECT_EQ(width_of(trials), width);
    for (Matrix& y : trials.values)
      for (Index i = 0; i < y.size(); ++i)
        if (random.uniform() < 0.3) y.data()[i] = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(width_of(trials), width);
  }
}

TEST(StretchWidth, IsOneWhereNothingCanBeTold) {
  EXPECT_EQ(width_of(waves({.n_times = 1})), 1);
  EXPECT_EQ(width_of(waves({.n_times = 2})), 1);
  EXPECT_EQ(width_of(waves({.n_channels = 1})), 1);
  EXPECT_EQ(width_of(waves({.n_times = 6, .n_trials = 1})), 1);
  Trials constant = waves({});
  for (Matrix& y : constant.values) y.setConstant(2.0);
  EXPECT_EQ(width_of(constant), 1);
}

TEST(StretchWidth, IsTheSameForAnyNumberOfThreads) {
  const Trials trials = waves({.noise = 3.5});
  for (const int threads : {1, 2, 3, 7}) EXPECT_EQ(width_of(trials, threads), 16);
}

}  // namespace
}  // namespace milcci
