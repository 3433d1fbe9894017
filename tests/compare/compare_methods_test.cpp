// Methods side by side: every one is a row, with its scores or with the reason why there are none.
#include "milcci/compare_methods.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "compare/hold_out.hpp"
#include "milcci/simulate.hpp"
#include "support/baseline_data.hpp"
#include "support/expect_error.hpp"

namespace milcci {
namespace {

using namespace testing;

CompareOptions quick(std::vector<std::string> methods) {
  CompareOptions options;
  options.fit.categories = {{.name = "difficulty", .n_components = 2, .kind = CategoryKind::ordinal},
                            {.name = "choice", .n_components = 2}};
  options.fit.restarts = 2;
  options.fit.threads = 1;
  options.methods = std::move(methods);
  options.baselines.restarts = 1;
  options.baselines.max_iterations = 200;
  return options;
}

Trials small() {
  return simulate({.n_channels = 20, .n_trials = 40, .min_length = 20, .max_length = 30});
}

TEST(CompareMethods, ScoresOursAndOthersOnTheSameTrials) {
  const MethodComparison found = compare_methods(small(), quick({"milcci", "svd", "fa", "slicetca_2"}));
  ASSERT_EQ(found.methods.size(), 4u);
  EXPECT_EQ(found.n_components, 4);
  for (const MethodScores& scores : found.methods) {
    EXPECT_EQ(scores.failed, "") << scores.name;
    EXPECT_GT(*scores.r2, 0.3) << scores.name;
    EXPECT_TRUE(scores.bic && scores.aic && scores.hqc && scores.component_correlation) << scores.name;
    EXPECT_EQ(scores.cosmoothing_r2.has_value(), scores.name != "slicetca_2");
  }
  EXPECT_GT(found.methods[0].component_correlation->mean, found.methods[1].component_correlation->mean);
  EXPECT_NE(found.methods[3].cosmoothing_note, "");
}

TEST(CompareMethods, AMethodThatCannotRunIsARowWithItsReason) {
  const Trials trials = low_rank_trials({.noise = 0.1});
  CompareOptions options = quick({"nmf", "svd"});
  options.fit.categories = {{.name = "side", .n_components = 2}};
  const MethodComparison found = compare_methods(trials, options);
  EXPECT_NE(found.methods[0].failed.find("below zero"), std::string::npos);
  EXPECT_FALSE(found.methods[0].r2);
  EXPECT_TRUE(found.methods[1].r2);
  const std::string table = to_table(found);
  EXPECT_NE(table.find("nmf failed: "), std::string::npos) << table;
  const auto json = nlohmann::json::parse(to_json(found));
  EXPECT_TRUE(json["methods"][0]["r2"].is_null());
  EXPECT_TRUE(json["methods"][1]["failed"].is_null());
}

TEST(CompareMethods, HoldsOutTrialsOfEveryLabel) {
  const Trials trials = small();
  const HeldOut split = hold_out(trials, quick({}).fit.categories, 0.25, 1);
  EXPECT_EQ(split.train.size() + split.test.size(), trials.n_trials());
  EXPECT_NEAR(static_cast<double>(split.test.size()), 10, 1);
  std::set<std::size_t> all(split.train.begin(), split.train.end());
  all.insert(split.test.begin(), split.test.end());
  EXPECT_EQ(all.size(), trials.n_trials());
  std::set<std::string> choices;
  for (const std::size_t m : split.test) choices.insert(trials.find_label("choice")->text(m));
  EXPECT_EQ(choices.size(), 2u);
}

TEST(CompareMethods, WritesComponentsWhenAsked) {
  const MethodComparison found = compare_methods(small(), quick({"pca"}));
  const auto json = nlohmann::json::parse(to_json(found, WithComponents::yes));
  EXPECT_EQ(json["methods"][0]["components"][0]["variants"][0].size(), 20u);
  EXPECT_FALSE(nlohmann::json::parse(to_json(found))["methods"][0].contains("components"));
}

TEST(CompareMethods, RefusesUnknownMethods) {
  expect_error(ErrorKind::bad_option, {"`methods` has parafak", "did you mean parafac?"},
               [] { compare_methods(small(), quick({"parafak"})); });
}

}  // namespace
}  // namespace milcci
