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
  for (int j = 1; j <= 8; ++j)
    EXPECT_NE(text.find("a/b %. " + std::to_string(j)), std::string::npos) << text;
  EXPECT_EQ(text.find("more."), std::string::npos) << text;
}

}  // namespace
}  // namespace milcci
