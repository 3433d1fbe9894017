#include "data/check_trials.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "support/expect_error.hpp"
#include "support/random_problem.hpp"

namespace milcci {
namespace {

using testing::expect_error;
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

Trials good() {
  return testing::random_trials({});
}

TEST(CheckTrials, AcceptsGoodTrialsWithoutAWord) {
  EXPECT_TRUE(check_trials(good()).empty());
}

TEST(CheckTrials, NamesTheTrialWhoseChannelsDiffer) {
  Trials trials = good();
  trials.values[4] = Matrix::Ones(7, 5);
  expect_error(ErrorKind::bad_input, {"trial 5", "7 channels", "expected 9"}, [&] { check_trials(trials); });
}

TEST(CheckTrials, NamesTheInfiniteValue) {
  Trials trials = good();
  trials.values[2](3, 1) = -std::numeric_limits<double>::infinity();
  expect_error(ErrorKind::bad_input, {"trial 3", "'c4'", "time point 2", "-inf"},
               [&] { check_trials(trials); });
}

TEST(CheckTrials, RefusesATrialWithoutObservedValues) {
  Trials trials = good();
  trials.values[1].setConstant(kNan);
  expect_error(ErrorKind::bad_input, {"trial 2", "missing", "drop"}, [&] { check_trials(trials); });
}

// A model keeps all label columns, and could not be written with these.
TEST(CheckTrials, RefusesTwoLabelColumnsOfOneName) {
  Trials trials = good();
  const LabelColumn twin{"twin", LabelColumn::Integers(trials.n_trials(), 1)};
  trials.labels.push_back(twin);
  trials.labels.push_back(twin);
  expect_error(ErrorKind::bad_input, {"two label columns 'twin'", "rename"}, [&] { check_trials(trials); });
}

TEST(CheckTrials, RefusesTimeThatDoesNotIncrease) {
  Trials trials = testing::random_trials({.has_times = true});
  trials.times[3](2) = trials.times[3](1);
  expect_error(ErrorKind::bad_input, {"trial 4", "time stamp 3"}, [&] { check_trials(trials); });
}

TEST(CheckTrials, RefusesEmptyAndMismatchedParts) {
  expect_error(ErrorKind::bad_input, {"no trials"}, [] { check_trials(Trials{}); });
  Trials labels = good();
  std::get<LabelColumn::Texts>(labels.labels[1].values).pop_back();
  expect_error(ErrorKind::bad_input, {"'side'", "13 values", "14 trials"}, [&] { check_trials(labels); });
  Trials names = good();
  names.channel_names.pop_back();
  expect_error(ErrorKind::bad_input, {"8 channel names", "9 channels"}, [&] { check_trials(names); });
  Trials empty = good();
  empty.values[6].resize(9, 0);
  expect_error(ErrorKind::bad_input, {"trial 7", "no time points"}, [&] { check_trials(empty); });
}

TEST(CheckTrials, WarnsOfConstantAndUnobservedChannels) {
  Trials trials = good();
  for (Matrix& y : trials.values) {
    y.row(0).setConstant(2.0);
    y.row(5).setConstant(kNan);
  }
  const std::vector<std::string> warnings = check_trials(trials);
  ASSERT_EQ(warnings.size(), 2u);
  EXPECT_NE(warnings[0].find("c1"), std::string::npos);
  EXPECT_NE(warnings[1].find("c6"), std::string::npos);
}

}  // namespace
}  // namespace milcci
