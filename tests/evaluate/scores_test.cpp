// Scores of the parts of the data: they add up to the whole, and fall where the model is wrong.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "milcci/evaluate.hpp"
#include "milcci/simulate.hpp"
#include "support/truth_model.hpp"

namespace milcci {
namespace {

constexpr double kSum = 1e-12;  // of a sum over a few thousand entries

Trials simulated() {
  SimulateOptions options;
  options.n_channels = 12;
  options.n_trials = 20;
  options.min_length = 15;
  options.max_length = 25;
  options.missing = 0.1;
  return simulate(options);
}

// The truth with noise in its traces: every part has an error of its own.
Model spoilt(const Trials& trials) {
  Model model = model_from_truth(trials);
  for (std::size_t m = 0; m < model.traces.size(); ++m)
    model.traces[m] *= 1.0 + 0.01 * static_cast<double>(m);
  return model;
}

double sum_of_errors(const auto& scores) {
  double sum = 0;
  for (const Score& score : scores) sum += score.squared_error;
  return sum;
}

TEST(Scores, SquaredErrorsOfThePartsAddUpToTheWhole) {
  const Trials trials = simulated();
  const Model model = spoilt(trials);
  const Evaluation evaluation = evaluate(model, trials);
  double error = 0, energy = 0;
  for (std::size_t m = 0; m < trials.n_trials(); ++m) {
    const Matrix residual = trials.values[m] - model.reconstruction(m);
    for (Index i = 0; i < residual.size(); ++i) {
      if (std::isnan(residual.data()[i])) continue;
      error += std::pow(residual.data()[i], 2);
      energy += std::pow(trials.values[m].data()[i], 2);
    }
  }
  EXPECT_GT(error, 0);
  EXPECT_NEAR(evaluation.squared_error, error, kSum * error);
  EXPECT_NEAR(evaluation.relative_error, error / energy, kSum);
  ASSERT_EQ(evaluation.trials.size(), trials.n_trials());
  ASSERT_EQ(evaluation.channels.size(), 12u);
  EXPECT_NEAR(sum_of_errors(evaluation.trials), error, kSum * error);
  EXPECT_NEAR(sum_of_errors(evaluation.channels), error, kSum * error);
  for (const FittedCategory& fitted : model.categories) {
    double of_options = 0;
    std::size_t n_trials = 0;
    for (const Score& score : evaluation.labels)
      if (score.category == fitted.category.spec.name)
        of_options += score.squared_error, n_trials += score.n_trials;
    EXPECT_NEAR(of_options, error, kSum * error);
    EXPECT_EQ(n_trials, trials.n_trials());
  }
}

// R2 of the whole is the mean of the parts' R2, each with the weight of its variation.
TEST(Scores, VariationOfThePartsAddsUpToo) {
  const Trials trials = simulated();
  const Evaluation evaluation = evaluate(spoilt(trials), trials);
  double variation = 0;
  for (const Score& score : evaluation.channels)
    if (!std::isnan(score.r2)) variation += score.squared_error / (1.0 - score.r2);
  EXPECT_NEAR(evaluation.squared_error / variation, 1.0 - evaluation.r2, 1e-10);
}

TEST(Scores, FallWhereTheModelIsWrong) {
  const Trials trials = simulated();
  Model model = model_from_truth(trials);
  model.traces[7].setZero();
  for (FittedCategory& fitted : model.categories)
    for (Matrix& variant : fitted.variants) variant.row(3).setZero();
  const Evaluation evaluation = evaluate(model, trials);
  for (std::size_t m = 0; m < trials.n_trials(); ++m) {
    if (m == 7) continue;
    EXPECT_GT(evaluation.trials[m].r2, evaluation.trials[7].r2);
  }
  EXPECT_DOUBLE_EQ(evaluation.trials[7].relative_error, 1.0);
  for (std::size_t n = 0; n < 12; ++n) {
    const double r2 = evaluation.channels[n].r2;  // NaN in a channel without components
    if (n == 3 || std::isnan(r2)) continue;
    EXPECT_GT(r2, evaluation.channels[3].r2);
  }
  EXPECT_DOUBLE_EQ(evaluation.channels[3].relative_error, 1.0);
}

TEST(Scores, OfACategoryAreOfItsComponentsAloneAndOfTheOthers) {
  const Trials trials = simulated();
  Model model = model_from_truth(trials);
  ASSERT_EQ(model.categories.size(), 2u);
  const Evaluation evaluation = evaluate(model, trials);
  ASSERT_EQ(evaluation.categories.size(), 2u);
  EXPECT_NEAR(evaluation.r2, 1.0, 1e-10);
  // With two categories, one alone is what is left without the other.
  EXPECT_NEAR(evaluation.categories[0].r2, evaluation.categories[1].r2_without, 1e-10);
  EXPECT_NEAR(evaluation.categories[1].r2, evaluation.categories[0].r2_without, 1e-10);
  EXPECT_LT(evaluation.categories[0].r2_without, 0.99);
  // Without the other category its score alone is the score of the whole.
  for (Matrix& variant : model.categories[1].variants) variant.setZero();
  const Evaluation half = evaluate(model, trials);
  EXPECT_NEAR(half.categories[0].r2, half.r2, 1e-10);
  EXPECT_NEAR(half.categories[1].relative_error, 1.0, 1e-10);
}

TEST(Scores, NameTheirTrialsAndCountWhatWasObserved) {
  Trials trials = simulated();
  Model model = model_from_truth(trials);
  EXPECT_TRUE(evaluate(model, trials).trials[4].name.empty());
  for (std::size_t m = 0; m < trials.n_trials(); ++m) trials.trial_names.push_back("t" + std::to_string(m));
  for (std::size_t m = 0; m < 5; ++m)
    trials.values[m].row(2).setConstant(std::numeric_limits<double>::quiet_NaN());
  const Evaluation evaluation = evaluate(model, trials);
  EXPECT_EQ(evaluation.trials[4].name, "t4");
  EXPECT_EQ(evaluation.channels[2].n_trials, 15u);
  EXPECT_EQ(evaluation.channels[1].n_trials, 20u);
}

TEST(Scores, ChannelThatNeverChangesHasNoR2) {
  Trials trials = simulated();
  trials.truth.reset();
  for (Matrix& values : trials.values) values.row(5).setConstant(0.1);
  const Evaluation evaluation = evaluate(model_from_truth(simulated()), trials);
  EXPECT_TRUE(std::isnan(evaluation.channels[5].r2));
  EXPECT_TRUE(std::isfinite(evaluation.r2));
}

}  // namespace
}  // namespace milcci
