// A comparison of methods in the report: what is kept of it, and what is refused.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "milcci/compare_methods.hpp"
#include "milcci/report.hpp"
#include "support/expect_error.hpp"
#include "support/results.hpp"

namespace milcci {
namespace {

using nlohmann::json;
using testing::expect_error;
using testing::full_result;

// Two methods, one of which failed, over the trials of `full_result`.
json comparison_of(const FitResult& fitted) {
  MethodComparison comparison;
  comparison.n_trials = fitted.model.n_trials();
  comparison.n_channels = fitted.model.n_channels();
  comparison.n_components = 3;
  MethodScores ours, other;
  ours.name = "milcci";
  ours.n_components = 3;
  ours.r2 = 1.0 / 3.0;
  ours.trial_errors.assign(fitted.model.n_trials(), 0.1);
  other.name = "nmf";
  other.failed = "NMF takes no negative data";
  comparison.runs = {{1234, {ours, other}}};
  return json::parse(to_json(comparison, WithComponents::yes));
}

json comparison_in(const FitResult& fitted, const json& given) {
  return json::parse(report_json({.fitted = fitted, .comparison = given.dump()})).at("comparison");
}

void expect_refused(const json& given, const std::vector<std::string>& words) {
  const FitResult fitted = full_result();
  expect_error(ErrorKind::bad_input, words,
               [&] { report_json({.fitted = fitted, .comparison = given.dump()}); });
}

TEST(ReportComparison, IsKeptWithoutComponentsAndRuns) {
  const FitResult fitted = full_result();
  json given = comparison_of(fitted);
  const json found = comparison_in(fitted, given);
  given.erase("runs");
  for (json& method : given["methods"]) method.erase("components");
  EXPECT_EQ(found, given);
  EXPECT_EQ(found["methods"][0]["trial_errors"].size(), fitted.model.n_trials());
}

TEST(ReportComparison, MayHaveNoErrorsOfTrials) {
  const FitResult fitted = full_result();
  json given = comparison_of(fitted);
  for (json& method : given["methods"]) method.erase("trial_errors");
  EXPECT_EQ(comparison_in(fitted, given)["methods"][0]["trial_errors"], json::array());
}

TEST(ReportComparison, IsRefusedIfItIsNone) {
  const FitResult fitted = full_result();
  expect_error(ErrorKind::bad_input, {"not JSON from byte 1", "milcci compare"},
               [&] { report_json({.fitted = fitted, .comparison = "results"}); });
  expect_refused(json::array(), {"is []", "milcci compare"});
  expect_refused(json::object(), {"does not say its format", "milcci compare"});
  expect_refused({{"format", "milcci-report"}}, {"\"milcci-report\"", "expected \"milcci comparison\""});
}

TEST(ReportComparison, IsRefusedIfItIsNewer) {
  json given = comparison_of(full_result());
  given["format_version"] = 2;
  expect_refused(given, {"version 2", "knows 1", "the milcci that made the comparison"});
}

TEST(ReportComparison, IsRefusedIfItIsOfOtherTrials) {
  json given = comparison_of(full_result());
  given["n_trials"] = 70;
  expect_refused(given, {"70 trials", "the model of 5", "that the model was fitted to"});
  given = comparison_of(full_result());
  given["n_channels"] = 70;
  expect_refused(given, {"70 channels", "the model of 4"});
  given = comparison_of(full_result());
  given["methods"][0]["trial_errors"].push_back(0.1);
  expect_refused(given, {"\"milcci\"", "trial_errors", "one per trial"});
}

TEST(ReportComparison, IsRefusedIfPartOfItIsBroken) {
  const json whole = comparison_of(full_result());
  const auto broken = [&](const char* pointer, const json& value) {
    json given = whole;
    given[json::json_pointer(pointer)] = value;
    return given;
  };
  expect_refused(broken("/methods", 1), {"`methods` is 1", "an array"});
  expect_refused(broken("/methods/0", "svd"), {"\"svd\""});
  expect_refused(broken("/methods/0/name", 7), {"`name` is 7", "a string"});
  expect_refused(broken("/methods/1/failed", 7), {"method \"nmf\"", "`failed` is 7", "a text or null"});
  expect_refused(broken("/methods/0/r2", "high"), {"`r2` is \"high\"", "a number"});
  expect_refused(broken("/methods/0/distances/same_component/quantiles", {1, 2}), {"five quantiles"});
  expect_refused(broken("/methods/0/spread/r2/sd", "wide"), {"spread.r2", "`sd` is \"wide\""});
  json given = whole;
  given["methods"][0].erase("spread");
  expect_refused(given, {"no key `spread`"});
}

}  // namespace
}  // namespace milcci
