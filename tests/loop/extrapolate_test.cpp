// Extrapolation of the components: where it goes, what it may not touch, how it learns.
#include "loop/extrapolate.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/loop_problem.hpp"
#include "support/tolerances.hpp"

namespace milcci {
namespace {

constexpr double kFirstBeta = 0.5;

struct Steps {
  testing::LoopProblem problem{{.seed = 3}};
  const Design& design = problem.design;
  Components first = problem.state.components, second = first;

  // A small movement of every component, lengths kept.
  Steps() {
    const Components other = testing::random_components(design, 9, false, 8);
    second = between(first, other, 0.2);
    for (auto& variants : second)
      for (Matrix& a : variants) normalise_columns(a);
  }
};

double distance(const Components& a, const Components& b) {
  double sum = 0;
  for (std::size_t k = 0; k < a.size(); ++k)
    for (std::size_t i = 0; i < a[k].size(); ++i) sum += (a[k][i] - b[k][i]).squaredNorm();
  return std::sqrt(sum);
}

TEST(Extrapolation, CarriesTheUpdateOnInTheDirectionItMoved) {
  Steps steps;
  Extrapolation extrapolation;
  extrapolation.ahead_of(steps.design, steps.first, false, 1);
  const Components ahead = extrapolation.ahead_of(steps.design, steps.second, false, 1);
  EXPECT_TRUE(extrapolation.is_active());
  Components expected = between(steps.first, steps.second, 1.0 + kFirstBeta);
  for (auto& variants : expected)
    for (Matrix& a : variants) normalise_columns(a);
  EXPECT_LT(distance(ahead, expected), testing::kSolve);
  EXPECT_GT(distance(ahead, steps.first), 1.2 * distance(steps.second, steps.first));
  EXPECT_EQ(extrapolation.updated(), steps.second);
}

TEST(Extrapolation, HasNowhereToGoFromTheFirstUpdate) {
  Steps steps;
  Extrapolation extrapolation;
  EXPECT_EQ(extrapolation.ahead_of(steps.design, steps.first, false, 1), steps.first);
  EXPECT_FALSE(extrapolation.is_active());
}

TEST(Extrapolation, LeavesZerosZeroAndMakesNothingNegativeWhereSignsAreKept) {
  Steps steps;
  for (Components* components : {&steps.first, &steps.second})
    for (auto& variants : *components)
      for (Matrix& a : variants) a = a.cwiseAbs();
  steps.second[0][0](2, 0) = 0.0;       // cut by the update
  steps.second[0][0](3, 0) = 1e-3;      // about to be: beyond it lies a negative membership
  steps.second[0][1].col(1).setZero();  // dead
  Extrapolation extrapolation;
  extrapolation.ahead_of(steps.design, steps.first, true, 1);
  const Components ahead = extrapolation.ahead_of(steps.design, steps.second, true, 1);
  EXPECT_GT(steps.first[0][0](2, 0), 0.0);
  EXPECT_EQ(ahead[0][0](2, 0), 0.0);
  EXPECT_EQ(ahead[0][0](3, 0), 0.0);
  EXPECT_TRUE(ahead[0][1].col(1).isZero(0.0));
  for (const auto& [k, i] : steps.design.variants) {
    EXPECT_GE(ahead[k][i].minCoeff(), 0.0);
    for (Index j = 0; j < ahead[k][i].cols(); ++j)
      EXPECT_NEAR(ahead[k][i].col(j).norm(), k == 0 && i == 1 && j == 1 ? 0.0 : 1.0, testing::kExact);
  }
}

// How far the second of two equal pairs of updates is carried.
double reach(Extrapolation& extrapolation, const Steps& steps) {
  extrapolation.ahead_of(steps.design, steps.first, false, 1);
  return distance(extrapolation.ahead_of(steps.design, steps.second, false, 1), steps.first);
}

TEST(Extrapolation, DaresMoreWhenEncouragedButNeverDoublesAStep) {
  const Steps steps;
  Extrapolation extrapolation;
  double before = reach(extrapolation, steps);
  for (int good = 0; good < 10; ++good) {
    extrapolation.encourage();
    const double now = reach(extrapolation, steps);
    EXPECT_GT(now, before);
    before = now;
  }
  for (int good = 0; good < 500; ++good) extrapolation.encourage();
  Components twice = between(steps.first, steps.second, 2.0);
  for (auto& variants : twice)
    for (Matrix& a : variants) normalise_columns(a);
  EXPECT_LE(reach(extrapolation, steps), distance(twice, steps.first) + testing::kSolve);
}

TEST(Extrapolation, BeginsAnewAndMoreCarefullyAfterARestart) {
  const Steps steps;
  Extrapolation extrapolation;
  const double before = reach(extrapolation, steps);
  extrapolation.restart();
  EXPECT_EQ(extrapolation.ahead_of(steps.design, steps.first, false, 1), steps.first);
  EXPECT_FALSE(extrapolation.is_active());
  const Components ahead = extrapolation.ahead_of(steps.design, steps.second, false, 1);
  EXPECT_LT(distance(ahead, steps.first), before);
  EXPECT_GT(distance(ahead, steps.first), distance(steps.second, steps.first));
}

TEST(Extrapolation, GivesTheSameBitsForAnyNumberOfThreads) {
  Steps steps;
  Extrapolation one;
  one.ahead_of(steps.design, steps.first, false, 1);
  const Components ahead = one.ahead_of(steps.design, steps.second, false, 1);
  for (const int threads : {2, 3, 7}) {
    Extrapolation other;
    other.ahead_of(steps.design, steps.first, false, threads);
    EXPECT_EQ(other.ahead_of(steps.design, steps.second, false, threads), ahead);
  }
}

TEST(Between, IsLinearInItsStep) {
  const Steps steps;
  EXPECT_EQ(between(steps.first, steps.second, 0.0), steps.first);
  EXPECT_NEAR(distance(between(steps.first, steps.second, 0.25), steps.first),
              0.25 * distance(steps.second, steps.first), testing::kSolve);
}

}  // namespace
}  // namespace milcci
