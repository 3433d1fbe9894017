// The main loop: when it stops, why, and what it leaves.
#include "loop/alternate.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "support/expect_error.hpp"
#include "support/loop_problem.hpp"
#include "support/tolerances.hpp"

namespace milcci {
namespace {

struct Outcome {
  StageResult result;
  State state;
  std::vector<IterationRecord> records;
};

Outcome run(const testing::LoopProblem& problem, const Stage& stage, int stop_at = 0) {
  Outcome outcome;
  outcome.state = problem.state;
  Monitor monitor([&](const IterationRecord& record) {
    outcome.records.push_back(record);
    return record.iteration == stop_at ? Continue::stop : Continue::yes;
  });
  outcome.result = alternate(problem.data, problem.design, problem.options, stage, outcome.state, monitor);
  return outcome;
}

TEST(Alternate, ConvergesWhereNeitherTheObjectiveNorTheComponentsMove) {
  const testing::LoopProblem problem({.seed = 1});
  const Stage stage{.max_iterations = 5000};
  const Outcome found = run(problem, stage);
  EXPECT_EQ(found.result.reason, StopReason::converged);
  EXPECT_LE(found.records.back().relative_change, stage.tolerance);
  EXPECT_LE(found.records.back().component_change, stage.component_tolerance);
  for (std::size_t i = 0; i + 1 < found.records.size(); ++i)
    EXPECT_TRUE(found.records[i].relative_change > stage.tolerance ||
                found.records[i].component_change > stage.component_tolerance);
  EXPECT_EQ(found.result.value_by_stage_weights, found.records.back().objective.total());
}

TEST(Alternate, LowersFByTheRulerWhereWeightsFollowTheState) {
  for (const double missing : {0.0, 0.2})
    for (const std::uint64_t seed : {1u, 2u, 3u}) {
      FitOptions options = testing::two_categories();
      options.sparsity = 0.1;
      const testing::LoopProblem problem({.missing = missing, .seed = seed}, options);
      const Outcome found =
          run(problem, {.sparsity = 0.1, .max_iterations = 60, .tolerance = 0, .weights_follow = true});
      ASSERT_GT(found.records.size(), 1u);
      for (const IterationRecord& record : found.records) EXPECT_GE(record.relative_change, 0.0);
      EXPECT_LT(found.records.back().objective.total(), 0.9 * found.result.at_start.total());
      // Its own weights are those of the state.
      EXPECT_NEAR(found.result.value_by_stage_weights, found.result.objective.total(),
                  testing::kSolve * found.result.objective.total());
    }
}

// With both tolerances at zero only the last digit ends the loop: that is no convergence.
TEST(Alternate, StallsWhenTheDigitsRunOutBeforeTheTolerances) {
  for (const NonNegative sign : {NonNegative::none, NonNegative::both})
    for (const double missing : {0.0, 0.2})
      for (const std::uint64_t seed : {1u, 2u, 3u}) {
        FitOptions options = testing::two_categories();
        options.nonnegative = sign;
        const testing::LoopProblem problem({.missing = missing, .seed = seed}, options);
        const Outcome found =
            run(problem, {.max_iterations = 20000, .tolerance = 0, .component_tolerance = 0});
        EXPECT_EQ(found.result.reason, StopReason::stalled);
        EXPECT_EQ(found.records.back().relative_change, 0.0);
        EXPECT_GT(found.records.back().component_change, 0.0);
        EXPECT_LT(found.records.back().component_change, 1e-6);
      }
}

// Far from any minimum of the components, but neither the step nor a part of it lowers F.
TEST(Alternate, StallsWhereNoStepLowersTheObjective) {
  FitOptions options = testing::two_categories();
  options.consistency = 0.3;
  const Stage stage{.sparsity = 0.6, .is_accelerated = false};
  int n_stalled = 0;
  for (std::uint64_t seed = 30; seed < 60 && n_stalled == 0; ++seed) {
    const Outcome found = run(testing::LoopProblem({.n_trials = 8, .seed = seed}, options), stage);
    if (found.result.reason != StopReason::stalled) continue;
    ++n_stalled;
    EXPECT_GT(found.records.back().component_change, stage.component_tolerance);
    EXPECT_LE(found.records.back().relative_change, stage.tolerance);
  }
  if (n_stalled == 0) GTEST_SKIP() << "with the rounding of this build no step was refused";
}

TEST(Alternate, StopsAtItsLimitAndWhenTold) {
  const testing::LoopProblem problem({.seed = 1});
  const Outcome limited = run(problem, {.max_iterations = 4});
  EXPECT_EQ(limited.result.reason, StopReason::iteration_limit);
  EXPECT_EQ(limited.records.size(), 4u);
  const Outcome told = run(problem, {.max_iterations = 10}, 4);
  EXPECT_EQ(told.result.reason, StopReason::interrupted);
  EXPECT_EQ(told.records.size(), 4u);
  EXPECT_EQ(told.state.components, limited.state.components);
}

TEST(Alternate, WithoutIterationsMakesTheTracesOfItsComponents) {
  const testing::LoopProblem problem({.seed = 1});
  const Outcome found = run(problem, {.max_iterations = 0});
  EXPECT_TRUE(found.records.empty());
  EXPECT_EQ(found.state.components, problem.state.components);
  double error = 0;
  for (std::size_t m = 0; m < problem.trials.n_trials(); ++m)
    error += (problem.trials.values[m] - loading(problem.design, found.state.components,
                                                 static_cast<std::size_t>(problem.design.label_of_trial[m])) *
                                             found.state.traces[m].transpose())
                 .squaredNorm();
  EXPECT_NEAR(found.result.objective.fit, error, testing::kSolve * error);
}

TEST(Alternate, ArrivesSoonerByExtrapolation) {
  int n_plain = 0, n_accelerated = 0;
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    const testing::LoopProblem problem({.seed = seed});
    const Stage plain{.max_iterations = 5000, .is_accelerated = false}, accelerated{.max_iterations = 5000};
    n_plain += static_cast<int>(run(problem, plain).records.size());
    n_accelerated += static_cast<int>(run(problem, accelerated).records.size());
  }
  EXPECT_LT(n_accelerated, 0.8 * n_plain);
}

// What the next stage saves by them is the first pass, not a digit.
TEST(Alternate, GoesOnFromTheSumsOfTheStageBefore) {
  const testing::LoopProblem problem({.seed = 1});
  Outcome first = run(problem, {.max_iterations = 5});
  State with_sums = first.state, without = first.state;
  Monitor monitor;
  const Stage next{.number = 2, .sparsity = 0.05, .max_iterations = 5};
  const StageResult a = alternate(problem.data, problem.design, problem.options, next, with_sums, monitor,
                                  std::move(first.result.statistics));
  const StageResult b = alternate(problem.data, problem.design, problem.options, next, without, monitor);
  EXPECT_EQ(monitor.n_iterations(), 10);
  EXPECT_EQ(a.objective.total(), b.objective.total());
  EXPECT_EQ(with_sums.components, without.components);
}

TEST(Alternate, SaysWhichTrialHeldTheNumberThatOverflowed) {
  testing::LoopProblem problem({.seed = 1});
  problem.trials.values[3] *= 1e200;
  problem.data = TrialData(problem.trials);
  testing::expect_error(ErrorKind::numerical, {"trial 4"}, [&] { run(problem, {}); });
}

TEST(Alternate, GivesTheSameBitsForAnyNumberOfThreads) {
  for (const NonNegative sign : {NonNegative::none, NonNegative::both}) {
    FitOptions options = testing::two_categories();
    options.nonnegative = sign;
    testing::LoopProblem problem({.n_channels = 150, .n_trials = 40, .missing = 0.02, .seed = 9}, options);
    const Outcome one = run(problem, {.max_iterations = 10});
    for (const int threads : {2, 3, 7}) {
      problem.options.threads = threads;
      const Outcome other = run(problem, {.max_iterations = 10});
      EXPECT_EQ(other.state.components, one.state.components);
      EXPECT_EQ(other.result.objective.total(), one.result.objective.total());
    }
  }
}

}  // namespace
}  // namespace milcci
