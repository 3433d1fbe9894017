#include "milcci/compare.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "milcci/simulate.hpp"
#include "support/expect_error.hpp"
#include "support/simulated_fit.hpp"
#include "support/truth_model.hpp"

namespace milcci {
namespace {

using testing::expect_error;

FitResult known_result() {
  FitResult result;
  result.model = model_from_truth(simulate(testing::small_paper()));
  result.summary.r2 = 1;
  result.summary.data_fingerprint = "same";
  return result;
}

// The two components of a category, and their traces, in the other order.
void swap_components(Model& model, std::size_t k, Index first) {
  for (Matrix& variant : model.categories[k].variants) variant.col(0).swap(variant.col(1));
  for (Matrix& traces : model.traces) traces.row(first).swap(traces.row(first + 1));
}

TEST(CompareModels, AModelIsLikeItself) {
  const ModelComparison same = compare_models(known_result(), known_result());
  EXPECT_EQ(same.n_alike, 4u);
  EXPECT_EQ(same.n_other_category, 0u);
  EXPECT_TRUE(same.has_same_data && same.has_same_trials);
  EXPECT_NEAR(same.component_correlation.min, 1, 1e-12);
  EXPECT_NEAR(same.trace_correlation.min, 1, 1e-12);
}

TEST(CompareModels, OrderSignsAndScaleDoNotMatter) {
  FitResult other = known_result();
  swap_components(other.model, 0, 0);
  for (Matrix& variant : other.model.categories[1].variants) variant *= -2;
  for (Matrix& traces : other.model.traces) traces.bottomRows(2) *= -0.5;
  const ModelComparison found = compare_models(known_result(), other);
  EXPECT_EQ(found.matches[0].second, 1);
  EXPECT_EQ(found.matches[1].second, 0);
  EXPECT_NEAR(found.component_correlation.min, 1, 1e-12);
  EXPECT_NEAR(found.trace_correlation.min, 1, 1e-12);
}

TEST(CompareModels, TellsWhichComponentChangedItsCategory) {
  FitResult other = known_result();
  std::swap(other.model.categories[0].category.spec.name, other.model.categories[1].category.spec.name);
  const ModelComparison found = compare_models(known_result(), other);
  EXPECT_EQ(found.n_other_category, 4u);
  EXPECT_NE(to_table(found).find("other category"), std::string::npos);
}

TEST(CompareModels, ComparesChannelsByNameAndOptionsByNameWhereTrialsDiffer) {
  FitResult other = known_result();
  Model& model = other.model;
  std::reverse(model.channel_names.begin(), model.channel_names.end());
  for (FittedCategory& fitted : model.categories) {
    for (Matrix& variant : fitted.variants) variant = variant.colwise().reverse().eval();
    fitted.category.option_of_trial.pop_back();
  }
  model.traces.pop_back();
  const ModelComparison found = compare_models(known_result(), other);
  EXPECT_FALSE(found.has_same_trials);
  EXPECT_EQ(found.n_alike, 4u);
  EXPECT_TRUE(std::isnan(found.matches[0].trace_correlation));
  const auto told = nlohmann::json::parse(to_json(found));
  EXPECT_TRUE(told["matches"][0]["trace_correlation"].is_null());
}

TEST(CompareModels, ADeadComponentHasNoMatch) {
  FitResult other = known_result();
  for (Matrix& variant : other.model.categories[1].variants) variant.col(1).setZero();
  const ModelComparison found = compare_models(known_result(), other),
                        back = compare_models(other, known_result());
  EXPECT_EQ(found.matches[3].second, -1);
  EXPECT_EQ(back.matches.size(), 3u);
  EXPECT_EQ(back.only_second, std::vector<Index>{3});
}

TEST(CompareModels, RefusesModelsWithoutCommonChannels) {
  FitResult other = known_result();
  for (std::string& name : other.model.channel_names) name += "'";
  expect_error(ErrorKind::bad_input, {"0 channels in common"},
               [&] { compare_models(known_result(), other); });
}

}  // namespace
}  // namespace milcci
