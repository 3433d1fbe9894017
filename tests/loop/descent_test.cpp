// The single steps of the loop: what lowers F, what is taken back, and what is then left.
#include "loop/descent.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "loop/objective.hpp"
#include "support/loop_problem.hpp"
#include "support/tolerances.hpp"

namespace milcci {
namespace {

struct Descending : testing::LoopProblem {
  Stage stage;
  Monitor monitor;
  Descent descent;

  explicit Descending(const testing::RandomProblem& problem,
                      const FitOptions& fit_options = testing::two_categories(), const Stage& of_stage = {})
      : LoopProblem(problem, fit_options),
        stage(of_stage),
        descent(data, design, options, stage, state, monitor, {}) {}

  double F() const { return descent.objective().total(); }

  void step_without_extrapolation() {
    descent.remember_position();
    descent.update_components();
    descent.normalise();
    descent.update_traces();
  }
  // Whole steps until one of them clearly raises F; whether any did. How often the surrogate does that
  // depends on the penalties, and on the last digits.
  bool step_until_f_rises() {
    for (int step = 0; step < 60; ++step) {
      before = state.components;
      F_before = F();
      step_without_extrapolation();
      if (F() > F_before * 1.001) return true;
    }
    return false;
  }
  Components before;
  double F_before = 0;
};

TEST(Descent, LowersFByAShorterStepWhereTheWholeOneRaisesIt) {
  for (const std::uint64_t seed : {1u, 2u, 3u}) {
    Descending problem({.seed = seed});
    for (int step = 0; step < 3; ++step) problem.step_without_extrapolation();
    const double F_before = problem.F();
    const Components before = problem.state.components;
    problem.descent.remember_position();
    problem.state.components = testing::LoopProblem({.seed = seed + 100}).state.components;  // a bad step
    problem.descent.update_traces();
    ASSERT_TRUE(problem.descent.has_risen());
    EXPECT_TRUE(problem.descent.take_shorter_step());
    EXPECT_LT(problem.F(), F_before * 0.999);
    EXPECT_FALSE(problem.descent.has_risen());
    EXPECT_NE(problem.state.components, before);
    EXPECT_GT(problem.descent.record().component_change, 0.0);
    EXPECT_GT(problem.descent.record().relative_change, 0.001);
  }
}

// Strong ties and few trials: whole steps overshoot, and sometimes their parts do too.
TEST(Descent, GoesBackWhereNoStepLowersFAndTellsOfTheStepItDidNotTake) {
  FitOptions options = testing::two_categories();
  options.sparsity = 0.6;
  options.consistency = 0.3;
  int n_found = 0;
  for (std::uint64_t seed = 30; seed < 60 && n_found == 0; ++seed) {
    Descending problem({.n_trials = 8, .seed = seed}, options,
                       {.sparsity = options.sparsity.value_or(kDefaultSparsity)});
    if (!problem.step_until_f_rises() || problem.descent.take_shorter_step()) continue;
    ++n_found;
    problem.descent.go_back_and_update_traces();
    EXPECT_EQ(problem.state.components, problem.before);
    EXPECT_EQ(problem.F(), problem.F_before);
    EXPECT_EQ(problem.descent.record().relative_change, 0.0);
    EXPECT_GT(problem.descent.record().component_change, 0.0);
  }
  if (n_found == 0) GTEST_SKIP() << "with the rounding of this build some step always lowered F";
}

class EverySwitch : public ::testing::TestWithParam<std::tuple<std::size_t, double>> {
 protected:
  FitOptions options_ = testing::every_switch()[std::get<0>(GetParam())];
  Descending problem_{{.missing = std::get<1>(GetParam()), .seed = 2}, options_};
};

TEST_P(EverySwitch, GoingBackRestoresFAndTheComponents) {
  const Components before = problem_.state.components;
  const double F_before = problem_.F();
  problem_.step_without_extrapolation();
  EXPECT_NE(problem_.state.components, before);
  EXPECT_NE(problem_.F(), F_before);
  problem_.descent.go_back_and_update_traces();
  EXPECT_EQ(problem_.state.components, before);
  EXPECT_LE(problem_.F(), F_before);  // traces that were not solved to the end may still have gained
  problem_.descent.remember_position();
  problem_.descent.update_components();
  problem_.descent.normalise();
  problem_.descent.update_traces();
  EXPECT_LT(problem_.F(), F_before);
}

TEST_P(EverySwitch, TheFirstStepsLowerFByThemselves) {
  for (int step = 0; step < 3; ++step) {
    problem_.step_without_extrapolation();
    EXPECT_FALSE(problem_.descent.has_risen()) << "step " << step;
  }
}

TEST_P(EverySwitch, EveryPassLeavesComponentsOfLengthOneAndSignsAsAsked) {
  problem_.step_without_extrapolation();
  for (const auto& variants : problem_.state.components)
    for (const Matrix& a : variants) {
      for (Index j = 0; j < a.cols(); ++j)
        EXPECT_TRUE(a.col(j).isZero(0.0) || std::abs(a.col(j).norm() - 1.0) < testing::kSolve);
      EXPECT_TRUE(!problem_.has_nonnegative_components() || a.minCoeff() >= 0.0);
    }
  for (const Matrix& phi : problem_.state.traces)
    EXPECT_TRUE(!problem_.has_nonnegative_traces() || phi.minCoeff() >= 0.0);
}

INSTANTIATE_TEST_SUITE_P(Options, EverySwitch,
                         ::testing::Combine(::testing::Range<std::size_t>(0, testing::every_switch().size()),
                                            ::testing::Values(0.0, 0.2)));

// Sums of a trial number are as large as the data; they are made anew then.
TEST(Descent, GoesBackToTheSamePlaceWhereSumsAreTooLargeToKeep) {
  FitOptions options = testing::two_categories();
  options.categories = {{.name = "trial_number", .n_components = 6, .kind = CategoryKind::trial_number}};
  Descending problem({.n_channels = 300, .n_trials = 160, .min_length = 6, .max_length = 8}, options);
  const Components before = problem.state.components;
  const double F_before = problem.F();
  problem.step_without_extrapolation();
  EXPECT_LT(problem.F(), F_before);
  problem.descent.go_back_and_update_traces();
  EXPECT_EQ(problem.state.components, before);
  EXPECT_NEAR(problem.F(), F_before, testing::kExact * F_before);
}

TEST(Descent, KeepsAnExtrapolationThatLowersF) {
  Descending problem({.seed = 5});
  Descending plain({.seed = 5});
  for (Descending* p : {&problem, &plain}) p->step_without_extrapolation();
  // Two updates: the first gives the direction, the second is carried on.
  for (int step = 0; step < 2; ++step) {
    problem.descent.remember_position();
    problem.descent.update_components();
    problem.descent.normalise();
    problem.descent.extrapolate();
    problem.descent.update_traces();
    problem.descent.settle_extrapolation();
    plain.step_without_extrapolation();
  }
  EXPECT_FALSE(problem.descent.has_risen());
  EXPECT_LT(problem.F(), plain.F());
}

TEST(Descent, TakesBackAnExtrapolationThatRaisesF) {
  Descending problem({.seed = 5});
  for (int step = 0; step < 2; ++step) {
    problem.descent.remember_position();
    problem.descent.update_components();
    problem.descent.normalise();
    const Components plain = problem.state.components;
    problem.descent.extrapolate();
    if (step == 1) {  // far off
      EXPECT_NE(problem.state.components, plain);
      problem.state.components = testing::random_components(problem.design, 9, false, 77);
    }
    problem.descent.update_traces();
    EXPECT_EQ(problem.descent.has_risen(), step == 1);
    problem.descent.settle_extrapolation();
    if (step == 1) {
      EXPECT_EQ(problem.state.components, plain);
    }
    EXPECT_FALSE(problem.descent.has_risen());
  }
}

TEST(Descent, MakesAsManyRoundsAsItsStageAsksFor) {
  Descending one({.seed = 6}, testing::two_categories(), {.rounds = 1}), two({.seed = 6});
  for (Descending* p : {&one, &two}) {
    p->descent.remember_position();
    p->descent.update_components();
  }
  EXPECT_NE(one.state.components, two.state.components);
}

TEST(Descent, BeginsFromTheSumsOfAnotherThatEndedThere) {
  Descending first({.seed = 7});
  for (int step = 0; step < 3; ++step) first.step_without_extrapolation();
  State again = first.state;
  Statistics sums = first.descent.release_sums();
  Descent with_sums(first.data, first.design, first.options, first.stage, first.state, first.monitor,
                    std::move(sums));
  Descent without(first.data, first.design, first.options, first.stage, again, first.monitor, {});
  EXPECT_EQ(with_sums.objective().total(), without.objective().total());
}

}  // namespace
}  // namespace milcci
