#include "milcci/trace_summary.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "support/expect_error.hpp"
#include "support/temporary_directory.hpp"
#include "util/random.hpp"

namespace milcci {
namespace {

using testing::expect_error;
using testing::read_bytes;
using testing::TemporaryDirectory;

// One component without options, and traces that are given.
Model model_of(const std::vector<Vector>& traces) {
  Model model;
  model.channel_names = {"a", "b"};
  FittedCategory fixed;
  fixed.category.spec = {.name = "fixed", .n_components = 1, .kind = CategoryKind::fixed};
  fixed.category.options = {"all"};
  fixed.category.option_of_trial.assign(traces.size(), 0);
  fixed.variants = {Matrix::Constant(2, 1, 0.5)};
  model.categories = {fixed};
  for (const Vector& trace : traces) model.traces.push_back(trace.transpose());
  return model;
}

Model noise_with_a_step(std::size_t n_trials, double step, std::uint64_t seed) {
  std::vector<Vector> traces;
  LabelColumn side{.name = "side", .values = LabelColumn::Texts{}};
  Random random(seed, 0);
  for (std::size_t m = 0; m < n_trials; ++m) {
    Vector trace = random.normal(20, 1);
    if (m % 2 == 0) trace.tail(5).array() += step;
    traces.push_back(trace);
    std::get<LabelColumn::Texts>(side.values).push_back(m % 2 == 0 ? "left" : "right");
  }
  Model model = model_of(traces);
  model.labels = {side};
  return model;
}

TEST(TraceSummary, TellsMeanIntervalErrorPeakAndAreaOfAGroup) {
  Model model = model_of({Vector::Constant(3, 1.0), Vector::Constant(3, 2.0), Vector::Constant(3, 6.0)});
  model.traces[2](0, 1) = -30.0;
  const TraceSummary summary = summarise_traces(model, {.interval = 0.5});
  ASSERT_EQ(summary.groups.size(), 1u);
  const TraceGroup& all = summary.groups.front();
  EXPECT_EQ(all.n_trials, 3u);
  EXPECT_DOUBLE_EQ(all.mean(0, 0), 3.0);
  EXPECT_DOUBLE_EQ(all.low(0, 0), 1.5);
  EXPECT_DOUBLE_EQ(all.high(0, 0), 4.0);
  EXPECT_NEAR(all.standard_error(0, 0), std::sqrt((4.0 + 1.0 + 9.0) / 2.0 / 3.0), 1e-14);
  EXPECT_DOUBLE_EQ(all.peak(0), -9.0);
  EXPECT_DOUBLE_EQ(all.time_of_peak(0), 1.0);
  EXPECT_DOUBLE_EQ(all.area(0), 0.5 * (3.0 - 9.0) + 0.5 * (-9.0 + 3.0));
}

TEST(TraceSummary, SortsNumbersAsNumbersAndLeavesOutWhatIsMissing) {
  Model model = model_of(std::vector<Vector>(4, Vector::Ones(2)));
  model.labels = {{.name = "dose", .values = LabelColumn::Reals{10.0, 9.0, std::nan(""), 10.0}}};
  const TraceSummary summary = summarise_traces(model, {.by = {"dose"}});
  ASSERT_EQ(summary.groups.size(), 2u);
  EXPECT_EQ(summary.groups[0].values, std::vector<std::string>{"9"});
  EXPECT_EQ(summary.groups[1].n_trials, 2u);
  EXPECT_EQ(summary.n_left_out, 1u);
}

TEST(TraceSummary, GroupsByCombinationsThatTrialsHave) {
  Model model = model_of(std::vector<Vector>(3, Vector::Ones(2)));
  model.labels = {{.name = "side", .values = LabelColumn::Texts{"r", "l", "l"}},
                  {.name = "block", .values = LabelColumn::Integers{1, 2, 1}}};
  const TraceSummary summary = summarise_traces(model, {.by = {"side", "block"}});
  ASSERT_EQ(summary.groups.size(), 3u);
  EXPECT_EQ(summary.groups[0].values, (std::vector<std::string>{"l", "1"}));
  EXPECT_EQ(summary.groups[2].values, (std::vector<std::string>{"r", "1"}));
}

TEST(TraceSummary, AlignsTrialsOfUnequalLengthByTheirTimes) {
  Model model = model_of({Vector::Constant(2, 1.0), Vector::Constant(3, 3.0)});
  model.times = {Vector::LinSpaced(2, 0.1, 0.2), Vector::LinSpaced(3, 0.0, 0.2)};
  const TraceSummary summary = summarise_traces(model, {});
  EXPECT_FALSE(summary.is_from_start);
  ASSERT_EQ(summary.times.size(), 3);
  EXPECT_NEAR(summary.times(2), 0.2, 1e-12);
  EXPECT_EQ(summary.groups[0].n, (std::vector<Index>{1, 2, 2}));
  EXPECT_DOUBLE_EQ(summary.groups[0].mean(0, 0), 3.0);
  EXPECT_DOUBLE_EQ(summary.groups[0].mean(0, 1), 2.0);
}

TEST(TraceSummary, TrialsThatFollowEachOtherBeginAtZero) {
  Model model = model_of({Vector::Ones(3), Vector::Ones(3)});
  model.times = {Vector::LinSpaced(3, 5.0, 7.0), Vector::LinSpaced(3, 100.0, 102.0)};
  const TraceSummary summary = summarise_traces(model, {});
  EXPECT_TRUE(summary.is_from_start);
  EXPECT_EQ(summary.times, Vector::LinSpaced(3, 0.0, 2.0));
  EXPECT_EQ(summary.groups[0].n, (std::vector<Index>{2, 2, 2}));
}

TEST(TraceSummary, OneLateSampleMakesNoGridOfMillions) {
  Model model = model_of({Vector::Ones(4), Vector::Ones(4)});
  model.times = {Vector{{0.0, 1.0, 2.0, 3.0}}, Vector{{0.0, 1.0, 2.0, 1e9}}};
  const TraceSummary summary = summarise_traces(model, {});
  EXPECT_EQ(summary.times, (Vector{{0.0, 1.0, 2.0, 3.0, 1e9}}));
  EXPECT_EQ(summary.groups[0].n, (std::vector<Index>{2, 2, 2, 1, 1}));
  EXPECT_DOUBLE_EQ(summary.groups[0].area(0), 3.0) << "not over the gap";
}

TEST(TraceSummary, CountsATrialOnceHoweverManySamplesItHasThere) {
  Model model = model_of({Vector{{1.0, 2.0, 4.0, 4.0}}, Vector{{5.0, 5.0, 5.0, 5.0}}});
  model.times = {Vector{{0.0, 1.0, 1.2, 2.0}}, Vector{{0.0, 1.0, 2.0, 3.0}}};
  const TraceSummary summary = summarise_traces(model, {});
  EXPECT_EQ(summary.groups[0].n[1], 2);
  EXPECT_DOUBLE_EQ(summary.groups[0].mean(0, 1), 0.5 * (3.0 + 5.0));
}

TEST(TraceSummary, KnowsTheLabelOfAComponentByItsColumns) {
  Model model = noise_with_a_step(6, 0.0, 1);
  model.categories[0].category.spec.columns = {"side"};
  EXPECT_TRUE(summarise_traces(model, {.by = {"side"}}).components[0].is_of_label);
}

TEST(TraceSummary, ComparesNumbersAsNumbers) {
  Model model = model_of(std::vector<Vector>(4, Vector::Ones(2)));
  model.labels = {{.name = "time", .values = LabelColumn::Reals{1.0, 2.5, 1.0, 2.5}}};
  const TraceSummary summary =
      summarise_traces(model, {.by = {"time"}, .between = {"1.0", "2.50"}, .permutations = 20});
  EXPECT_EQ(summary.options.between, (std::vector<std::string>{"1", "2.5"}));
  expect_error(ErrorKind::bad_option, {"the value 1.0 twice"}, [&] {
    summarise_traces(model, {.by = {"time"}, .between = {"1.0", "1"}});
  });
  const TemporaryDirectory directory;
  write_table(directory.file("t.csv"), summary);
  EXPECT_EQ(read_bytes(directory.file("t.csv")).find("category,component,label_time,time,"), 0u);
}

TEST(TraceSummary, FindsADifferenceWhereItIs) {
  const TraceSummary summary = summarise_traces(
      noise_with_a_step(60, 3.0, 1), {.by = {"side"}, .between = {"left", "right"}, .permutations = 500});
  const TraceDifference& found = *summary.difference;
  EXPECT_DOUBLE_EQ(found.p(0), 1.0 / 501.0);
  for (Index t = 0; t < 20; ++t) {
    EXPECT_NEAR(found.difference(0, t), summary.groups[0].mean(0, t) - summary.groups[1].mean(0, t), 1e-12);
    EXPECT_EQ(std::abs(found.difference(0, t)) > found.band(0, t), t >= 15) << t;
  }
}

TEST(TraceSummary, OfNoiseOneInTwentyHasPBelowOneInTwenty) {
  int n_below = 0;
  constexpr int kModels = 200;
  for (int s = 0; s < kModels; ++s)
    n_below += summarise_traces(noise_with_a_step(16, 0.0, static_cast<std::uint64_t>(100 + s)),
                                {.by = {"side"}, .between = {"left", "right"}, .permutations = 100})
                   .difference->p(0) <= 0.05;
  EXPECT_GT(n_below, 1);  // 10 are expected
  EXPECT_LT(n_below, 25);
}

TEST(TraceSummary, RefusesWhatTheModelDoesNotKnow) {
  const Model model = noise_with_a_step(6, 0.0, 1);
  expect_error(ErrorKind::bad_option, {"no label sides", "did you mean 'side'?"},
               [&] { summarise_traces(model, {.by = {"sides"}}); });
  expect_error(ErrorKind::bad_option, {"no trial has the side up", "left"}, [&] {
    summarise_traces(model, {.by = {"side"}, .between = {"left", "up"}});
  });
  expect_error(ErrorKind::bad_option, {"`between` has 1"},
               [&] { summarise_traces(model, {.by = {"side"}, .between = {"left"}}); });
  expect_error(ErrorKind::bad_option, {"`interval` = 2"}, [&] { summarise_traces(model, {.interval = 2}); });
  Model many = model_of(std::vector<Vector>(150, Vector::Ones(2)));
  LabelColumn::Integers numbers(150);
  for (std::size_t m = 0; m < numbers.size(); ++m) numbers[m] = static_cast<std::int64_t>(m);
  many.labels = {{.name = "rt", .values = numbers}};
  expect_error(ErrorKind::bad_option, {"rt", "150 different values", "bin_label"},
               [&] { summarise_traces(many, {.by = {"rt"}}); });
}

TEST(TraceSummary, TableAndJsonHaveTheSameNumbers) {
  const TraceSummary summary =
      summarise_traces(noise_with_a_step(6, 1.0, 2), {.by = {"side"}, .between = {"left", "right"}});
  const auto json = nlohmann::json::parse(to_json(summary));
  const auto& right = json["components"][0]["groups"][1];
  EXPECT_EQ(right["values"][0], "right");
  EXPECT_EQ(right["mean"][3].get<double>(), summary.groups[1].mean(0, 3));
  EXPECT_EQ(json["components"][0]["difference"]["p"].get<double>(), summary.difference->p(0));
  const TemporaryDirectory directory;
  write_table(directory.file("t.csv"), summary);
  const std::string table = read_bytes(directory.file("t.csv"));
  EXPECT_EQ(std::ranges::count(table, '\n'), 1 + 2 * 20);
  EXPECT_EQ(table.substr(0, table.find('\n')),
            "category,component,side,time,n,mean,low,high,standard_error,difference,band,p");
  EXPECT_NE(to_text(summary).find("left less right: p ="), std::string::npos);
}

}  // namespace
}  // namespace milcci
