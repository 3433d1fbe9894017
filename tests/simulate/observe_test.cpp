// What a recording shows of the components: noise, baselines, counts and outliers as they were asked for.
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "milcci/simulate.hpp"
#include "support/truth_model.hpp"

namespace milcci {
namespace {

SimulateOptions small() {
  SimulateOptions options;
  options.n_channels = 30;
  options.n_trials = 40;
  options.min_length = options.max_length = 50;
  return options;
}

// What is left of every trial without what its components make.
std::vector<Matrix> rest_of(const Trials& trials) {
  std::vector<Matrix> rest;
  for (std::size_t m = 0; m < trials.n_trials(); ++m)
    rest.push_back(trials.values[m] - true_loading(trials, m) * trials.truth->traces[m]);
  return rest;
}

double deviation_of(const std::vector<Matrix>& values) {
  double n = 0, sum = 0, squares = 0;
  for (const Matrix& y : values) n += static_cast<double>(y.size()), sum += y.sum();
  for (const Matrix& y : values) squares += (y.array() - sum / n).square().sum();
  return std::sqrt(squares / n);
}

TEST(Observe, NoiseLevelsSpreadOverChannelsAndAreInTheTruth) {
  SimulateOptions options = small();
  options.n_channels = 200;
  const double deviation = deviation_of(simulate(options).values);
  options.noise = 0.5;
  EXPECT_LT((simulate(options).truth->noise.array() / (0.5 * deviation) - 1).abs().maxCoeff(), 1e-12);
  options.noise_spread = 0.7;
  const Trials trials = simulate(options);
  const Vector& levels = trials.truth->noise;
  ASSERT_EQ(levels.size(), 200);
  EXPECT_NEAR(std::sqrt(levels.squaredNorm() / 200), 0.5 * deviation, 1e-12);
  const Vector logs = levels.array().log();
  EXPECT_NEAR(std::sqrt((logs.array() - logs.mean()).square().mean()), 0.7, 0.15);
  Vector squares = Vector::Zero(200);
  for (const Matrix& rest : rest_of(trials)) squares += rest.rowwise().squaredNorm();
  for (Index n = 0; n < 200; ++n)  // 2000 draws: 1.6 % of the level
    EXPECT_NEAR(std::sqrt(squares(n) / 2000) / levels(n), 1.0, 0.08) << n;
}

TEST(Observe, SmoothedNoiseKeepsItsLevelAndForgetsAsAGaussianDoes) {
  SimulateOptions options = small();
  const double deviation = deviation_of(simulate(options).values);
  options.noise = 1;
  options.noise_smoothing = 3;
  const std::vector<Matrix> rest = rest_of(simulate(options));
  EXPECT_NEAR(deviation_of(rest) / deviation, 1.0, 0.03);
  double at_ends = 0, n_ends = 0;
  for (const Matrix& noise : rest)
    at_ends += noise.col(0).squaredNorm() + noise.col(49).squaredNorm(), n_ends += 60;
  EXPECT_NEAR(std::sqrt(at_ends / n_ends) / deviation, 1.0, 0.06) << "as large at the ends as elsewhere";
  for (const Index lag : {1, 3, 6, 12}) {
    double products = 0, squares = 0;
    for (const Matrix& noise : rest) {
      products += noise.leftCols(50 - lag).cwiseProduct(noise.rightCols(50 - lag)).sum();
      squares += noise.leftCols(50 - lag).squaredNorm();
    }
    const double x = static_cast<double>(lag) / 3;
    EXPECT_NEAR(products / squares, std::exp(-0.25 * x * x), 0.05) << "lag " << lag;
  }
}

TEST(Observe, BaselineIsOneNumberPerChannel) {
  SimulateOptions options = small();
  options.n_channels = 400;
  const double deviation = deviation_of(simulate(options).values);
  options.baseline = 5;
  const Trials trials = simulate(options);
  const Vector offset = trials.truth->offset / deviation;
  ASSERT_EQ(offset.size(), 400);
  EXPECT_GE(offset.minCoeff(), 2.5);
  EXPECT_LE(offset.maxCoeff(), 7.5);
  EXPECT_NEAR(offset.mean(), 5, 0.35);  // standard error 0.07
  for (const Matrix& rest : rest_of(trials))
    EXPECT_LT((rest.colwise() - trials.truth->offset).cwiseAbs().maxCoeff(), 1e-12);

  options.is_signed = true;
  const Vector either = simulate(options).truth->offset;
  EXPECT_NEAR(static_cast<double>((either.array() < 0).count()), 200, 50);
}

TEST(Observe, OutliersAreMultipliedAndNothingElse) {
  SimulateOptions options = small();
  options.noise = 0.2;
  const Trials clean = simulate(options);
  EXPECT_EQ(options.outlier_size, 20);
  options.outliers = 0.03;
  const Trials trials = simulate(options);
  double n = 0, n_outliers = 0;
  for (std::size_t m = 0; m < trials.n_trials(); ++m)
    for (Index e = 0; e < trials.values[m].size(); ++e, ++n) {
      if (trials.values[m].data()[e] == clean.values[m].data()[e]) continue;
      EXPECT_EQ(trials.values[m].data()[e], 20 * clean.values[m].data()[e]);
      ++n_outliers;
    }
  EXPECT_NEAR(n_outliers / n, 0.03, 0.004);  // standard error 0.0007
}

TEST(Observe, CountsAreWholeNumbersWhoseMeanAndVarianceAreTheRate) {
  for (const double mean : {0.1, 3.0, 200.0}) {
    SimulateOptions options = small();
    options.counts = mean;
    const Trials trials = simulate(options);
    double n = 0, sum = 0, rates = 0, squares = 0;
    for (std::size_t m = 0; m < trials.n_trials(); ++m) {
      const Matrix rate = true_loading(trials, m) * trials.truth->traces[m];
      const Matrix& y = trials.values[m];
      EXPECT_TRUE((y.array() >= 0 && y.array() == y.array().floor()).all());
      EXPECT_TRUE(((rate.array() < 1e-300) <= (y.array() == 0)).all()) << "no rate, no counts";
      n += static_cast<double>(y.size()), sum += y.sum(), rates += rate.sum();
      squares += (y - rate).squaredNorm();
    }
    EXPECT_NEAR(rates / n, mean, 1e-9 * mean);
    const double error = std::sqrt(mean / n);
    EXPECT_NEAR(sum / n, mean, 5 * error);
    EXPECT_NEAR(squares / rates, 1.0, 0.05 + 5 * error) << "variance over mean";
  }
}

TEST(Observe, CountsHaveTheirBaselineInTheRate) {
  SimulateOptions options = small();
  options.counts = 2;
  options.baseline = 1;
  const Trials trials = simulate(options);
  const Vector& offset = trials.truth->offset;
  Vector sum = Vector::Zero(30);
  double n = 0, rates = 0;
  for (std::size_t m = 0; m < trials.n_trials(); ++m) {
    const Matrix rate = (true_loading(trials, m) * trials.truth->traces[m]).colwise() + offset;
    sum += (trials.values[m] - rate).rowwise().sum();
    rates += rate.sum(), n += static_cast<double>(rate.size());
  }
  EXPECT_NEAR(rates / n, 2, 1e-9);
  EXPECT_LT((sum / 2000).cwiseAbs().maxCoeff(), 5 * std::sqrt(2 * rates / n / 2000));
}

TEST(Observe, PureNoiseHasNoTruthAndNoSignal) {
  SimulateOptions options = small();
  const double deviation = deviation_of(simulate(options).values);
  options.pure_noise = true;
  options.noise = 0.5;
  const Trials trials = simulate(options);
  EXPECT_FALSE(trials.truth);
  EXPECT_NEAR(deviation_of(trials.values), 0.5 * deviation, 0.02 * deviation);
  Vector sum = Vector::Zero(30);
  for (const Matrix& y : trials.values) sum += y.rowwise().sum();
  EXPECT_LT((sum / 2000).cwiseAbs().maxCoeff(), 5 * 0.5 * deviation / std::sqrt(2000));

  // Counts of chance alone: as variable as their mean.
  options.noise = 0;
  options.counts = 1;
  const Trials counts = simulate(options);
  Vector n = Vector::Zero(30), squares = n;
  for (const Matrix& y : counts.values) n += y.rowwise().sum(), squares += y.rowwise().squaredNorm();
  for (Index c = 0; c < 30; ++c) {
    const double mean = n(c) / 2000;
    if (mean == 0) continue;
    EXPECT_NEAR((squares(c) / 2000 - mean * mean) / mean, 1.0, 0.2) << "channel " << c;
  }
}

TEST(Observe, HistoryTellsWhatWasAskedFor) {
  SimulateOptions options = small();
  options.baseline = 2;
  options.seed = 7;
  const Trials trials = simulate(options);
  ASSERT_EQ(trials.history.size(), 1u);
  const auto step = nlohmann::json::parse(trials.history[0]);
  EXPECT_EQ(step["step"], "simulate");
  EXPECT_EQ(step["categories"][0], "difficulty=2:5:ordinal");
  EXPECT_EQ(step["options"]["baseline"], 2);
  EXPECT_EQ(step["options"]["seed"], 7);
  EXPECT_EQ(step["options"]["dynamics"], false);
}

}  // namespace
}  // namespace milcci
