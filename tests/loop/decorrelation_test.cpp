// The decorrelation term on random chains: its value, that it never rises, and where it ends.
#include "loop/decorrelation.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "loop/penalties.hpp"
#include "support/random_problem.hpp"
#include "support/tolerances.hpp"

namespace milcci {
namespace {

constexpr ChainOptions kTight{.tolerance = 1e-10, .max_sweeps = 20000};

struct Shape {
  bool is_nonnegative;
  double gamma;   // of the prior over time
  bool has_gaps;  // every third time point has an H of its own
  bool has_transition;
};

// Traces with a common part, seen through components that overlap.
ChainProblem random_chain(const Shape& shape, std::uint64_t seed) {
  constexpr Index kTimes = 40, kComponents = 4, kChannels = 12;
  Random random(seed, 5);
  Matrix A = random.normal(kChannels, kComponents), phi = random.normal(kTimes, kComponents);
  phi.colwise() += random.normal(kTimes, 1).col(0);
  if (shape.is_nonnegative) {
    A = A.cwiseAbs();
    phi = phi.cwiseAbs();
  }
  A.colwise().normalize();
  const Matrix Y = phi * A.transpose() + 0.2 * random.normal(kTimes, kChannels);
  ChainProblem problem;
  problem.ridge = 1e-3;
  problem.H = A.transpose() * A + problem.ridge(0) * Matrix::Identity(kComponents, kComponents);
  problem.B = Y * A;
  problem.gamma = shape.gamma;
  if (shape.has_transition)
    problem.W =
        0.9 * Matrix::Identity(kComponents, kComponents) + 0.1 * random.normal(kComponents, kComponents);
  if (shape.has_gaps) {
    problem.own_H.setZero(padded(kTimes), packed_size(kComponents));
    for (Index t = 0; t < kTimes; ++t) {
      const Vector a = (t % 3 == 0 ? 1.0 : 0.0) * A.row(t % kChannels).transpose();
      const Matrix H = problem.H - a * a.transpose();
      for (Index j = 0; j < kComponents; ++j)
        for (Index l = 0; l <= j; ++l) problem.own_H(t, packed_index(j, l)) = H(j, l);
      problem.B.row(t) -= Y(t, t % kChannels) * a.transpose();
    }
  }
  return problem;
}

double value(const ChainProblem& problem, double gamma4, bool is_nonnegative, const Matrix& phi) {
  const ChainObjective f = chain_objective(problem, phi);
  return f.data + f.prior + f.ridge + gamma4 * total_correlation(phi, is_nonnegative);
}

class DecorrelatedTraces : public ::testing::TestWithParam<std::tuple<bool, double, bool, bool>> {
 protected:
  Shape shape() const {
    const auto [is_nonnegative, gamma, has_gaps, has_transition] = GetParam();
    return {is_nonnegative, gamma, has_gaps, has_transition};
  }
};

TEST_P(DecorrelatedTraces, NeverRaiseTheirObjectiveFromAnywhere) {
  Random random(3, 3);
  for (const double gamma4 : {0.1, 3.0, 100.0}) {
    ChainProblem problem = random_chain(shape(), 21);
    Matrix phi = random.normal(40, 4);
    if (shape().is_nonnegative) phi = phi.cwiseAbs();
    ChainWork work;
    double before = value(problem, gamma4, shape().is_nonnegative, phi);
    for (int step = 0; step < 30; ++step) {
      minimise_decorrelated(problem, gamma4, shape().is_nonnegative, {.tolerance = 1e-4, .max_sweeps = 1},
                            phi, work);
      const double after = value(problem, gamma4, shape().is_nonnegative, phi);
      EXPECT_LE(after, before + testing::kExact * std::abs(before));
      before = after;
    }
  }
}

// The slope of the true value, by differences, is zero, or positive where a trace is zero.
TEST_P(DecorrelatedTraces, EndWhereTheSlopeIsZero) {
  for (const double gamma4 : {0.5, 3.0}) {
    ChainProblem problem = random_chain(shape(), 22);
    Matrix phi = Matrix::Zero(40, 4);
    ChainWork work;
    minimise_decorrelated(problem, gamma4, shape().is_nonnegative, kTight, phi, work);
    const double scale = problem.B.cwiseAbs().maxCoeff();
    for (Index i = 0; i < phi.size(); ++i) {
      constexpr double kStep = 1e-5;
      Matrix up = phi, down = phi;
      up.data()[i] += kStep;
      down.data()[i] -= kStep;
      const double slope = (value(problem, gamma4, shape().is_nonnegative, up) -
                            value(problem, gamma4, shape().is_nonnegative, down)) /
                           (2 * kStep);
      if (shape().is_nonnegative && phi.data()[i] == 0) {
        EXPECT_GE(slope, -1e-4 * scale);
      } else {
        EXPECT_NEAR(slope, 0.0, 1e-4 * scale);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, DecorrelatedTraces,
                         ::testing::Combine(::testing::Bool(), ::testing::Values(0.0, 2.0), ::testing::Bool(),
                                            ::testing::Bool()));

TEST(Decorrelation, CountsEachPairTwiceAndIgnoresScale) {
  Matrix phi(3, 3);
  phi << 1, 1, 0, 0, 1, 0, 0, 0, 0;
  for (const bool is_nonnegative : {false, true}) {
    EXPECT_NEAR(total_correlation(phi, is_nonnegative), 2.0 / std::sqrt(2.0), testing::kExact);
    phi.col(0) *= -70.0;
    EXPECT_NEAR(total_correlation(phi, is_nonnegative), 2.0 / std::sqrt(2.0), testing::kExact);
  }
}

TEST(Decorrelation, RoundsTheKinkOfTracesThatMayChangeTheirSign) {
  const auto total = [](double c, bool is_nonnegative) {
    Matrix phi(2, 2);
    phi << 1, c, 0, std::sqrt(1 - c * c);
    return total_correlation(phi, is_nonnegative);
  };
  EXPECT_NEAR(total(0.5 * kTip, true), kTip, testing::kExact);
  EXPECT_NEAR(total(0.0, false), kTip, testing::kExact);
  EXPECT_NEAR(total(0.5 * kTip, false), 1.25 * kTip, testing::kExact);
  EXPECT_NEAR(total(1.01 * kTip, false), 2.02 * kTip, testing::kExact);
}

TEST(Decorrelation, StrongerWeightGivesLessCorrelatedTraces) {
  for (const bool is_nonnegative : {false, true}) {
    double before = 1e300;
    for (const double gamma4 : {1e-9, 1.0, 10.0}) {
      ChainProblem problem = random_chain({is_nonnegative, 0, false, false}, 12);
      Matrix phi = Matrix::Zero(40, 4);
      ChainWork work;
      minimise_decorrelated(problem, gamma4, is_nonnegative, kTight, phi, work);
      const double total = total_correlation(phi, is_nonnegative);
      EXPECT_LT(total, before);
      before = total;
    }
  }
}

// A trace of next to nothing costs nothing, whatever its shape, and hardly moves.
TEST(Decorrelation, ATraceThatShrankComesBackWhenThatIsBetter) {
  constexpr double kGamma4 = 2.0;
  ChainProblem problem = random_chain({true, 0, false, false}, 23);
  ChainWork work;
  Matrix fresh = Matrix::Zero(40, 4);
  minimise_decorrelated(problem, kGamma4, true, kTight, fresh, work);
  Matrix phi = fresh;
  phi.col(2).setZero();
  phi(0, 2) = 1e-3;
  minimise_decorrelated(problem, kGamma4, true, kTight, phi, work);
  EXPECT_NEAR(value(problem, kGamma4, true, phi), value(problem, kGamma4, true, fresh),
              testing::kIterated * std::abs(value(problem, kGamma4, true, fresh)));
}

TEST(Decorrelation, WeightFollowsTheEnergyOfTheTrialAndTheNumberOfPairs) {
  Trials trials = testing::random_trials({.seed = 9});
  FitOptions options;
  options.penalties = PenaltyChoice::fixed;
  options.decorrelation = 0.01;
  const Penalties four = trace_penalties(options, TrialData(trials), 4);
  for (std::size_t m = 0; m < trials.n_trials(); ++m)
    EXPECT_NEAR(four.gamma4(static_cast<Index>(m)), 0.0025 * trials.values[m].squaredNorm() / 12.0,
                testing::kSolve);
  EXPECT_EQ(trace_penalties(options, TrialData(trials), 1).gamma4.size(), 0);
  options.gamma4 = 7.0;
  EXPECT_EQ(trace_penalties(options, TrialData(trials), 4).gamma4(0), 7.0);
}

}  // namespace
}  // namespace milcci
