// The report as a program asks for it; its numbers are tested in tests/python/test_report.py.
#include "milcci/report.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "support/expect_error.hpp"
#include "support/results.hpp"
#include "support/temporary_directory.hpp"

namespace milcci {
namespace {

using testing::expect_error;
using testing::full_result;

TEST(Report, OfAModelAloneHasNothingOfTrials) {
  const FitResult fitted = full_result();
  const auto report = nlohmann::json::parse(report_json({.fitted = fitted}));
  for (const char* part : {"evaluation", "error_by_time", "data", "truth", "comparison"})
    EXPECT_TRUE(report.at(part).is_null()) << part;
  EXPECT_EQ(report["channels"]["names"].size(), static_cast<std::size_t>(fitted.model.n_channels()));
  EXPECT_EQ(report["components"].size(), static_cast<std::size_t>(fitted.model.n_components()));
  EXPECT_EQ(report["title"], "milcci report");
}

TEST(Report, IsCalledByTheFileWithoutItsFolder) {
  const FitResult fitted = full_result();
  const auto report =
      nlohmann::json::parse(report_json({.fitted = fitted, .model_file = "/secret/folder/model.h5"}));
  EXPECT_EQ(report["title"], "model.h5");
  EXPECT_EQ(report["files"]["model"], "model.h5");
}

TEST(Report, MarksEventsByTimeOrByColumn) {
  FitResult fitted = full_result();
  const std::size_t n_trials = fitted.model.n_trials();
  fitted.model.times.clear();
  fitted.model.labels = {{"go", LabelColumn::Reals(n_trials, 0.5)}};
  const auto report = nlohmann::json::parse(
      report_json({.fitted = fitted}, {.title = {}, .events = {"cue=2", "response=go"}}));
  const auto& events = report["traces"]["events"];
  EXPECT_EQ(events[0]["name"], "cue");
  EXPECT_EQ(events[0]["times"], nlohmann::json(std::vector<double>(n_trials, 2.0)));
  EXPECT_EQ(events[1]["times"], nlohmann::json(std::vector<double>(n_trials, 0.5)));
  expect_error(ErrorKind::bad_option, {"NAME=TIME"},
               [&] { report_json({.fitted = fitted}, {.title = {}, .events = {"cue"}}); });
  expect_error(ErrorKind::bad_option, {"did you mean", "go"},
               [&] { report_json({.fitted = fitted}, {.title = {}, .events = {"cue=goo"}}); });
}

TEST(Report, PageIsWrittenWholeOrNotAtAll) {
  const FitResult fitted = full_result();
  const std::string report = report_json({.fitted = fitted});
  const testing::TemporaryDirectory directory;
  const std::string path = directory.file("page.html");
  write_report(path, report);
  EXPECT_EQ(testing::read_bytes(path), report_page(report));
  expect_error(ErrorKind::bad_file, {"exists"}, [&] { write_report(path, report); });
  expect_error(ErrorKind::bad_input, {"no report"}, [&] { write_report(directory.file("b.html"), "{}"); });
  EXPECT_EQ(directory.names(), std::vector<std::string>{"page.html"});
}

TEST(Report, RefusesAModelWithoutTrials) {
  FitResult fitted = full_result();
  fitted.model.traces.clear();
  expect_error(ErrorKind::bad_input, {"nothing to report"}, [&] { report_json({.fitted = fitted}); });
}

}  // namespace
}  // namespace milcci
