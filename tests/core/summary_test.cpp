#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "milcci/model.hpp"
#include "support/expect_error.hpp"
#include "support/results.hpp"

namespace milcci {
namespace {

using testing::expect_error;
using testing::full_summary;

TEST(SummaryJson, RoundTripKeepsEveryBit) {
  testing::expect_same(full_summary(), summary_from_json(to_json(full_summary())));
  testing::expect_same(FitSummary{}, summary_from_json(to_json(FitSummary{})));
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
  expect_error(ErrorKind::bad_file, {"options", "`sparsity`"},
               [&] { summary_from_json(changed([](auto& j) { j["options"]["sparsity"] = "x"; })); });
  expect_error(ErrorKind::bad_file, {"not JSON"}, [] { summary_from_json("{"); });
}

TEST(SummaryReport, BriefReportIsAFewLinesWithWhatMatters) {
  FitSummary summary = full_summary();
  summary.warnings.clear();
  const std::string report = summary.brief_report();
  EXPECT_LE(std::count(report.begin(), report.end(), '\n'), 8);
  for (const std::string word :
       {"by hand", "R2", "objective", "3 (a/b %. 2, Größe 1)", "start 0.10", "17999999999999999999"})
    EXPECT_NE(report.find(word), std::string::npos) << word << "\n" << report;
}

TEST(SummaryReport, FullReportHasOptionsStartsIterationsAndGains) {
  FitSummary summary = full_summary();
  summary.options.restarts = 3;
  const std::string report = summary.full_report();
  for (const std::string word :
       {"0123456789abcdef", "category               Größe=1", "* restarts               3  (default 16)",
        "  sparsity               0.01\n", "component 1 is dead", "18446744073709551615", "Iterations", "...",
        "   20 "})
    EXPECT_NE(report.find(word), std::string::npos) << word << "\n" << report;
  EXPECT_NE(report.find("* seed"), std::string::npos);
}

TEST(SummaryReport, EmptySummaryCanBeReported) {
  EXPECT_NE(FitSummary{}.full_report().find("R2"), std::string::npos);
}

}  // namespace
}  // namespace milcci
