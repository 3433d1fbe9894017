#include "solvers/lasso.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/tolerances.hpp"
#include "util/random.hpp"

namespace milcci {
namespace {

struct Problem {
  Matrix G, R;
  Vector l1;
};

Problem random_problem(std::uint64_t seed, double l1) {
  Random random(seed, 0);
  const Index p = 1 + random.below(6);
  const Matrix X = random.normal(p, p + 4);
  return {X * X.transpose(), 5.0 * random.normal(30, p), Vector::Constant(p, l1)};
}

// Stationarity of a' G a - 2 r' a + l1 |a|: with g = r - G a, g_j = sign(a_j) l1_j / 2 where a_j != 0, |g_j|
// <= l1_j / 2 else; with a >= 0 only g_j <= l1_j / 2 where a_j = 0.
void expect_optimal(const Problem& problem, const Matrix& A, bool is_nonnegative) {
  const Matrix g = problem.R - A * problem.G;
  for (Index n = 0; n < A.rows(); ++n)
    for (Index j = 0; j < A.cols(); ++j) {
      const double half = 0.5 * problem.l1(j), a = A(n, j);
      if (a != 0) {
        EXPECT_NEAR(g(n, j), std::copysign(half, a), testing::kIterated);
      } else {
        EXPECT_LE(is_nonnegative ? g(n, j) : std::abs(g(n, j)), half + testing::kIterated);
      }
      if (is_nonnegative) {
        EXPECT_GE(a, 0.0);
      }
    }
}

class LassoKkt : public ::testing::TestWithParam<std::tuple<int, double, bool>> {};

TEST_P(LassoKkt, HoldForSharedAndOwnGram) {
  const auto [seed, l1, is_nonnegative] = GetParam();
  const Problem problem = random_problem(static_cast<std::uint64_t>(seed), l1);
  const LassoOptions options{.is_nonnegative = is_nonnegative, .tolerance = 1e-12, .max_sweeps = 100000};
  Matrix shared = Matrix::Zero(problem.R.rows(), problem.R.cols());
  lasso_rows(problem.G, problem.R, problem.l1, options, shared);
  expect_optimal(problem, shared, is_nonnegative);
  for (Index n = 0; n < shared.rows(); ++n) {
    Vector a = Vector::Ones(shared.cols());
    lasso_row(problem.G, problem.R.row(n).transpose(), problem.l1, options, a);
    EXPECT_LT((a.transpose() - shared.row(n)).norm(), testing::kIterated);
  }
}
INSTANTIATE_TEST_SUITE_P(Random, LassoKkt,
                         ::testing::Combine(::testing::Range(0, 10), ::testing::Values(0.0, 2.0, 30.0),
                                            ::testing::Bool()));

TEST(Lasso, WithoutPenaltyIsLeastSquares) {
  const Problem problem = random_problem(3, 0.0);
  Matrix A = Matrix::Zero(problem.R.rows(), problem.R.cols());
  lasso_rows(problem.G, problem.R, problem.l1, {.tolerance = 1e-14, .max_sweeps = 100000}, A);
  EXPECT_LT((A * problem.G - problem.R).norm(), testing::kIterated);
}

TEST(Lasso, HugePenaltyGivesExactZeros) {
  const Problem problem = random_problem(4, 1e6);
  Matrix A = Matrix::Ones(problem.R.rows(), problem.R.cols());
  lasso_rows(problem.G, problem.R, problem.l1, {}, A);
  EXPECT_EQ(A.cwiseAbs().maxCoeff(), 0.0);
}

TEST(Lasso, CoordinateWithoutEvidenceIsZero) {
  Matrix G = Matrix::Zero(2, 2);
  G(0, 0) = 1.0;
  Matrix A = Matrix::Ones(3, 2);
  lasso_rows(G, Matrix::Ones(3, 2), Vector::Zero(2), {}, A);
  EXPECT_EQ(A.col(1).cwiseAbs().maxCoeff(), 0.0);
  EXPECT_TRUE(A.allFinite());
}

TEST(BestShift, BeatsEveryPointOfAFineGrid) {
  Random random(5, 0);
  for (int repeat = 0; repeat < 200; ++repeat) {
    const bool is_nonnegative = repeat % 2 == 0;
    Vector a = random.normal(4, 1);
    if (is_nonnegative) a = a.cwiseAbs();
    const Vector l1 = random.normal(4, 1).cwiseAbs();
    const double quadratic = random.uniform(0.1, 3.0), linear = 2.0 * random.normal();
    const auto value = [&](double x) {
      return quadratic * x * x + 2 * linear * x + l1.dot((a.array() + x).abs().matrix());
    };
    const double best = best_shift(quadratic, linear, a, l1, is_nonnegative);
    if (is_nonnegative) {
      EXPECT_GE(a.minCoeff() + best, -testing::kExact);
    }
    for (double x = -6.0; x <= 6.0; x += 0.01) {
      if (is_nonnegative && a.minCoeff() + x < 0) continue;
      EXPECT_LE(value(best), value(x) + testing::kExact);
    }
  }
}

}  // namespace
}  // namespace milcci
