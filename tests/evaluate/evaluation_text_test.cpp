// Evaluations as JSON and as a table.
#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "milcci/evaluate.hpp"

namespace milcci {
namespace {

Evaluation example() {
  Evaluation evaluation;
  evaluation.r2 = 0.75;
  evaluation.relative_error = 0.125;
  evaluation.sparsity = 0.5;
  evaluation.dead_components = {2};
  TruthComparison truth;
  truth.component_correlation = {0.9, 0.5, 0.625};
  truth.trace_correlation = {0.8, 0.25, 0.375};
  truth.matches = {{0, 1, "difficulty", "difficulty", 0.9375, 0.8125},
                   {1, 0, "difficulty", "choice", 0.6875, 0.5625},
                   {2, -1, "choice", "", 0, 0}};
  evaluation.truth = truth;
  return evaluation;
}

TEST(EvaluationJson, HasEveryScoreUnderItsName) {
  const auto json = nlohmann::json::parse(to_json(example()));
  EXPECT_EQ(json["r2"], 0.75);
  EXPECT_EQ(json["relative_error"], 0.125);
  EXPECT_EQ(json["component_correlation"]["mean"], 0.9);
  EXPECT_EQ(json["component_correlation"]["min"], 0.5);
  EXPECT_EQ(json["component_correlation"]["p05"], 0.625);
  EXPECT_EQ(json["trace_correlation"]["mean"], 0.8);
  EXPECT_EQ(json["trace_correlation"]["min"], 0.25);
  EXPECT_EQ(json["trace_correlation"]["p05"], 0.375);
  EXPECT_EQ(json["same_category"], false);
  EXPECT_EQ(json["sparsity"], 0.5);
  EXPECT_EQ(json["dead_components"], nlohmann::json::array({2}));
  ASSERT_EQ(json["matches"].size(), 3u);
  EXPECT_EQ(json["matches"][1]["truth"], 1);
  EXPECT_EQ(json["matches"][1]["estimate"], 0);
  EXPECT_EQ(json["matches"][1]["true_category"], "difficulty");
  EXPECT_EQ(json["matches"][1]["estimated_category"], "choice");
  EXPECT_EQ(json["matches"][1]["component_correlation"], 0.6875);
  EXPECT_EQ(json["matches"][1]["trace_correlation"], 0.5625);
  EXPECT_TRUE(json["matches"][2]["estimate"].is_null());
}

TEST(EvaluationJson, WithoutTruthHasNullForWhatNeedsOne) {
  Evaluation evaluation = example();
  evaluation.truth.reset();
  const auto json = nlohmann::json::parse(to_json(evaluation));
  for (const char* key : {"component_correlation", "trace_correlation", "same_category", "matches"}) {
    ASSERT_TRUE(json.contains(key)) << key;
    EXPECT_TRUE(json[key].is_null()) << key;
  }
}

TEST(EvaluationJson, NamesTheMatchUnderEachOptionOfAFreeCategory) {
  Evaluation evaluation = example();
  evaluation.truth->matches[0].per_option = {{"easy", 1}, {"hard", 0}};
  const auto matches = nlohmann::json::parse(to_json(evaluation))["matches"];
  EXPECT_EQ(matches[0]["per_option"], (nlohmann::json{{"easy", 1}, {"hard", 0}}));
  EXPECT_TRUE(matches[1]["per_option"].is_null());
}

TEST(EvaluationJson, HasNoNaN) {
  Evaluation evaluation = example();
  evaluation.r2 = std::numeric_limits<double>::quiet_NaN();
  evaluation.relative_error = std::numeric_limits<double>::infinity();
  const std::string text = to_json(evaluation);
  EXPECT_EQ(text.find("NaN"), std::string::npos);
  EXPECT_EQ(text.find("nan"), std::string::npos);
  EXPECT_TRUE(nlohmann::json::parse(text)["r2"].is_null());
}

TEST(EvaluationTable, HasALinePerTrueComponentInAlignedColumns) {
  const std::string table = to_table(example());
  EXPECT_NE(table.find("1 difficulty    2 difficulty      0.9375      0.8125\n"), std::string::npos) << table;
  EXPECT_NE(table.find("2 difficulty    1 choice          0.6875      0.5625  other category\n"),
            std::string::npos);
  EXPECT_NE(table.find("3 choice        not found         0.0000      0.0000\n"), std::string::npos);
  EXPECT_NE(table.find("R2                0.750000"), std::string::npos);
  EXPECT_NE(table.find("dead components          3\n"), std::string::npos) << "counted from one for people";
}

TEST(EvaluationTable, RemarksWhenTheMatchDiffersByOption) {
  Evaluation evaluation = example();
  evaluation.truth->matches[0].per_option = {{"easy", 1}, {"hard", 1}};
  EXPECT_EQ(to_table(evaluation).find("by option"), std::string::npos);
  evaluation.truth->matches[0].per_option = {{"easy", 1}, {"hard", 0}};
  EXPECT_NE(to_table(evaluation).find("0.9375      0.8125  differs by option\n"), std::string::npos);
}

TEST(EvaluationTable, WithoutTruthSaysNothingOfIt) {
  Evaluation evaluation = example();
  evaluation.truth.reset();
  const std::string table = to_table(evaluation);
  EXPECT_NE(table.find("R2"), std::string::npos);
  EXPECT_EQ(table.find("true component"), std::string::npos);
}

}  // namespace
}  // namespace milcci
