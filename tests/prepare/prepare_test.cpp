// Labels made of numbers, trials left out, values scaled.
#include "milcci/prepare.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "milcci/files.hpp"
#include "support/expect_error.hpp"
#include "support/reading.hpp"
#include "support/temporary_directory.hpp"

namespace milcci {
namespace {

using namespace testing;
using Names = std::vector<std::string>;
constexpr double kRounding = 1e-12;

// Four trials of two channels and three time points.
Trials small_trials() {
  Trials trials;
  trials.channel_names = {"a", "b"};
  for (int m = 0; m < 4; ++m)
    trials.values.push_back(Matrix{{1.0 * m, 2.0 * m, 3.0 * m}, {10.0, 20.0 + m, NAN}});
  trials.labels = {{"pupil", LabelColumn::Reals{0.1, 0.3, NAN, 0.9}},
                   {"language", LabelColumn::Texts{"en", "de", "en", "de"}},
                   {"answer", LabelColumn::Integers{0, 1, 2, 0}}};
  return trials;
}

TEST(Prepare, CutsNumbersAtEdges) {
  Trials trials = small_trials();
  const auto notes = prepare(trials, {.bin_label = {parse_bin_label("pupil=0.3,0.52")}});
  const LabelColumn& bins = *trials.find_label("pupil_bin");
  EXPECT_EQ(bins.number(0), 1);
  EXPECT_EQ(bins.number(1), 2) << "an edge belongs to the bin above";
  EXPECT_TRUE(bins.is_missing(2));
  EXPECT_EQ(bins.number(3), 3);
  EXPECT_NE(notes.at(0).find("2 = 0.3 to 0.52 (1 trials)"), std::string::npos) << notes.at(0);
  EXPECT_NE(notes.at(0).find("missing (1 trials)"), std::string::npos);
}

TEST(Prepare, CutsNumbersIntoQuantilesAndNeverPartsEqualOnes) {
  Trials trials = small_trials();
  trials.labels = {{"x", LabelColumn::Integers{5, 1, 9, 7}}, {"y", LabelColumn::Integers{0, 0, 0, 4}}};
  prepare(trials, {.bin_label = {parse_bin_label("x=quantiles:2"), parse_bin_label("y=quantiles:4")}});
  EXPECT_EQ(label_texts(trials, "x_bin"), (Names{"1", "1", "2", "2"}));
  EXPECT_EQ(label_texts(trials, "y_bin"), (Names{"1", "1", "1", "2"}));
}

TEST(Prepare, NumbersTheBlocksOfAColumn) {
  Trials trials = small_trials();
  trials.labels = {{"prior", LabelColumn::Reals{0.5, 0.5, 0.2, 0.5}},
                   {"side", LabelColumn::Texts{"", "l", "", "l"}}};
  const auto notes = prepare(trials, {.block_label = {{"prior"}, {"side"}}});
  EXPECT_EQ(label_texts(trials, "prior_block"), (Names{"1", "1", "2", "3"}));
  const LabelColumn& sides = *trials.find_label("side_block");
  EXPECT_TRUE(sides.is_missing(0));
  EXPECT_EQ(sides.number(1), 1);
  EXPECT_EQ(sides.number(3), 1) << "a trial without a value ends no block";
  EXPECT_EQ(notes.at(1), "label side_block: 1 blocks of trials with the same side, missing (2 trials)");
}

TEST(Prepare, LeavesOutTrialsAndNumbersThemBefore) {
  Trials trials = small_trials();
  trials.trial_names = {"first", "second", "third", "fourth"};
  const auto notes = prepare(
      trials,
      {.number_trials = true, .drop_trials = {parse_drop_trials("pupil"), parse_drop_trials("answer=0,7")}});
  ASSERT_EQ(trials.n_trials(), 1U);
  EXPECT_EQ(label_texts(trials, "trial_number"), (Names{"2"}));
  EXPECT_EQ(trials.trial_names, (Names{"second"}));
  EXPECT_EQ(trials.values[0](0, 2), 3);
  EXPECT_EQ(notes.at(1), "left out 1 of 4 trials: pupil is missing");
  EXPECT_EQ(notes.at(2), "left out 2 of 3 trials: answer is 0 or 7");
}

TEST(Prepare, SmoothsByAGaussianOfTimeAndKeepsGaps) {
  Trials trials;
  trials.channel_names = {"a", "b"};
  trials.values = {Matrix{{0, 0, 1, 0, 0}, {5, 5, NAN, 5, 5}}};
  trials.times = {Vector{{0.0, 0.1, 0.2, 0.3, 0.4}}};
  trials.labels = {};
  prepare(trials, {.smooth = parse_smooth("0.1:0.2")});
  const double beside = std::exp(-0.5);
  EXPECT_NEAR(trials.values[0](0, 2), 1 / (1 + 2 * beside), kRounding);
  EXPECT_NEAR(trials.values[0](0, 1), beside / (1 + 2 * beside), kRounding);
  EXPECT_EQ(trials.values[0](0, 0), 0) << "beyond half the window";
  EXPECT_TRUE(std::isnan(trials.values[0](1, 2)));
  EXPECT_NEAR(trials.values[0](1, 1), 5, kRounding) << "the gap beside it does not count";
  Trials without_times = trials;
  without_times.times.clear();
  EXPECT_NE(prepare(without_times, {.smooth = parse_smooth("1")}).at(0).find("in samples"),
            std::string::npos);
}

TEST(Prepare, ScalesValueByValue) {
  const Trials before = small_trials();
  const std::pair<const char*, double (*)(double)> methods[] = {
      {"sqrt", std::sqrt}, {"log1p", std::log1p}, {"tanh", std::tanh}};
  for (const auto& [name, function] : methods) {
    Trials trials = before;
    prepare(trials, {.scale = {parse_scale(name)}});
    EXPECT_EQ(trials.values[3](1, 1), function(23)) << name;
    EXPECT_TRUE(std::isnan(trials.values[3](1, 2)));
  }
}

TEST(Prepare, StandardisesEveryChannel) {
  Trials trials = small_trials();
  prepare(trials, {.scale = {parse_scale("zscore")}});
  for (Index n = 0; n < 2; ++n) {
    double sum = 0, squares = 0, count = 0;
    for (const Matrix& values : trials.values)
      for (Index t = 0; t < 3; ++t)
        if (!std::isnan(values(n, t))) sum += values(n, t), squares += values(n, t) * values(n, t), ++count;
    EXPECT_NEAR(sum, 0, 1e-9);
    EXPECT_NEAR(squares / count, 1, 1e-9);
  }
}

// The two steps of the page views: languages first, then every channel over all of them. Written out by hand.
TEST(Prepare, NormalisesRangesByLabelAndThenByChannel) {
  Trials trials;
  trials.channel_names = {"a", "b"};
  trials.values = {Matrix{{1, 3}, {2, 5}}, Matrix{{100, 300}, {200, 500}}};
  trials.labels = {{"language", LabelColumn::Texts{"en", "de"}}};
  prepare(trials, {.scale = {parse_scale("range:label=language")}});
  const double high = 3 + 0.97 * 2;  // 99th percentile of 1, 2, 3, 5
  EXPECT_NEAR(trials.values[0](1, 1), 4 / high, kRounding);
  EXPECT_NEAR(trials.values[1](1, 1), 4 / high, kRounding) << "both languages on one scale";
  prepare(trials, {.scale = {parse_scale("range:channel")}});
  EXPECT_NEAR(trials.values[0](0, 0), 0, kRounding);
  EXPECT_NEAR(trials.values[1](0, 1), 1, 1e-9) << "half of the values are at the top";
  EXPECT_EQ(trials.history.size(), 2U);
}

TEST(Prepare, ConstantChannelsBecomeZeroAndAreCounted) {
  Trials trials = small_trials();
  for (Matrix& values : trials.values) values.row(0).setConstant(7);
  const auto notes = prepare(trials, {.scale = {parse_scale("range")}});
  EXPECT_EQ(trials.values[2](0, 1), 0);
  EXPECT_NE(notes.at(0).find("1 of them constant"), std::string::npos) << notes.at(0);
}

TEST(Prepare, KeepsItsHistoryInTheTrialsFile) {
  const TemporaryDirectory folder;
  Trials trials = small_trials();
  write_trials(folder.file("without.h5"), trials);
  EXPECT_TRUE(read_trials(folder.file("without.h5")).history.empty());
  prepare(trials, {.number_trials = true, .scale = {parse_scale("zscore:all")}});
  ASSERT_EQ(trials.history.size(), 2U);
  EXPECT_NE(trials.history[1].find("\"setting\":\"zscore:all\""), std::string::npos) << trials.history[1];
  write_trials(folder.file("with.h5"), trials);
  EXPECT_EQ(read_trials(folder.file("with.h5")).history, trials.history);
}

void refuse(ErrorKind kind, const std::vector<std::string>& words, const PrepareOptions& options) {
  Trials trials = small_trials();
  trials.values[1](0, 1) = -4;
  expect_error(kind, words, [&] { prepare(trials, options); });
}

TEST(Prepare, RefusesWhatItCannotDo) {
  refuse(ErrorKind::bad_option, {"`bin_label` = pupl", "'pupil'"},
         {.bin_label = {parse_bin_label("pupl=1")}});
  refuse(ErrorKind::bad_option, {"texts", "en"}, {.bin_label = {parse_bin_label("language=1")}});
  refuse(ErrorKind::bad_option, {"`drop_trials` = answer=0,1,2", "all 4"},
         {.drop_trials = {parse_drop_trials("answer=0,1,2")}});
  refuse(ErrorKind::bad_option, {"answer=yes", "numbers"},
         {.drop_trials = {parse_drop_trials("answer=yes")}});
  refuse(ErrorKind::bad_input, {"sqrt", "trial 2", "'a'", "-4"}, {.scale = {parse_scale("sqrt")}});
  refuse(ErrorKind::bad_input, {"trial 3", "`drop_trials` = pupil"},
         {.scale = {parse_scale("zscore:label=pupil")}});
}

TEST(Prepare, RefusesStepsThatNoTextWouldMake) {
  refuse(ErrorKind::bad_option, {"`smooth`: `sigma` = -1, must be finite and > 0"},
         {.smooth = SmoothStep{-1}});
  refuse(ErrorKind::bad_option, {"`smooth`: `window` = nan"}, {.smooth = SmoothStep{1, std::nan("")}});
  refuse(ErrorKind::bad_option, {"`bin_label`: `n_quantiles` = 1001, must be between 0 and 1000"},
         {.bin_label = {{.column = "pupil", .n_quantiles = 1001}}});
  refuse(ErrorKind::bad_option, {"`bin_label`: `edges` must be", "increasing"},
         {.bin_label = {{.column = "pupil", .edges = {2, 1}}}});
  refuse(ErrorKind::bad_option, {"`bin_label`", "`edges` or `n_quantiles`"}, {.bin_label = {{"pupil"}}});
  refuse(ErrorKind::bad_option, {"`scale`: `method`", "77"}, {.scale = {{static_cast<ScaleMethod>(77)}}});
}

TEST(Prepare, RefusesTextsThatAreNoSteps) {
  for (const char* text : {"pupil", "=1", "pupil=", "pupil=2,1", "pupil=quantiles:1", "pupil=x", "pupil=inf"})
    expect_error(ErrorKind::bad_option, {"`bin_label`", text}, [&] { parse_bin_label(text); });
  for (const char* text : {"zscor", "zscore:", "zscore:trial", "range:label=", "tanh:all", ""})
    expect_error(ErrorKind::bad_option, {"`scale`", text}, [&] { parse_scale(text); });
  expect_error(ErrorKind::bad_option, {"`drop_trials`"}, [] { parse_drop_trials("=1"); });
  for (const char* text : {"", "0", "-1", "x", "1:", "1:0", "nan", "1:2:3"})
    expect_error(ErrorKind::bad_option, {"`smooth`", text}, [&] { parse_smooth(text); });
}

}  // namespace
}  // namespace milcci
