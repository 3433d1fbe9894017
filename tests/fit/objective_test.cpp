// Objectives of fits of the same data with the same options compare: none depends on where the
// weights of its stages were frozen.
#include <gtest/gtest.h>

#include <cmath>

#include "loop/alternate.hpp"
#include "loop/ruler.hpp"
#include "milcci/fit.hpp"
#include "support/loop_problem.hpp"
#include "support/simulated_fit.hpp"
#include "support/tolerances.hpp"

namespace milcci {
namespace {

using testing::options_for;
using testing::small_paper;

// The movement of the component that moved most, at length one.
double movement(const Model& a, const Model& b) {
  double largest = 0;
  for (std::size_t k = 0; k < a.categories.size(); ++k)
    for (std::size_t i = 0; i < a.categories[k].variants.size(); ++i)
      for (Index j = 0; j < a.categories[k].n_components(); ++j)
        largest = std::max(largest, (a.categories[k].variants[i].col(j).normalized() -
                                     b.categories[k].variants[i].col(j).normalized())
                                        .norm());
  return largest;
}

double relative_difference(const FitResult& a, const FitResult& b) {
  return std::abs(a.summary.objective->total() / b.summary.objective->total() - 1.0);
}

TEST(StageObjective, BelongsToTheStateAndNotToTheWeightsOfTheStage) {
  for (const double missing : {0.0, 0.2})
    for (std::size_t s = 0; s < testing::every_switch().size(); ++s) {
      SCOPED_TRACE(::testing::Message() << "switch " << s << ", missing " << missing);
      testing::LoopProblem problem({.missing = missing, .seed = s + 1}, testing::every_switch()[s]);
      const Stage stage{.sparsity = problem.options.sparsity.value_or(kDefaultSparsity), .max_iterations = 8};
      Monitor monitor;
      const StageResult found =
          alternate(problem.data, problem.design, problem.options, stage, problem.state, monitor);
      const double expected =
          objective_of_state(problem.options, nullptr, problem.data, problem.design, problem.state).total();
      EXPECT_NEAR(found.objective.total() / expected, 1.0, testing::kSolve);
      const bool has_own_weights = !problem.options.gamma1;
      if (has_own_weights) {
        EXPECT_GT(std::abs(found.value_by_stage_weights / expected - 1.0), 1e-4);
      }
    }
}

TEST(StageObjective, HasTheSparsityOfTheStage) {
  testing::LoopProblem problem({.seed = 1});
  Monitor monitor;
  const auto sparsity_term = [&](double sparsity) {
    State state = problem.state;
    return alternate(problem.data, problem.design, problem.options,
                     {.sparsity = sparsity, .max_iterations = 0}, state, monitor)
        .objective.sparsity;
  };
  EXPECT_NEAR(sparsity_term(0.3) / sparsity_term(0.1), 3.0, testing::kSolve);
}

TEST(FitObjective, IsTheSameFromTwoStartsThatLeadToTheSameComponents) {
  SimulateOptions simulated = small_paper(1);
  simulated.noise = 0.3;
  const Trials trials = simulate(simulated);
  FitOptions options = options_for(simulated);
  options.tolerance = 1e-10;
  options.component_tolerance = 1e-6;
  options.max_iterations = 5000;
  const FitResult found = fit(trials, options),
                  from_truth = fit(trials, options, {}, trials.truth->categories);
  ASSERT_LT(movement(found.model, from_truth.model), 1e-3);
  EXPECT_LT(relative_difference(found, from_truth), testing::kIterated);
}

// Noise as strong as the signal: the stages end far from where they began.
SimulateOptions noisy(std::uint64_t seed) {
  SimulateOptions simulated = small_paper(seed);
  simulated.n_channels = 40;
  simulated.n_trials = 60;
  simulated.min_length = simulated.max_length = 80;
  simulated.noise = 1.0;
  return simulated;
}

// How far the weights of the last stage are from those that belong to the result.
double drift(const FitSummary& summary) {
  return std::abs(summary.iterations.back().objective.total() / summary.objective->total() - 1.0);
}

TEST(FitObjective, StaysWhenTheFitGoesOnFromItsOwnResult) {
  for (const std::uint64_t seed : {1u, 2u}) {
    const SimulateOptions simulated = noisy(seed);
    const Trials trials = simulate(simulated);
    const FitOptions options = options_for(simulated);
    const FitResult once = fit(trials, options, {}, trials.truth->categories),
                    again = fit(trials, options, {}, start_of(once.model));
    EXPECT_LT(relative_difference(once, again), 1e-5);
    EXPECT_LT(movement(once.model, again.model), 5 * options.component_tolerance);
  }
}

TEST(FitObjective, HasWeightsFrozenAnewWhereTheyHaveDrifted) {
  SimulateOptions simulated = noisy(2);
  simulated.is_signed = true;
  const Trials trials = simulate(simulated);
  FitOptions options = options_for(simulated);
  for (CategorySpec& category : options.categories) category.n_components = 3;
  FitOptions firm = options;  // a start with other weights
  firm.sparsity = 0.3;
  const FitSummary summary = fit(trials, options, {}, start_of(fit(trials, firm).model)).summary;
  EXPECT_GT(summary.iterations.back().stage, 1);
  EXPECT_LT(drift(summary), 1e-3);
}

// With strong sparsity the weights follow the fit and the fit the weights, and F rises.
TEST(FitObjective, IsNotRaisedByFreezingWeightsAnew) {
  int n_frozen_anew = 0;
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    SimulateOptions simulated = noisy(seed);
    simulated.noise = 0.3;
    const Trials trials = simulate(simulated);
    FitOptions options = options_for(simulated);
    options.sparsity = 0.3;
    const FitResult found = fit(trials, options, {}, trials.truth->categories);
    n_frozen_anew += found.summary.iterations.back().stage > 1;
    options.max_iterations = 0;
    for (const IterationRecord& record : found.summary.iterations)
      options.max_iterations += record.stage == 1;
    const FitResult frozen_once = fit(trials, options, {}, trials.truth->categories);
    EXPECT_LT(found.summary.objective->total(), 1.001 * frozen_once.summary.objective->total());
  }
  EXPECT_GT(n_frozen_anew, 0);
}

}  // namespace
}  // namespace milcci
