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

TEST(EvaluationText, HasTheTermsAndTheTotalOfAKnownObjective) {
  Evaluation evaluation = example();
  EXPECT_TRUE(nlohmann::json::parse(to_json(evaluation))["objective"].is_null());
  EXPECT_EQ(to_table(evaluation).find("objective"), std::string::npos);
  evaluation.objective = Objective{.fit = 0.5, .sparsity = 0.25};
  const auto json = nlohmann::json::parse(to_json(evaluation));
  EXPECT_EQ(json["objective"]["sparsity"], 0.25);
  EXPECT_EQ(json["objective"]["total"], 0.75);
  EXPECT_NE(to_table(evaluation).find("objective         0.75 (fit 0.5, sparsity 0.25)"), std::string::npos);
}

Evaluation with_parts() {
  Evaluation evaluation = example();
  evaluation.squared_error = 3;
  const double none = std::numeric_limits<double>::quiet_NaN();
  evaluation.trials = {{.name = "", .n_trials = 1, .squared_error = 1, .r2 = 0.75, .relative_error = 0.25},
                       {.name = "b", .n_trials = 1, .squared_error = 2, .r2 = 0.5, .relative_error = 0.5}};
  evaluation.channels = {
      {.name = "V1", .n_trials = 2, .squared_error = 3, .r2 = none, .relative_error = 0.125}};
  evaluation.labels = {{.name = "left",
                        .category = "choice",
                        .n_trials = 2,
                        .squared_error = 3,
                        .r2 = 0.625,
                        .relative_error = 0.25}};
  evaluation.categories = {
      {{.name = "choice", .n_trials = 2, .squared_error = 6, .r2 = 0.375, .relative_error = 0.5}, -0.5}};
  return evaluation;
}

TEST(EvaluationJson, HasTheScoresOfEveryPart) {
  const auto json = nlohmann::json::parse(to_json(with_parts()));
  EXPECT_EQ(json["squared_error"], 3);
  EXPECT_TRUE(json["trials"][0]["name"].is_null());
  EXPECT_EQ(json["trials"][1]["name"], "b");
  EXPECT_EQ(json["trials"][1]["r2"], 0.5);
  EXPECT_EQ(json["trials"][1]["squared_error"], 2);
  EXPECT_TRUE(json["channels"][0]["r2"].is_null());
  EXPECT_EQ(json["channels"][0]["relative_error"], 0.125);
  EXPECT_EQ(json["labels"][0]["category"], "choice");
  EXPECT_EQ(json["labels"][0]["name"], "left");
  EXPECT_EQ(json["labels"][0]["n_trials"], 2);
  EXPECT_EQ(json["categories"][0]["r2"], 0.375);
  EXPECT_EQ(json["categories"][0]["r2_without"], -0.5);
}

TEST(EvaluationTable, NamesTheWorstParts) {
  const std::string table = to_table(with_parts());
  for (const char* line : {"worst trials      b (0.500), 1 (0.750)\n", "worst channels    none\n",
                           "worst labels      choice=left (0.625)\n",
                           "choice            R2 0.3750 by its components alone, -0.5000 without them\n"})
    EXPECT_NE(table.find(line), std::string::npos) << line << table;
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

Evaluation with_cosmoothing() {
  Evaluation evaluation = example();
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  const std::vector<PredictedChannel> channels = {
      {"a", 0, 0.5}, {"b", 1, -0.25}, {"c", 1, 0.75}, {"d", 0, kNaN}, {"e", 0, 0.625}};
  evaluation.cosmoothing = {.r2 = 0.5625, .channels = channels, .folds = 2, .seed = 77, .warnings = {}};
  return evaluation;
}

TEST(EvaluationJson, HasCoSmoothingChannelByChannel) {
  const auto json = nlohmann::json::parse(to_json(with_cosmoothing()))["cosmoothing"];
  EXPECT_EQ(json["r2"], 0.5625);
  EXPECT_EQ(json["folds"], 2);
  EXPECT_EQ(json["seed"], 77);
  ASSERT_EQ(json["channels"].size(), 5u);
  EXPECT_EQ(json["channels"][1], (nlohmann::json{{"name", "b"}, {"fold", 1}, {"r2", -0.25}}));
  EXPECT_TRUE(json["channels"][3]["r2"].is_null());
  EXPECT_TRUE(nlohmann::json::parse(to_json(example()))["cosmoothing"].is_null());
}

TEST(EvaluationTable, HasCoSmoothingWithTheWorstChannels) {
  const std::string table = to_table(with_cosmoothing());
  EXPECT_NE(table.find("co-smoothing      0.562500"), std::string::npos) << table;
  EXPECT_NE(table.find("2 folds, seed 77\n"), std::string::npos) << table;
  EXPECT_NE(table.find("worst predicted   b (-0.250), a (0.500), e (0.625)\n"), std::string::npos) << table;
  EXPECT_EQ(to_table(example()).find("co-smoothing"), std::string::npos);
}

TEST(EvaluationText, TellsOfTrialsThatTheModelWasNotFittedTo) {
  Evaluation evaluation = example();
  EXPECT_EQ(nlohmann::json::parse(to_json(evaluation))["transformed"], false);
  EXPECT_EQ(to_table(evaluation).find("new trials"), std::string::npos);
  evaluation.is_transformed = true;
  EXPECT_EQ(nlohmann::json::parse(to_json(evaluation))["transformed"], true);
  EXPECT_EQ(to_table(evaluation).find("new trials             yes"), 0u);
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

TEST(EvaluationTable, WarnsOfCoSmoothingFarBelowR2) {
  Evaluation evaluation = with_cosmoothing();
  EXPECT_EQ(to_table(evaluation).find("far below R2"), std::string::npos);
  evaluation.cosmoothing->r2 = 0.3;
  EXPECT_NE(to_table(evaluation).find("far below R2"), std::string::npos);
  EXPECT_EQ(nlohmann::json::parse(to_json(evaluation))["warnings"].size(), 1u);
}

}  // namespace
}  // namespace milcci
