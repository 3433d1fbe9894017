// Transitions are compared in the order, signs and scale of the true components.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "milcci/evaluate.hpp"
#include "milcci/simulate.hpp"
#include "support/expect_error.hpp"
#include "support/tolerances.hpp"
#include "support/truth_model.hpp"

namespace milcci {
namespace {

Trials dynamic_trials(bool is_signed = true) {
  SimulateOptions options;
  options.n_channels = 25;
  options.n_trials = 30;
  options.min_length = options.max_length = 40;
  options.is_signed = is_signed;
  options.dynamics = true;
  return simulate(options);
}

Model model_with_transitions(const Trials& trials) {
  Model model = model_from_truth(trials);
  model.transitions = trials.truth->transitions;
  return model;
}

void expect_perfect(const Model& model, const Trials& trials) {
  const TruthComparison truth = *evaluate(model, trials).truth;
  ASSERT_TRUE(truth.transition_correlation && truth.transition_change_correlation);
  EXPECT_NEAR(truth.transition_correlation->min, 1.0, testing::kExact);
  EXPECT_NEAR(truth.transition_change_correlation->min, 1.0, testing::kExact);
}

TEST(Transitions, OfTheTruthCorrelatePerfectly) {
  const Trials trials = dynamic_trials();
  expect_perfect(model_with_transitions(trials), trials);
}

TEST(Transitions, AreComparedWhateverOrderSignAndScaleComponentsHave) {
  const Trials trials = dynamic_trials();
  Model model = model_with_transitions(trials);
  // The two components of each category swapped; the signs of one flipped; every variant at a length of its
  // own, with traces and transitions to match.
  for (FittedCategory& fitted : model.categories)
    for (Matrix& variant : fitted.variants) variant.col(0).swap(variant.col(1));
  const std::vector<Index> order = {1, 0, 3, 2};
  for (std::size_t m = 0; m < trials.n_trials(); ++m) {
    model.traces[m] = model.traces[m](order, Eigen::all).eval();
    model.transitions[m] = model.transitions[m](order, order).eval();
  }
  for (Index first = 0; FittedCategory & fitted : model.categories) {
    for (std::size_t i = 0; i < fitted.variants.size(); ++i)
      for (Index j = 0; j < 2; ++j) {
        const double factor = (first == 0 && j == 1 ? -1.0 : 1.0) *
                              (0.3 + static_cast<double>(i) + 0.7 * static_cast<double>(j));
        fitted.variants[i].col(j) /= factor;
        for (std::size_t m = 0; m < trials.n_trials(); ++m) {
          if (fitted.category.option_of_trial[m] != static_cast<int>(i)) continue;
          model.traces[m].row(first + j) *= factor;
          model.transitions[m].row(first + j) *= factor;
          model.transitions[m].col(first + j) /= factor;
        }
      }
    first += 2;
  }
  EXPECT_NEAR(evaluate(model, trials).r2, 1.0, testing::kExact);
  expect_perfect(model, trials);
}

TEST(Transitions, OfTheIdentityCorrelateButTheirChangeDoesNot) {
  const Trials trials = dynamic_trials();
  Model model = model_with_transitions(trials);
  for (Matrix& W : model.transitions) W.setIdentity();
  const TruthComparison truth = *evaluate(model, trials).truth;
  EXPECT_GT(truth.transition_correlation->mean, 0.8);
  EXPECT_EQ(truth.transition_change_correlation->mean, 0.0);
}

TEST(Transitions, OfOtherLabelsCorrelateLess) {
  const Trials trials = dynamic_trials();
  Model model = model_with_transitions(trials);
  std::rotate(model.transitions.begin(), model.transitions.begin() + 1, model.transitions.end());
  EXPECT_LT(evaluate(model, trials).truth->transition_change_correlation->mean, 0.95);
}

TEST(Transitions, OfComponentsThatWereNotFoundCountAsZero) {
  const Trials trials = dynamic_trials();
  Model model = model_with_transitions(trials);
  for (Matrix& variant : model.categories[0].variants) variant.col(1).setZero();
  const TruthComparison truth = *evaluate(model, trials).truth;
  EXPECT_LT(truth.transition_correlation->mean, 0.95);
  EXPECT_GT(truth.transition_correlation->mean, 0.5);
}

TEST(Transitions, AreToldInTextAndJsonWhereBothHaveThem) {
  const Trials trials = dynamic_trials(false);
  Model model = model_with_transitions(trials);
  const Evaluation with = evaluate(model, trials);
  const auto json = nlohmann::json::parse(to_json(with));
  EXPECT_NEAR(json["transition_correlation"]["mean"].get<double>(), 1.0, testing::kExact);
  EXPECT_NEAR(json["transition_change_correlation"]["min"].get<double>(), 1.0, testing::kExact);
  EXPECT_NE(to_table(with).find("transitions"), std::string::npos);

  model.transitions.clear();
  const Evaluation without = evaluate(model, trials);
  EXPECT_TRUE(nlohmann::json::parse(to_json(without))["transition_correlation"].is_null());
  EXPECT_EQ(to_table(without).find("transitions"), std::string::npos);
}

TEST(Transitions, OfAnotherShapeAreRefused) {
  Trials trials = dynamic_trials();
  const Model model = model_with_transitions(trials);
  trials.truth->transitions[3] = Matrix::Identity(3, 3);
  testing::expect_error(ErrorKind::bad_input, {"transition of trial 4", "3 x 3", "4 components"},
                        [&] { evaluate(model, trials); });
  trials.truth->transitions.pop_back();
  testing::expect_error(ErrorKind::bad_input, {"30 trials", "transitions of 29"},
                        [&] { evaluate(model, trials); });
}

}  // namespace
}  // namespace milcci
