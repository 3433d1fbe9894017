#include "data/trial_data.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/random_problem.hpp"
#include "support/tolerances.hpp"

namespace milcci {
namespace {

TEST(TrialData, ReadsMissingEntriesAsZeroAndListsThem) {
  const Trials trials = testing::random_trials({.missing = 0.3});
  const TrialData data(trials);
  TrialBuffer buffer;
  for (std::size_t m = 0; m < trials.n_trials(); ++m) {
    const TrialData::View y = data.values(m, buffer);
    const Gaps* gaps = data.gaps(m);
    ASSERT_NE(gaps, nullptr);
    std::size_t position = 0;
    for (Index t = 0; t < y.cols(); ++t)
      for (Index n = 0; n < y.rows(); ++n) {
        const bool is_missing = std::isnan(trials.values[m](n, t));
        EXPECT_EQ(y(n, t), is_missing ? 0.0 : trials.values[m](n, t));
        if (is_missing) {
          EXPECT_EQ(gaps->channel[position++], n);
        }
        const Index n_fours = (y.rows() + 3) / 4;
        const auto by_time = gaps->observed[static_cast<std::size_t>(t * n_fours + n / 4)];
        const auto by_channel = gaps->missing[static_cast<std::size_t>(t / 4 * y.rows() + n)];
        EXPECT_EQ((by_time >> n % 4 & 1) == 0, is_missing);
        EXPECT_EQ((by_channel >> t % 4 & 1) == 1, is_missing);
      }
    EXPECT_EQ(position, gaps->channel.size());
  }
}

TEST(TrialData, PointsAtTheTrialsWithoutCopyingThem) {
  const Trials trials = testing::random_trials({});
  const TrialData data(trials);
  TrialBuffer buffer;
  EXPECT_EQ(data.values(3, buffer).data(), trials.values[3].data());
}

TEST(TrialData, MeasuresEnergyAndVariationOverObservedEntries) {
  const Trials trials = testing::random_trials({.missing = 0.2});
  const TrialData data(trials);
  double energy = 0, variation = 0;
  for (Index n = 0; n < trials.n_channels(); ++n) {
    std::vector<double> seen;
    for (const Matrix& y : trials.values)
      for (Index t = 0; t < y.cols(); ++t)
        if (!std::isnan(y(n, t))) seen.push_back(y(n, t));
    double mean = 0;
    for (const double x : seen) mean += x / static_cast<double>(seen.size());
    for (const double x : seen) energy += x * x, variation += (x - mean) * (x - mean);
  }
  EXPECT_NEAR(data.energy(), energy, testing::kSolve * energy);
  EXPECT_NEAR(data.variation(), variation, testing::kSolve * energy);
}

TEST(TrialData, AppliesTanhToObservedEntries) {
  const Trials trials = testing::random_trials({.missing = 0.1});
  const TrialData data(trials, Transform::tanh);
  TrialBuffer buffer;
  const TrialData::View y = data.values(0, buffer);
  for (Index i = 0; i < y.size(); ++i)
    if (!std::isnan(trials.values[0].data()[i])) {
      EXPECT_NEAR(y.data()[i], std::tanh(trials.values[0].data()[i]), 1e-15);
    }
}

TEST(TrialData, WeighsStepsByTheSquaredRatioToTheTypicalOne) {
  Trials trials = testing::random_trials({.n_trials = 3, .min_length = 5, .max_length = 5});
  for (const double step : {0.1, 0.1, 0.2}) trials.times.push_back(Vector::LinSpaced(5, 0.0, 4 * step));
  const TrialData data(trials);
  EXPECT_EQ(data.step_weights(0).size(), 0);
  EXPECT_NEAR(data.step_weights(2)(0), 0.25, testing::kSolve);
}

}  // namespace
}  // namespace milcci
