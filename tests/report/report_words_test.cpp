// The sentences of a report.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "milcci/report.hpp"
#include "support/results.hpp"

namespace milcci {
namespace {

using testing::full_result;

// As `full_result`, whose first category has so many components, of the given certainties.
FitResult result_with(const std::vector<Certainty>& certainty) {
  FitResult fitted = full_result();
  Model& model = fitted.model;
  const auto n = static_cast<Index>(certainty.size());
  for (Matrix& variant : model.categories.front().variants)
    variant = Matrix::Constant(model.n_channels(), n, 0.25);
  model.categories.resize(1);
  for (Matrix& trace : model.traces) trace = Matrix::Ones(n, trace.cols());
  model.alternatives.clear();
  model.transitions.clear();
  model.noise = {};
  FitSummary& summary = fitted.summary;
  summary.options.categories.resize(1);
  summary.options.categories.front().n_components = static_cast<int>(n);
  summary.alternatives.clear();
  summary.certainty = certainty;
  summary.warnings.clear();
  return fitted;
}

nlohmann::json words_of(const FitResult& fitted) {
  return nlohmann::json::parse(report_json({.fitted = fitted})).at("words");
}

std::string text_of(const nlohmann::json& sentences) {
  std::string text;
  for (const auto& sentence : sentences) text += sentence.get<std::string>() + "\n";
  return text;
}

TEST(ReportWords, NameEveryUnstableComponent) {
  const std::string text =
      text_of(words_of(result_with(std::vector<Certainty>(8, Certainty::unstable)))["certainty"]);
  for (int j = 1; j <= 8; ++j) EXPECT_NE(text.find("a/b %. " + std::to_string(j)), std::string::npos) << text;
  EXPECT_EQ(text.find("more."), std::string::npos) << text;
}

TEST(ReportWords, SayThatTheFitDidNotConverge) {
  FitResult fitted = result_with({Certainty::firm, Certainty::unstable, Certainty::none});
  fitted.summary.options.max_iterations = 500;
  fitted.summary.message = "reached the limit of 500 iterations";
  const std::pair<StopReason, const char*> cases[] = {
      {StopReason::iteration_limit, "did not converge: it reached the limit of 500 iterations."},
      {StopReason::time_limit, "did not converge: it reached the time limit."},
      {StopReason::interrupted, "did not converge: it was interrupted."}};
  for (const auto& [reason, says] : cases) {
    fitted.summary.reason = reason;
    const auto words = words_of(fitted);
    EXPECT_NE(words["methods"].get<std::string>().find(says), std::string::npos) << words["methods"];
    EXPECT_NE(text_of(words["warnings"]).find("limit of 500 iterations"), std::string::npos);
  }
  fitted.summary.reason = StopReason::converged;
  const auto words = words_of(fitted);
  EXPECT_EQ(words["methods"].get<std::string>().find("converge"), std::string::npos);
  EXPECT_TRUE(words["warnings"].empty());
}

TEST(ReportWords, SayInTheMethodsHowManyComponentsAreUncertain) {
  const auto methods_of = [](const std::vector<Certainty>& certainty) {
    return words_of(result_with(certainty))["methods"].get<std::string>();
  };
  EXPECT_NE(methods_of({Certainty::firm, Certainty::unstable, Certainty::alternative, Certainty::none})
                .find("2 of 3 components were uncertain"),
            std::string::npos);
  EXPECT_EQ(methods_of({Certainty::firm}).find("uncertain"), std::string::npos);
}

TEST(ReportWords, SayThatNoMembershipDependsOnALabel) {
  FitResult fitted = result_with({Certainty::firm, Certainty::firm});
  const auto words = words_of(fitted);
  EXPECT_NE(words["headline"][0].get<std::string>().find("may change, but hardly do, with"),
            std::string::npos);
  EXPECT_NE(
      text_of(words["certainty"]).find("No membership depends on a/b %.: a/b %. 1, a/b %. 2 change hardly"),
      std::string::npos);

  fitted.model.categories.front().variants.front()(0, 1) = 0.5;
  const auto other = words_of(fitted);
  EXPECT_EQ(other["headline"][0].get<std::string>().find("hardly"), std::string::npos);
  EXPECT_EQ(text_of(other["certainty"]).find("No membership"), std::string::npos);
}

TEST(ReportWords, SayWhichComponentsMayBelongToAnotherLabel) {
  FitResult fitted = full_result();
  fitted.summary.category_gain = Matrix({{0.9, 1.0}, {2.0, 0.1}, {0.1, 0.15}});
  const std::string text = text_of(words_of(fitted)["certainty"]);
  EXPECT_NE(text.find("Not clear which label they belong to: a/b %. 1 (0.90), Größe 1 (1.50)"),
            std::string::npos)
      << text;
}

}  // namespace
}  // namespace milcci
