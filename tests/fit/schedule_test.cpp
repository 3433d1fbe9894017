// The stages of a fit and the rounds of its component updates.
#include "fit/schedule.hpp"

#include <gtest/gtest.h>

#include "support/loop_problem.hpp"

namespace milcci {
namespace {

// level: 2 components, 3 options; side: 1 component, 2 options. That is 8 memberships per channel.
int rounds_of(Index length) {
  const testing::LoopProblem problem({.n_trials = 10, .min_length = length, .max_length = length});
  return rounds_worth_having(problem.data, problem.design, problem.state.components);
}

TEST(Schedule, MakesTwoRoundsWhereTheDataAreMuchLargerThanTheComponents) {
  EXPECT_EQ(rounds_of(400), 2);  // 10 trials of 400 time points for 8 memberships per channel
  EXPECT_EQ(rounds_of(399), 1);
  EXPECT_EQ(rounds_of(15), 1);
}

TEST(Schedule, IsFirmlySparseFirstUnlessAStartWasGiven) {
  FitOptions options = testing::two_categories();
  const std::vector<Stage> stages = schedule(options, false);
  ASSERT_EQ(stages.size(), 2u);
  EXPECT_GT(stages[0].sparsity, stages[1].sparsity);
  EXPECT_GT(stages[0].tolerance, stages[1].tolerance);
  EXPECT_EQ(stages[0].number, 1);
  EXPECT_EQ(stages[1].number, 2);
  EXPECT_EQ(schedule(options, true).size(), 1u);
}

TEST(Schedule, HasOneStageWhereSparsityIsFirmOrOffOrAbsolute) {
  FitOptions options = testing::two_categories();
  options.sparsity = 0.2;
  EXPECT_EQ(schedule(options, false).size(), 1u);
  options.sparsity = 0.0;
  EXPECT_EQ(schedule(options, false).size(), 1u);
  options.sparsity = 0.01;
  options.gamma1 = 0.3;
  EXPECT_EQ(schedule(options, false).size(), 1u);
}

TEST(Schedule, EndsWithWhatWasAskedFor) {
  FitOptions options = testing::two_categories();
  options.tolerance = 1e-8;
  options.component_tolerance = 1e-4;
  options.max_iterations = 77;
  const Stage last = schedule(options, false).back();
  EXPECT_EQ(last.sparsity, options.sparsity);
  EXPECT_EQ(last.tolerance, 1e-8);
  EXPECT_EQ(last.component_tolerance, 1e-4);
  EXPECT_EQ(last.max_iterations, 77);
}

}  // namespace
}  // namespace milcci
