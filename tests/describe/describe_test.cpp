#include "milcci/describe.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "support/results.hpp"
#include "util/random.hpp"

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

// First-order autoregressive traces whose correlation with themselves falls to 1 / e in so many time points.
Model model_of_traces(const std::vector<double>& constants, Index n_times) {
  Model model = full_result().model;
  Random random(5, 0);
  for (Matrix& traces : model.traces) {
    traces = Matrix::Zero(model.n_components(), n_times);
    for (Index j = 0; j < traces.rows(); ++j) {
      const double decay = std::exp(-1.0 / constants[static_cast<std::size_t>(j)]);
      for (Index t = 1; t < n_times; ++t) traces(j, t) = decay * traces(j, t - 1) + random.normal();
      traces.row(j).array() += 3.0;
    }
  }
  return model;
}

TEST(Describe, TimeConstantsAreThoseOfTheTraces) {
  std::vector<double> constants(static_cast<std::size_t>(full_result().model.n_components()), 30.0);
  constants[0] = 4.0;
  const Vector found = time_constants(model_of_traces(constants, 20000));
  for (Index j = 0; j < found.size(); ++j) {
    const double expected = constants[static_cast<std::size_t>(j)];
    EXPECT_NEAR(found(j), expected, 0.1 * expected);
  }
}

TEST(Describe, TimeConstantsAreUnknownWhereNoTraceForgets) {
  Model model = full_result().model;
  for (Matrix& traces : model.traces) traces.setOnes();
  EXPECT_TRUE(time_constants(model).array().isNaN().all());
  for (Matrix& traces : model.traces) traces.leftCols(traces.cols() / 2).setZero();  // within a trial, slowly
  EXPECT_TRUE((time_constants(model).array() > 1).all());
}

TEST(Describe, SurvivesTextsThatAreNotUtf8) {
  Trials trials = full_trials();
  trials.labels[0].values = LabelColumn::Texts(5, "\xff");
  EXPECT_EQ(json::parse(describe_json(trials))["labels"][0]["options"][0]["n_trials"], 5);
}

}  // namespace
}  // namespace milcci
