// What the search is given: columns of the data, or means over stretches of them.
#include "start/pooled.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "support/random_problem.hpp"
#include "support/tolerances.hpp"

namespace milcci {
namespace {

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();
constexpr Index kAll = 1000000;

Index n_times(const Trials& trials) {
  Index total = 0;
  for (const Matrix& y : trials.values) total += y.cols();
  return total;
}

// Channel 0 counts the time points of all trials, channel 1 is the number of the trial.
Trials counting(const std::vector<Index>& lengths) {
  Trials trials;
  Index before = 0;
  for (const Index length : lengths) {
    Matrix y(2, length);
    for (Index t = 0; t < length; ++t) y(0, t) = static_cast<double>(before + t);
    y.row(1).setConstant(static_cast<double>(trials.values.size()));
    trials.values.push_back(y);
    before += length;
  }
  return trials;
}

// All stretches of all trials.
Matrix pooled_values(const Trials& trials, Index width) {
  TrialBuffer buffer;
  const std::vector<int> one_group(trials.n_trials(), 0);
  return pool(TrialData(trials), one_group, {.n_columns = kAll, .width = width})
      .stored(0, buffer)
      .in_double(buffer);
}

TEST(Pooled, TakesDistinctColumnsOfTheGroupsTrialsInOrder) {
  const Trials trials = testing::random_trials({.min_length = 30, .max_length = 40});
  const TrialData data(trials);
  std::vector<int> group(trials.n_trials());
  for (std::size_t m = 0; m < group.size(); ++m) group[m] = static_cast<int>(m % 3);
  const TrialData pooled = pool(data, group, {.n_columns = 30, .seed = 5});
  ASSERT_EQ(pooled.n_trials(), 3u);
  TrialBuffer buffer;
  for (std::size_t g = 0; g < 3; ++g) {
    const TrialData::View chosen = pooled.values(g, buffer);
    ASSERT_EQ(chosen.cols(), 10);
    Matrix all(trials.n_channels(), 0);
    for (std::size_t m = g; m < trials.n_trials(); m += 3) {
      Matrix longer(all.rows(), all.cols() + trials.n_times(m));
      longer << all, trials.values[m];
      all = longer;
    }
    Index last = -1;
    for (Index c = 0; c < chosen.cols(); ++c) {
      Index found = -1;
      for (Index t = 0; t < all.cols(); ++t)
        if (all.col(t) == chosen.col(c)) found = t;
      EXPECT_GT(found, last);
      last = found;
    }
  }
  const TrialData all = pool(data, group, {.n_columns = 1000000, .seed = 5});
  EXPECT_EQ(all.n_times(0) + all.n_times(1) + all.n_times(2), n_times(trials));
}

TEST(Pooled, HasTheChannelsAskedForAndNoOther) {
  const Trials trials = testing::random_trials({.min_length = 30, .max_length = 40, .missing = 0.2});
  const TrialData data(trials);
  const std::vector<int> group(trials.n_trials(), 0);
  const std::vector<Index> channels = {1, 4, 5};
  for (const Index width : {1, 4}) {
    TrialBuffer buffer, other_buffer;
    const TrialData whole = pool(data, group, {.n_columns = 30, .width = width, .seed = 5});
    const TrialData some =
        pool(data, group, {.n_columns = 30, .width = width, .channels = channels, .seed = 5});
    EXPECT_EQ(Matrix(some.values(0, buffer)), whole.values(0, other_buffer)(channels, Eigen::all));
  }
}

TEST(Pooled, AveragesOverStretchesOfOneTrial) {
  const Matrix means = pooled_values(counting({8, 10, 1, 3}), 4);
  Matrix expected(2, 7);                      // 4 + 4, 3 + 3 + 4, 1 and 3 time points
  expected << 1.5, 5.5, 9, 12, 15.5, 18, 20,  //
      0, 0, 1, 1, 1, 2, 3;
  EXPECT_EQ(means, expected);
}

TEST(Pooled, NeverAveragesAcrossAJumpInTime) {
  Trials trials = counting({10});
  trials.times = {Vector::LinSpaced(10, 0.0, 9.0)};
  trials.times[0].tail(8).array() += 20.0;  // after the second time point
  trials.times[0].tail(3).array() += 1.0;   // one time point was left out: no jump
  Matrix expected(1, 3);
  expected << 0.5, 3.5, 7.5;
  EXPECT_EQ(pooled_values(trials, 4).row(0), expected);
}

TEST(Pooled, AveragesOverTheObservedEntriesWhereEnoughAre) {
  Trials trials = counting({8});
  trials.values[0](0, 1) = trials.values[0](0, 2) = kMissing;
  trials.values[0].row(1).head(7).setConstant(kMissing);
  const Matrix means = pooled_values(trials, 8);
  ASSERT_EQ(means.cols(), 1);
  EXPECT_NEAR(means(0, 0), (0 + 3 + 4 + 5 + 6 + 7) / 6.0, testing::kSolve);
  EXPECT_TRUE(std::isnan(means(1, 0)));  // one of eight
  trials.values[0](1, 6) = 4.0;
  EXPECT_EQ(pooled_values(trials, 8)(1, 0), 2.0);  // a quarter: the mean of 4 and 0
}

TEST(Pooled, ChoosesAsManyStretchesAsAskedForEvenlySpread) {
  const Trials trials = counting({100, 60, 40});
  TrialBuffer buffer;
  const TrialData pooled = pool(TrialData(trials), {0, 0, 0}, {.n_columns = 10, .width = 4, .seed = 3});
  const TrialData::View means = pooled.values(0, buffer);
  ASSERT_EQ(means.cols(), 10);
  for (Index c = 0; c < 10; ++c) {
    EXPECT_GT(means(0, c), 20.0 * static_cast<double>(c));
    EXPECT_LT(means(0, c), 20.0 * static_cast<double>(c + 1));
  }
}

}  // namespace
}  // namespace milcci
