#include "milcci/describe.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "support/results.hpp"

namespace milcci {
namespace {

using nlohmann::json;
using testing::full_result;
using testing::full_trials;

TEST(Describe, TellsSizesLabelsNamesAndHistoryOfTrials) {
  const json told = json::parse(describe_json(full_trials()));
  EXPECT_EQ(told["kind"], "trials");
  EXPECT_EQ(told["n_trials"], 5);
  EXPECT_EQ(told["n_channels"], 4);
  EXPECT_EQ(told["max_length"], 9);
  EXPECT_EQ(told["trial_names"], json(full_trials().trial_names));
  EXPECT_EQ(told["labels"][0]["options"][1], (json{{"name", "left"}, {"n_trials", 2}}));
  EXPECT_EQ(told["history"][0]["step"], "read");
  EXPECT_EQ(told["truth"][0]["n_components"], 2);
}

TEST(Describe, TellsOfAModelWhatItKnowsOfItsTrials) {
  const json told = json::parse(describe_json(full_result())),
             trials = json::parse(describe_json(full_trials()));
  EXPECT_EQ(told["kind"], "model");
  EXPECT_EQ(told["categories"][0]["name"], "a/b %.");
  for (const char* key : {"trial_names", "labels", "history"}) EXPECT_EQ(told[key], trials[key]) << key;
  const std::string text = describe_text(full_result());
  for (const char* words : {"label choice (text)", "trials named 1, ", "history read", "fitted to    fedc"})
    EXPECT_NE(text.find(words), std::string::npos) << words << text;
}

TEST(Describe, SurvivesTextsThatAreNotUtf8) {
  Trials trials = full_trials();
  trials.labels[0].values = LabelColumn::Texts(5, "\xff");
  EXPECT_EQ(json::parse(describe_json(trials))["labels"][0]["options"][0]["n_trials"], 5);
}

}  // namespace
}  // namespace milcci
