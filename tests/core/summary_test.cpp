#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "milcci/model.hpp"
#include "support/expect_error.hpp"
#include "support/results.hpp"

namespace milcci {
namespace {

TEST(Summary, IsAtRestIfConvergedOrStalledByNextToNothing) {
  FitSummary summary;
  summary.options.component_tolerance = 1e-3;
  summary.iterations.resize(1);
  const auto is_at_rest = [&](StopReason reason, double change) {
    summary.reason = reason;
    summary.iterations[0].component_change = change;
    return summary.is_at_rest();
  };
  EXPECT_TRUE(is_at_rest(StopReason::converged, 1e-4));
  EXPECT_TRUE(is_at_rest(StopReason::stalled, 9e-3));
  EXPECT_FALSE(is_at_rest(StopReason::stalled, 2e-2));
  EXPECT_FALSE(is_at_rest(StopReason::iteration_limit, 1e-4));
}

using testing::expect_error;
using testing::full_summary;

TEST(SummaryJson, RoundTripKeepsEveryBit) {
  testing::expect_same(full_summary(), summary_from_json(to_json(full_summary())));
  testing::expect_same(FitSummary{}, summary_from_json(to_json(FitSummary{})));
}

TEST(SummaryJson, NumbersThatJsonLacksAreNullAndReadAsNaN) {
  FitSummary summary = full_summary();
  summary.r2 = std::nan("");
  summary.iterations[1].objective.fit = HUGE_VAL;
  const std::string text = to_json(summary);
  const auto json = nlohmann::json::parse(text);
  EXPECT_TRUE(json["r2"].is_null());
  EXPECT_TRUE(json["iterations"][1]["objective"]["fit"].is_null());
  EXPECT_TRUE(json["iterations"][1]["objective"]["total"].is_null());
  const FitSummary back = summary_from_json(text);
  EXPECT_TRUE(std::isnan(back.r2));
  EXPECT_TRUE(std::isnan(back.iterations[1].objective.fit));
}

TEST(SummaryJson, TellsTheTermsAndTheTotalOfTheObjective) {
  const FitSummary summary = full_summary();
  const auto json = nlohmann::json::parse(to_json(summary));
  EXPECT_EQ(json["objective"]["sparsity"], summary.objective->sparsity);
  EXPECT_EQ(json["objective"]["total"], summary.objective->total());
}

TEST(SummaryJson, OlderFilesHaveNoObjective) {
  auto json = nlohmann::json::parse(to_json(full_summary()));
  json.erase("objective");
  EXPECT_FALSE(summary_from_json(json.dump()).objective);
  EXPECT_TRUE(nlohmann::json::parse(to_json(FitSummary{}))["objective"].is_null());
}

TEST(SummaryJson, TheTextsOfOlderFilesAreStillRead) {
  auto json = nlohmann::json::parse(to_json(full_summary()));
  json["r2"] = "nan";
  json["seconds_total"] = "inf";
  const FitSummary summary = summary_from_json(json.dump());
  EXPECT_TRUE(std::isnan(summary.r2));
  EXPECT_EQ(summary.seconds_total, HUGE_VAL);
}

TEST(SummaryJson, OfOlderFilesKnowsNothingOfCertainty) {
  auto json = nlohmann::json::parse(to_json(full_summary()));
  for (const char* key : {"times_found", "certainty", "alternatives"}) json.erase(key);
  for (const char* key : {"effort", "time_limit"}) json["options"].erase(key);
  FitSummary expected = full_summary();
  expected.times_found = 0;
  expected.certainty.clear();
  expected.alternatives.clear();
  testing::expect_same(expected, summary_from_json(json.dump()));
}

TEST(SummaryJson, HasTheWordsOfTheReport) {
  const auto json = nlohmann::json::parse(to_json(full_summary()));
  EXPECT_EQ(json["certainty"], nlohmann::json({"firm", "unstable", "alternative"}));
  EXPECT_EQ(json["times_found"], 4);
  EXPECT_EQ(json["alternatives"][0]["behind"], 1.0 / 300);
  EXPECT_EQ(json["alternatives"][1]["similarity"], nlohmann::json({0.95, 0.1, 0.7}));
}

TEST(SummaryJson, TellsTheTotalOfEveryIteration) {
  const FitSummary summary = full_summary();
  const auto json = nlohmann::json::parse(to_json(summary));
  EXPECT_EQ(json["iterations"][3]["objective"]["total"], summary.iterations[3].objective.total());
  EXPECT_EQ(json["reason"], "interrupted");
  EXPECT_EQ(json["options"]["categories"][1]["name"], "Größe");
}

TEST(SummaryJson, MissingUnknownAndMistypedKeysAreRefused) {
  const auto changed = [](const auto& change) {
    auto json = nlohmann::json::parse(to_json(full_summary()));
    change(json);
    return json.dump();
  };
  expect_error(ErrorKind::bad_file, {"no key `r2`"},
               [&] { summary_from_json(changed([](auto& j) { j.erase("r2"); })); });
  expect_error(ErrorKind::bad_file, {"unknown key `r3`"},
               [&] { summary_from_json(changed([](auto& j) { j["r3"] = 1; })); });
  expect_error(ErrorKind::bad_file, {"`reason`", "converged"},
               [&] { summary_from_json(changed([](auto& j) { j["reason"] = "tired"; })); });
  expect_error(ErrorKind::bad_file, {"iterations", "no key `fit`"}, [&] {
    summary_from_json(changed([](auto& j) { j["iterations"][1]["objective"].erase("fit"); }));
  });
  expect_error(ErrorKind::bad_file, {"`objective`", "an object"},
               [&] { summary_from_json(changed([](auto& j) { j["iterations"][1]["objective"] = 3; })); });
  expect_error(ErrorKind::bad_file, {"the summary, `objective`", "no key `ridge`"},
               [&] { summary_from_json(changed([](auto& j) { j["objective"].erase("ridge"); })); });
  expect_error(ErrorKind::bad_file, {"options", "`sparsity`"},
               [&] { summary_from_json(changed([](auto& j) { j["options"]["sparsity"] = "x"; })); });
  expect_error(ErrorKind::bad_file, {"certainty[1]", "firm, alternative, unstable"},
               [&] { summary_from_json(changed([](auto& j) { j["certainty"][1] = "sure"; })); });
  expect_error(ErrorKind::bad_file, {"alternative 1", "no key `similarity`"}, [&] {
    summary_from_json(changed([](auto& j) { j["alternatives"][1].erase("similarity"); }));
  });
  expect_error(ErrorKind::bad_file, {"not JSON"}, [] { summary_from_json("{"); });
}

TEST(SummaryReport, BriefReportIsAFewLinesWithWhatMatters) {
  FitSummary summary = full_summary();
  summary.warnings.clear();
  const std::string report = summary.brief_report();
  EXPECT_LE(std::count(report.begin(), report.end(), '\n'), 9);
  for (const std::string word : {"by hand", "R2", "objective    1.13333 (fit 0.3333, sparsity 0.1",
                                 "3 (a/b %. 2, Größe 1)", "start 0.10", "17999999999999999999"})
    EXPECT_NE(report.find(word), std::string::npos) << word << "\n" << report;
}

TEST(SummaryReport, FullReportHasOptionsStartsIterationsAndGains) {
  FitSummary summary = full_summary();
  summary.options.restarts = 3;
  const std::string report = summary.full_report();
  for (const std::string word :
       {"0123456789abcdef", "category               Größe=1", "* restarts               3  (default 16)",
        "  missing_weight         0.01\n", "component 1 is dead", "18446744073709551615", "Iterations", "...",
        "   20 "})
    EXPECT_NE(report.find(word), std::string::npos) << word << "\n" << report;
  EXPECT_NE(report.find("* seed"), std::string::npos);
}

TEST(Summary, FirmnessComparesTheOwnCategoryWithTheNext) {
  FitSummary summary;
  summary.options.categories = {{.name = "a", .n_components = 2}, {.name = "b", .n_components = 1}};
  EXPECT_EQ(summary.firmness().size(), 0);
  summary.category_gain = (Matrix(3, 2) << 6, 2, 0, 0, 1, 4).finished();
  EXPECT_EQ(summary.firmness(), Vector({{3.0, 0.0, 4.0}}));
  const auto json = nlohmann::json::parse(to_json(summary));
  EXPECT_EQ(json["firmness"][2], 4.0);
}

// Beside a fixed component there is no other category to gain from.
TEST(Summary, FirmnessIsBelowOneWhereAComponentDoesNotVary) {
  FitSummary summary;
  summary.options.categories = {{.name = "a", .n_components = 2},
                                {.name = "fixed", .n_components = 1, .kind = CategoryKind::fixed}};
  summary.category_gain = (Matrix(3, 2) << 1e-6, 0, 0.01, 0, 0, 0).finished();
  summary.explained = Vector({{0.4, 0.4, 0.2}});
  const Vector firmness = summary.firmness();
  EXPECT_LT(firmness(0), 0.1);
  EXPECT_GT(firmness(1), 100);
  EXPECT_EQ(firmness(2), 0);
}

TEST(Summary, NextDistinctCandidateTellsHowClearTheWinWas) {
  FitSummary summary;
  EXPECT_EQ(summary.next_distinct(), nullptr);
  summary.candidates = {{.stream = 4, .round = 5, .objective = 1.0, .behind = 0.0, .similarity = 1.0},
                        {.stream = 2, .round = 5, .objective = 1.001, .behind = 0.001, .similarity = 0.999}};
  EXPECT_EQ(summary.next_distinct(), nullptr);
  summary.candidates.push_back({.stream = 7, .round = 3, .objective = 2, .behind = 0.07, .similarity = 0.8});
  EXPECT_EQ(summary.next_distinct()->stream, 7u);
  EXPECT_EQ(nlohmann::json::parse(to_json(summary))["next_distinct"], 7);
}

// Two categories with two components and one; 16 starts, nothing uncertain.
FitSummary searched_summary() {
  FitSummary summary;
  summary.options.categories = {{.name = "side", .n_components = 2}, {.name = "choice", .n_components = 1}};
  summary.explained = Vector::Ones(3);
  summary.candidates.resize(16);
  summary.times_found = 2;
  summary.certainty.assign(3, Certainty::firm);
  return summary;
}

TEST(SummaryReport, SaysOfAFirmAnswerOnlyThatItIsFirm) {
  FitSummary summary = searched_summary();
  const std::string report = summary.full_report();
  EXPECT_NE(report.find(
                "search       16 starts; 2 finalists led to this answer; no other that was found is about as "
                "good, so all components are firm\n"),
            std::string::npos)
      << report;
  EXPECT_EQ(report.find("uncertain"), std::string::npos);
  EXPECT_EQ(report.find("Other answers"), std::string::npos);
  summary.certainty[1] = Certainty::none;
  EXPECT_NE(summary.brief_report().find("so all living components are firm"), std::string::npos);
  summary.times_found = 1;
  EXPECT_NE(summary.brief_report().find("; 1 finalist led to this answer;"), std::string::npos);
  summary.times_found = 0;
  EXPECT_NE(summary.brief_report().find("; no finalist led straight to this answer;"), std::string::npos);
  summary.certainty.assign(3, Certainty::none);
  EXPECT_EQ(summary.brief_report().find("firm"), std::string::npos) << summary.brief_report();
}

TEST(SummaryReport, NamesUncertainComponentsAndTheAnswersWithoutThem) {
  FitSummary summary = searched_summary();
  summary.certainty = {Certainty::firm, Certainty::unstable, Certainty::alternative};
  summary.alternatives = {{.behind = 0.004, .similarity = Vector({{0.95, 0.52, 0.9}})}};
  std::string report = summary.full_report();
  for (const std::string words :
       {"this answer; another is about as good, 0.4 % behind\n",
        "  uncertain    2 of 3 components: most other answers about as good do without side 2 (unstable), at "
        "least one does without choice 1 (alternative)\n",
        "       1    0.40 %   side 2 (0.52)\n", "        2 side 2           1              unstable",
        "        3 choice 1         1           alternative"})
    EXPECT_NE(report.find(words), std::string::npos) << words << "\n" << report;

  summary.certainty[1] = Certainty::none;  // dead, and so neither firm nor uncertain
  EXPECT_NE(summary.brief_report().find("1 of 2 components: at least one other answer about as good does "
                                        "without choice 1 (alternative)\n"),
            std::string::npos)
      << summary.brief_report();

  summary.alternatives.insert(summary.alternatives.begin(),
                              {.behind = -0.001, .similarity = Vector({{0.95, 0.5, 0.8}})});
  report = summary.full_report();
  for (const std::string words :
       {"; others are about as good, the next 0.1 % ahead on the time points",
        "       1   -0.10 %   side 2 (0.50), choice 1 (0.80)\n", "       2    0.40 %   side 2 (0.52)\n"})
    EXPECT_NE(report.find(words), std::string::npos) << words << "\n" << report;
}

TEST(SummaryReport, ClaimsNothingOfASearchThatDidNotJudgeItsAnswer) {
  FitSummary summary = searched_summary();
  summary.certainty.clear();
  const std::string report = summary.full_report();
  EXPECT_NE(report.find("search       16 starts\n"), std::string::npos) << report;
  EXPECT_EQ(report.find("finalist"), std::string::npos) << report;
}

TEST(SummaryReport, EmptySummaryCanBeReported) {
  EXPECT_NE(FitSummary{}.full_report().find("R2"), std::string::npos);
}

}  // namespace
}  // namespace milcci
