// The truth scores one however it is written down; what is wrong with a model shows in the score it belongs
// to.
#include "milcci/evaluate.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "milcci/error.hpp"
#include "milcci/simulate.hpp"
#include "support/truth_model.hpp"

namespace milcci {
namespace {

constexpr double kExact = 1e-10;  // sums over some 1e5 entries

SimulateOptions small() {
  SimulateOptions options;
  options.n_channels = 30;
  options.n_trials = 40;
  options.min_length = 20;
  options.max_length = 30;
  return options;
}

void expect_perfect(const Evaluation& evaluation) {
  EXPECT_NEAR(evaluation.r2, 1.0, kExact);
  EXPECT_NEAR(evaluation.relative_error, 0.0, kExact);
  EXPECT_TRUE(evaluation.dead_components.empty());
  ASSERT_TRUE(evaluation.truth);
  for (const auto& summary : {evaluation.truth->component_correlation, evaluation.truth->trace_correlation}) {
    EXPECT_NEAR(summary.mean, 1.0, kExact);
    EXPECT_NEAR(summary.min, 1.0, kExact);
    EXPECT_NEAR(summary.p05, 1.0, kExact);
  }
  EXPECT_TRUE(evaluation.truth->same_category);
}

// Component j of category k times `factor`, its traces divided by it.
void rescale(Model& model, std::size_t k, Index j, double factor) {
  Index row = j;
  for (std::size_t before = 0; before < k; ++before) row += model.categories[before].n_components();
  for (Matrix& variant : model.categories[k].variants) variant.col(j) *= factor;
  for (Matrix& trial : model.traces) trial.row(row) /= factor;
}

TEST(Evaluate, TruthScoresOne) {
  const Trials trials = simulate(small());
  const Evaluation evaluation = evaluate(model_from_truth(trials), trials);
  expect_perfect(evaluation);
  EXPECT_NEAR(evaluation.sparsity, 0.6, 1e-3);
  ASSERT_EQ(evaluation.truth->matches.size(), 4u);
  for (Index p = 0; p < 4; ++p) {
    EXPECT_EQ(evaluation.truth->matches[static_cast<std::size_t>(p)].truth, p);
    EXPECT_EQ(evaluation.truth->matches[static_cast<std::size_t>(p)].estimate, p);
  }
}

TEST(Evaluate, TruthScoresOneForEveryKindOfCategory) {
  SimulateOptions options = small();
  options.categories = {{"trial_number", 2, 1, CategoryKind::trial_number},
                        {"cue", 2, 12, CategoryKind::categorical},
                        {"animal", 1, 2, CategoryKind::free},
                        {"fixed", 2, 1, CategoryKind::fixed}};
  const Trials trials = simulate(options);
  expect_perfect(evaluate(model_from_truth(trials), trials));
}

TEST(Evaluate, TruthScoresOneWhenPermutedAndRescaled) {
  const Trials trials = simulate(small());
  Model model = model_from_truth(trials);
  for (Matrix& variant : model.categories[0].variants) variant.col(0).swap(variant.col(1));
  for (Matrix& trial : model.traces) trial.row(0).swap(trial.row(1));
  rescale(model, 0, 0, 1000.0);
  rescale(model, 1, 1, 0.01);
  const Evaluation evaluation = evaluate(model, trials);
  expect_perfect(evaluation);
  EXPECT_EQ(evaluation.truth->matches[0].estimate, 1);
  EXPECT_EQ(evaluation.truth->matches[1].estimate, 0);
}

TEST(Evaluate, TruthScoresOneWhenCategoriesAndOptionsComeInAnotherOrder) {
  const Trials trials = simulate(small());
  Model model = model_from_truth(trials);
  std::swap(model.categories[0], model.categories[1]);
  for (Matrix& trial : model.traces) {
    const Matrix moved = trial;
    trial << moved.bottomRows(2), moved.topRows(2);
  }
  FittedCategory& choice = model.categories[0];
  std::swap(choice.category.options[0], choice.category.options[1]);
  std::swap(choice.variants[0], choice.variants[1]);
  for (int& option : choice.category.option_of_trial) option = 1 - option;
  expect_perfect(evaluate(model, trials));
}

TEST(Evaluate, TruthScoresOneWhenSignsAreFlipped) {
  SimulateOptions options = small();
  for (const bool is_signed : {false, true}) {
    options.is_signed = is_signed;
    const Trials trials = simulate(options);
    Model model = model_from_truth(trials);
    rescale(model, 0, 1, -1.0);
    rescale(model, 1, 0, -2.0);
    expect_perfect(evaluate(model, trials));
  }
}

TEST(Evaluate, TraceOfTheWrongSignScoresMinusOne) {
  const Trials trials = simulate(small());
  Model model = model_from_truth(trials);
  for (Matrix& trial : model.traces) trial.row(2) *= -1.0;
  const Evaluation evaluation = evaluate(model, trials);
  EXPECT_NEAR(evaluation.truth->trace_correlation.min, -1.0, kExact);
  EXPECT_NEAR(evaluation.truth->matches[2].component_correlation, 1.0, kExact);
  EXPECT_NEAR(evaluation.truth->matches[2].trace_correlation, -1.0, kExact);
}

TEST(Evaluate, OppositePatternIsNoMatchBetweenNonNegativeFactors) {
  const Trials trials = simulate(small());
  Model model = model_from_truth(trials);
  for (Matrix& variant : model.categories[0].variants)
    variant.col(0) = (1.0 - variant.col(0).array()).matrix();
  const Evaluation evaluation = evaluate(model, trials);
  EXPECT_LT(evaluation.truth->component_correlation.min, 0.1);
}

TEST(Evaluate, ComponentsInTheWrongCategoryAreTold) {
  SimulateOptions options = small();
  options.categories = {{"a", 1, 2, CategoryKind::categorical}, {"b", 1, 2, CategoryKind::categorical}};
  const Trials trials = simulate(options);
  Model model = model_from_truth(trials);
  // The components change places; each is the mean of its variants, as a fit without the right labels finds.
  const Matrix of_a = 0.5 * (model.categories[0].variants[0] + model.categories[0].variants[1]);
  const Matrix of_b = 0.5 * (model.categories[1].variants[0] + model.categories[1].variants[1]);
  model.categories[0].variants.assign(2, of_b);
  model.categories[1].variants.assign(2, of_a);
  for (Matrix& trial : model.traces) trial.row(0).swap(trial.row(1));
  const Evaluation evaluation = evaluate(model, trials);
  EXPECT_FALSE(evaluation.truth->same_category);
  EXPECT_EQ(evaluation.truth->matches[0].true_category, "a");
  EXPECT_EQ(evaluation.truth->matches[0].estimated_category, "b");
  EXPECT_GT(evaluation.truth->component_correlation.min, 0.7);
  EXPECT_LT(evaluation.truth->component_correlation.mean, 0.99);
  EXPECT_NEAR(evaluation.truth->trace_correlation.min, 1.0, kExact);
}

TEST(Evaluate, SurplusComponentsAreLeftUnmatched) {
  const Trials trials = simulate(small());
  Model model = model_from_truth(trials);
  for (Matrix& variant : model.categories[1].variants) {
    variant.conservativeResize(Eigen::NoChange, 3);
    variant.col(2).setZero();
  }
  for (Matrix& trial : model.traces) {
    trial.conservativeResize(5, Eigen::NoChange);
    trial.row(4).setZero();
  }
  const Evaluation evaluation = evaluate(model, trials);
  EXPECT_EQ(evaluation.dead_components, std::vector<Index>{4});
  EXPECT_NEAR(evaluation.truth->component_correlation.min, 1.0, kExact);
  EXPECT_EQ(evaluation.truth->matches.size(), 4u);
  EXPECT_TRUE(evaluation.truth->same_category);
}

TEST(Evaluate, MissingComponentsCountAsNotFound) {
  const Trials trials = simulate(small());
  Model model = model_from_truth(trials);
  for (Matrix& variant : model.categories[1].variants) variant.conservativeResize(Eigen::NoChange, 1);
  for (Matrix& trial : model.traces) trial.conservativeResize(3, Eigen::NoChange);
  const Evaluation evaluation = evaluate(model, trials);
  const MatchedComponent& lost = evaluation.truth->matches[3];
  EXPECT_EQ(lost.estimate, -1);
  EXPECT_EQ(lost.estimated_category, "");
  EXPECT_EQ(lost.component_correlation, 0.0);
  EXPECT_FALSE(evaluation.truth->same_category);
  EXPECT_NEAR(evaluation.truth->component_correlation.mean, 12.0 / 14.0, kExact) << "5 + 5 + 2 + 2 options";
  EXPECT_NEAR(evaluation.truth->trace_correlation.mean, 3.0 / 4.0, kExact);
  EXPECT_EQ(evaluation.truth->component_correlation.min, 0.0);
}

TEST(Evaluate, DeadComponentIsNotFoundInItsCategory) {
  const Trials trials = simulate(small());
  Model model = model_from_truth(trials);
  for (Matrix& variant : model.categories[0].variants) variant.col(1).setZero();
  for (Matrix& trial : model.traces) trial.row(1).setZero();
  const Evaluation evaluation = evaluate(model, trials);
  EXPECT_EQ(evaluation.dead_components, std::vector<Index>{1});
  EXPECT_FALSE(evaluation.truth->same_category);
  EXPECT_EQ(evaluation.truth->matches[1].component_correlation, 0.0);
}

TEST(Evaluate, ConstantsCorrelateZeroAndNeverNaN) {
  const Trials trials = simulate(small());
  Model model = model_from_truth(trials);
  for (Matrix& variant : model.categories[0].variants) variant.col(0).setConstant(0.1);
  for (Matrix& trial : model.traces) trial.row(3).setConstant(0.3);
  const Evaluation evaluation = evaluate(model, trials);
  EXPECT_EQ(evaluation.truth->matches[0].component_correlation, 0.0);
  EXPECT_EQ(evaluation.truth->matches[3].trace_correlation, 0.0);
  EXPECT_TRUE(std::isfinite(evaluation.truth->trace_correlation.mean));
}

TEST(Evaluate, R2IsAboutEachChannelsMean) {
  const Trials trials = simulate(small());
  Model model = model_from_truth(trials);
  // Constant traces of one component per trial and loadings equal to the channel means: r2 = 0.
  Vector mean = Vector::Zero(30);
  double n = 0;
  for (const Matrix& values : trials.values) {
    mean += values.rowwise().sum();
    n += static_cast<double>(values.cols());
  }
  mean /= n;
  for (FittedCategory& category : model.categories)
    for (Matrix& variant : category.variants) variant.setZero();
  for (Matrix& variant : model.categories[0].variants) variant.col(0) = mean;
  for (Matrix& trial : model.traces) trial.setOnes();
  EXPECT_NEAR(evaluate(model, trials).r2, 0.0, kExact);
  for (Matrix& trial : model.traces) trial.setZero();
  const Evaluation nothing = evaluate(model, trials);
  EXPECT_LT(nothing.r2, 0.0);
  EXPECT_NEAR(nothing.relative_error, 1.0, kExact);
}

TEST(Evaluate, TruthScoresOneOverGaps) {
  SimulateOptions options = small();
  options.missing = 0.3;
  const Trials trials = simulate(options);
  expect_perfect(evaluate(model_from_truth(trials), trials));
}

TEST(Evaluate, MissingEntriesDoNotCount) {
  SimulateOptions options = small();
  options.noise = 0.3;
  options.missing = 0.3;
  const Trials trials = simulate(options);
  double error = 0, energy = 0, about_mean = 0;
  Vector sum = Vector::Zero(30), count = Vector::Zero(30);
  const auto for_observed = [&](const auto& visit) {
    for (std::size_t m = 0; m < trials.n_trials(); ++m) {
      const Matrix product = true_loading(trials, m) * trials.truth->traces[m];
      for (Index t = 0; t < product.cols(); ++t)
        for (Index n = 0; n < product.rows(); ++n)
          if (!std::isnan(trials.values[m](n, t))) visit(n, trials.values[m](n, t), product(n, t));
    }
  };
  for_observed([&](Index n, double value, double product) {
    error += (value - product) * (value - product);
    energy += value * value;
    sum(n) += value;
    count(n) += 1;
  });
  for_observed([&](Index n, double value, double) { about_mean += std::pow(value - sum(n) / count(n), 2); });
  const Evaluation evaluation = evaluate(model_from_truth(trials), trials);
  EXPECT_NEAR(evaluation.relative_error, error / energy, kExact);
  EXPECT_NEAR(evaluation.r2, 1.0 - error / about_mean, kExact);
}

TEST(Evaluate, ConstantDataHaveNoR2) {
  Trials trials = simulate(small());
  for (Matrix& values : trials.values) values.setZero();
  Model model = model_from_truth(trials);
  const Evaluation wrong = evaluate(model, trials);
  EXPECT_TRUE(std::isnan(wrong.r2));
  EXPECT_EQ(wrong.relative_error, 1.0);
  for (Matrix& trial : model.traces) trial.setZero();
  const Evaluation right = evaluate(model, trials);
  EXPECT_TRUE(std::isnan(right.r2));
  EXPECT_TRUE(std::isnan(right.categories[0].r2_without));
  EXPECT_EQ(right.relative_error, 0.0);
  EXPECT_EQ(to_table(right).find("nan"), std::string::npos) << to_table(right);
}

// A sum of many equal numbers is off by rounding, and so is their mean.
TEST(Evaluate, ConstantsThatAddUpInexactlyHaveNoR2) {
  SimulateOptions long_trials = small();
  long_trials.min_length = long_trials.max_length = 5000;
  Trials trials = simulate(long_trials);
  for (Matrix& values : trials.values)
    for (Index n = 0; n < values.rows(); ++n) values.row(n).setConstant(0.1 + 0.3 * static_cast<double>(n));
  EXPECT_TRUE(std::isnan(evaluate(model_from_truth(trials), trials).r2));
}

TEST(Evaluate, TrialsWithoutTruthAreScoredWithoutIt) {
  Trials trials = simulate(small());
  const Model model = model_from_truth(trials);
  trials.truth.reset();
  const Evaluation evaluation = evaluate(model, trials);
  EXPECT_FALSE(evaluation.truth);
  EXPECT_NEAR(evaluation.r2, 1.0, kExact);
}

TEST(Evaluate, OtherShapesAreRefusedWithTheirCounts) {
  const Trials trials = simulate(small());
  const auto message_of = [&](const Model& model, const Trials& given) -> std::string {
    try {
      evaluate(model, given);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::bad_input);
      return error.what();
    }
    return "not refused";
  };
  const auto expect_told = [](const std::string& message, const std::vector<std::string>& parts) {
    for (const std::string& part : parts) EXPECT_NE(message.find(part), std::string::npos) << message;
  };
  Model model = model_from_truth(trials);
  model.traces.pop_back();
  expect_told(message_of(model, trials), {"40 trials", "39"});

  model = model_from_truth(trials);
  model.channel_names.pop_back();
  expect_told(message_of(model, trials), {"30 channels", "29"});

  model = model_from_truth(trials);
  model.channel_names[4] = "renamed";
  expect_told(message_of(model, trials), {"channel 5", "renamed"});

  model = model_from_truth(trials);
  model.traces[2].conservativeResize(Eigen::NoChange, 7);
  expect_told(message_of(model, trials), {"trial 3", "7"});

  Trials relabelled = trials;
  std::get<LabelColumn::Texts>(relabelled.labels[1].values)[5] = "middle";
  expect_told(message_of(model_from_truth(trials), relabelled), {"trial 6", "middle", "choice"});
}

// Three components of difficulty, whose variants are drawn anew for every option, and two of choice.
SimulateOptions independent_variants() {
  SimulateOptions options = small();
  options.categories = {{"difficulty", 3, 4, CategoryKind::ordinal},
                        {"choice", 2, 2, CategoryKind::categorical}};
  options.variation = Variation::independent;
  return options;
}

// Under option i the components of category k, and their traces, move on by i places.
void rotate_under_options(Model& model, std::size_t k) {
  FittedCategory& fitted = model.categories[k];
  const Index n = fitted.n_components();
  Index first = 0;
  for (std::size_t before = 0; before < k; ++before) first += model.categories[before].n_components();
  for (std::size_t i = 0; i < fitted.variants.size(); ++i) {
    const Matrix variant = fitted.variants[i];
    for (Index j = 0; j < n; ++j) fitted.variants[i].col((j + static_cast<Index>(i)) % n) = variant.col(j);
  }
  for (std::size_t m = 0; m < model.traces.size(); ++m) {
    const Matrix traces = model.traces[m];
    for (Index j = 0; j < n; ++j)
      model.traces[m].row(first + (j + fitted.category.option_of_trial[m]) % n) = traces.row(first + j);
  }
}

TEST(EvaluateFree, TruthScoresOneWhenPermutedUnderEachOption) {
  const Trials trials = simulate(independent_variants());
  Model model = model_from_truth(trials);
  for (const std::size_t k : {0u, 1u}) {
    rotate_under_options(model, k);
    model.categories[k].category.spec.kind = CategoryKind::free;
  }
  const Evaluation evaluation = evaluate(model, trials);
  expect_perfect(evaluation);
  for (const Index j : {0, 1, 2}) {
    const MatchedComponent& match = evaluation.truth->matches[static_cast<std::size_t>(j)];
    ASSERT_EQ(match.per_option.size(), 4u);
    for (const Index i : {0, 1, 2, 3}) {
      EXPECT_EQ(match.per_option[static_cast<std::size_t>(i)].option, std::to_string(i + 1));
      EXPECT_EQ(match.per_option[static_cast<std::size_t>(i)].estimate, (j + i) % 3);
    }
    EXPECT_EQ(match.estimate, j) << "options 1 and 4";
  }
  EXPECT_NE(evaluation.truth->matches[3].estimate, evaluation.truth->matches[4].estimate)
      << "as many trials under either option, but no component stands for two";
}

TEST(EvaluateFree, TruthScoresOneWhenSignsAreFlippedUnderSomeOptions) {
  SimulateOptions options = independent_variants();
  for (const bool is_signed : {false, true}) {
    options.is_signed = is_signed;
    const Trials trials = simulate(options);
    Model model = model_from_truth(trials);
    rotate_under_options(model, 0);
    FittedCategory& difficulty = model.categories[0];
    difficulty.category.spec.kind = CategoryKind::free;
    for (const std::size_t i : {1u, 3u}) difficulty.variants[i].col(2) *= -1.0;
    for (std::size_t m = 0; m < model.traces.size(); ++m)
      if (difficulty.category.option_of_trial[m] % 2 == 1) model.traces[m].row(2) *= -1.0;
    expect_perfect(evaluate(model, trials));
  }
}

TEST(EvaluateFree, OtherCategoriesAreMatchedOnceForAllOptions) {
  const Trials trials = simulate(independent_variants());
  Model model = model_from_truth(trials);
  for (const std::size_t k : {0u, 1u}) rotate_under_options(model, k);
  const Evaluation tied = evaluate(model, trials);
  model.categories[0].category.spec.kind = CategoryKind::free;
  const Evaluation mixed = evaluate(model, trials);
  for (const std::size_t position : {0u, 1u, 2u}) {
    EXPECT_LT(tied.truth->matches[position].component_correlation, 0.8);
    EXPECT_NEAR(mixed.truth->matches[position].component_correlation, 1.0, kExact);
    EXPECT_NEAR(mixed.truth->matches[position].trace_correlation, 1.0, kExact);
  }
  for (const std::size_t position : {3u, 4u}) {
    const MatchedComponent &before = tied.truth->matches[position], &after = mixed.truth->matches[position];
    EXPECT_LT(before.component_correlation, 0.8);
    EXPECT_EQ(after.component_correlation, before.component_correlation);
    EXPECT_EQ(after.trace_correlation, before.trace_correlation);
    EXPECT_EQ(after.estimate, before.estimate);
    EXPECT_TRUE(after.per_option.empty());
  }
}

TEST(EvaluateFree, ComponentsOfAnotherCategoryAreTold) {
  SimulateOptions options = small();
  options.categories = {{"a", 2, 3, CategoryKind::categorical}, {"b", 1, 2, CategoryKind::categorical}};
  const Trials trials = simulate(options);
  Model model = model_from_truth(trials);
  // The last component of a and the one of b change places, each with the mean of its variants.
  Matrix of_a = Matrix::Zero(30, 1), of_b = Matrix::Zero(30, 1);
  for (const Matrix& variant : model.categories[0].variants) of_a += variant.col(1);
  for (const Matrix& variant : model.categories[1].variants) of_b += variant.col(0);
  for (Matrix& variant : model.categories[0].variants) variant.col(1) = of_b;
  for (Matrix& variant : model.categories[1].variants) variant.col(0) = of_a;
  for (Matrix& trial : model.traces) trial.row(1).swap(trial.row(2));
  rotate_under_options(model, 0);
  for (FittedCategory& fitted : model.categories) fitted.category.spec.kind = CategoryKind::free;
  const Evaluation evaluation = evaluate(model, trials);
  EXPECT_FALSE(evaluation.truth->same_category);
  EXPECT_EQ(evaluation.truth->matches[0].estimated_category, "a");
  EXPECT_EQ(evaluation.truth->matches[1].estimated_category, "b");
  EXPECT_EQ(evaluation.truth->matches[2].estimated_category, "a");
  EXPECT_NEAR(evaluation.truth->matches[0].component_correlation, 1.0, kExact);
  EXPECT_NEAR(evaluation.truth->trace_correlation.min, 1.0, kExact);
}

TEST(EvaluateFree, ComponentThatIsZeroUnderEveryOptionIsNotFound) {
  const Trials trials = simulate(independent_variants());
  Model model = model_from_truth(trials);
  for (Matrix& variant : model.categories[0].variants) variant.col(1).setZero();
  for (Matrix& trial : model.traces) trial.row(1).setZero();
  rotate_under_options(model, 0);
  model.categories[0].category.spec.kind = CategoryKind::free;
  const Evaluation evaluation = evaluate(model, trials);
  EXPECT_TRUE(evaluation.dead_components.empty()) << "no place is zero under all options";
  EXPECT_FALSE(evaluation.truth->same_category);
  EXPECT_EQ(evaluation.truth->matches[1].component_correlation, 0.0);
  EXPECT_NEAR(evaluation.truth->matches[0].component_correlation, 1.0, kExact);
}

}  // namespace
}  // namespace milcci
