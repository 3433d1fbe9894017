// The loop on the whole data, and what makes it run again.
#include "fit/run_stages.hpp"

#include <gtest/gtest.h>

#include "milcci/evaluate.hpp"
#include "milcci/fit.hpp"
#include "support/loop_problem.hpp"
#include "support/simulated_fit.hpp"

namespace milcci {
namespace {

// level: 2 components, 3 options; side: 1 component, 2 options. That is 8 memberships per channel.
int rounds_of(Index length) {
  const testing::LoopProblem problem({.n_trials = 10, .min_length = length, .max_length = length});
  return rounds_worth_having(problem.data, problem.design, problem.state.components);
}

TEST(RunStages, MakesTwoRoundsWhereTheDataAreMuchLargerThanTheComponents) {
  EXPECT_EQ(rounds_of(400), 2);  // 10 trials of 400 time points for 8 memberships per channel
  EXPECT_EQ(rounds_of(399), 1);
  EXPECT_EQ(rounds_of(15), 1);
}

// Two components of `difficulty` trade places under its first option.
Start traded(Start start) {
  start[0].variants[0].col(0).swap(start[0].variants[0].col(1));
  return start;
}

TEST(RunStages, UndoesTradesThatNoIterationUndoes) {
  const SimulateOptions simulated = testing::small_paper();
  const Trials trials = simulate(simulated);
  const FitOptions options = testing::options_for(simulated);
  const Start truth = trials.truth->categories;
  const FitResult right = fit(trials, options, {}, truth), mended = fit(trials, options, {}, traded(truth));
  EXPECT_GT(mended.summary.iterations.back().stage, 1);
  EXPECT_NEAR(mended.summary.objective->total(), right.summary.objective->total(),
              1e-3 * right.summary.objective->total());
  for (std::size_t i = 0; i < truth[0].variants.size(); ++i)
    EXPECT_LT((right.model.categories[0].variants[i] - mended.model.categories[0].variants[i]).norm(), 0.05);
}

TEST(RunStages, PutsIndependentVariantsInTheOrderOfTheirTraces) {
  SimulateOptions simulated = testing::small_paper();
  simulated.n_trials = 60;
  simulated.variation = Variation::independent;
  simulated.traces = MeanTraces::shared;
  const Trials trials = simulate(simulated);
  FitOptions options = testing::options_for(simulated);
  for (CategorySpec& spec : options.categories) spec.kind = CategoryKind::categorical;
  options.threads = 1;
  const FitResult one = fit(trials, options);
  EXPECT_GT(evaluate(one.model, trials).truth->component_correlation.mean, 0.95);
  EXPECT_NE(one.summary.warnings.at(0).find("told by their mean traces"), std::string::npos);
  options.threads = 3;
  const FitResult other = fit(trials, options);
  for (std::size_t k = 0; k < 2; ++k)
    EXPECT_EQ(one.model.categories[k].variants, other.model.categories[k].variants);
}

// From where weights that follow the state have led, the loop with frozen ones may go up by the ruler.
TEST(RunStages, DoesNotRaiseFWhereComponentsOfFreeSignCancel) {
  constexpr double kMuch = 0.01;
  const FitOptions options = testing::two_categories();
  int n_raised = 0;
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    testing::LoopProblem problem({.n_trials = 24, .min_length = 60, .max_length = 60, .seed = seed}, options);
    Monitor monitor;
    const auto run = [&](State& state, bool follows, int iterations) {
      const Stage stage{.max_iterations = iterations, .weights_follow = follows};
      return alternate(problem.data, problem.design, options, stage, state, monitor).objective.total();
    };
    const double F = run(problem.state, true, 200);
    State frozen = problem.state;
    n_raised += run(frozen, false, 500) > (1 + kMuch) * F;
    FitSummary summary;
    Calibrator calibrator(problem.data, problem.design, options, options);
    Monitor new_monitor;
    const StageResult result = run_stages(problem.data, nullptr, problem.design, options, calibrator,
                                          problem.state, new_monitor, summary);
    EXPECT_LE(result.objective.total(), (1 + kMuch) * F) << seed;
  }
  EXPECT_GT(n_raised, 0);
}

TEST(RunStages, StopsAtTheIterationLimitOfTheOptions) {
  FitOptions options = testing::two_categories();
  options.max_iterations = 3;
  testing::LoopProblem problem({.n_trials = 24, .min_length = 60, .max_length = 60});
  FitSummary summary;
  Monitor monitor;
  Calibrator calibrator(problem.data, problem.design, options, options);
  run_stages(problem.data, nullptr, problem.design, options, calibrator, problem.state, monitor, summary);
  EXPECT_EQ(summary.reason, StopReason::iteration_limit);
  EXPECT_EQ(monitor.n_iterations(), 3);
}

}  // namespace
}  // namespace milcci
