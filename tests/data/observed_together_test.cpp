// Pairs of channels, counted one by one and by the sets of their gaps.
#include "data/observed_together.hpp"

#include <gtest/gtest.h>

#include "support/random_problem.hpp"
#include "support/sessions.hpp"

namespace milcci {
namespace {

using testing::in_two_sessions;
using testing::random_trials;

ObservedTogether look_at(const Trials& trials) {
  return observed_together(TrialData(trials));
}

TEST(ObservedTogether, CountsPairsAsOneByOne) {
  for (const double missing : {0.1, 0.5, 0.9, 0.97}) {
    Trials trials = random_trials({.n_channels = 22, .n_trials = 8, .missing = missing, .seed = 5});
    for (Matrix& y : trials.values) y.row(3).setConstant(std::numeric_limits<double>::quiet_NaN());
    Matrix together = Matrix::Zero(22, 22);
    for (const Matrix& y : trials.values) {
      const Matrix seen = (!y.array().isNaN()).cast<double>();
      together += seen * seen.transpose();
    }
    std::size_t n_pairs = 0, n_apart = 0;
    for (Index a = 0; a < 22; ++a)
      for (Index b = 0; b < a; ++b) {
        if (together(a, a) == 0 || together(b, b) == 0) continue;
        ++n_pairs;
        n_apart += together(a, b) == 0;
      }
    const ObservedTogether found = look_at(trials);
    EXPECT_EQ(found.n_pairs, n_pairs);
    EXPECT_EQ(found.n_apart, n_apart) << missing;
  }
}

TEST(ObservedTogether, FindsTheSessionsAndTheChannelsTheyShare) {
  const ObservedTogether found = look_at(in_two_sessions(random_trials({.n_channels = 12}), 4));
  EXPECT_EQ(found.n_apart, 16u);
  EXPECT_EQ(found.n_parts, 1u);
  ASSERT_EQ(found.sessions.size(), 2u);
  EXPECT_EQ(found.sessions[0].n_trials, 8u);
  EXPECT_EQ(found.sessions[0].n_channels(), 8u);
  EXPECT_FALSE(found.sessions[0].has_channel[3]);
  EXPECT_TRUE(found.sessions[0].has_channel[4]);
  EXPECT_EQ(found.n_tying(), 4u);
  EXPECT_TRUE(found.is_loosely_tied());
}

TEST(ObservedTogether, TellsThatNothingTiesTheSessions) {
  const ObservedTogether found = look_at(in_two_sessions(random_trials({.n_channels = 12}), 0));
  EXPECT_EQ(found.n_apart, 36u);
  EXPECT_EQ(found.n_parts, 2u);
  EXPECT_EQ(found.n_tying(), 0u);
  EXPECT_TRUE(found.is_loosely_tied());
}

TEST(ObservedTogether, TakesNoScatteredGapsForSessions) {
  EXPECT_EQ(look_at(random_trials({})).n_apart, 0u);
  EXPECT_EQ(look_at(random_trials({.missing = 0.3})).n_apart, 0u);
  const ObservedTogether sparse = look_at(random_trials({.n_channels = 22, .missing = 0.95}));
  EXPECT_GT(sparse.n_apart, 0u);
  EXPECT_TRUE(sparse.sessions.empty());
}

TEST(ObservedTogether, LeavesAFewPairsAmongManyUntold) {
  ObservedTogether together{.n_pairs = 10000, .n_apart = 9, .n_parts = 1, .sessions = {}};
  EXPECT_FALSE(together.is_noticeable());
  together.n_apart = 10;
  EXPECT_TRUE(together.is_noticeable());
}

TEST(ObservedTogether, IsChainedByChannelsThatTwoSessionsShare) {
  Trials trials = random_trials({.n_channels = 9, .n_trials = 9});
  for (std::size_t m = 0; m < 9; ++m) {  // channels 0-3, 3-6 and 6-8
    const auto first = static_cast<Index>(m % 3) * 3;
    Matrix& y = trials.values[m];
    for (Index n = 0; n < 9; ++n)
      if (n < first || n > first + 3) y.row(n).setConstant(std::numeric_limits<double>::quiet_NaN());
  }
  const ObservedTogether found = look_at(trials);
  EXPECT_EQ(found.sessions.size(), 3u);
  EXPECT_EQ(found.n_parts, 1u);
  EXPECT_EQ(found.n_tying(), 1u);
}

}  // namespace
}  // namespace milcci
