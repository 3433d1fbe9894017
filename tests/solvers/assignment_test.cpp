// The assignment against every permutation where that is possible, against duality where it is not.
#include "solvers/assignment.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>

#include "util/random.hpp"

namespace milcci {
namespace {

constexpr double kRounding = 1e-10;  // sums of up to 200 costs of order one

double cost_of(const Matrix& cost, const std::vector<Index>& column_of_row) {
  double sum = 0;
  for (std::size_t r = 0; r < column_of_row.size(); ++r)
    if (column_of_row[r] >= 0) sum += cost(static_cast<Index>(r), column_of_row[r]);
  return sum;
}

// Each row at most once by construction; here: columns in range, none twice, as many as possible.
void expect_valid(const Matrix& cost, const std::vector<Index>& column_of_row) {
  ASSERT_EQ(column_of_row.size(), static_cast<std::size_t>(cost.rows()));
  std::set<Index> used;
  for (const Index column : column_of_row) {
    if (column == -1) continue;
    EXPECT_GE(column, 0);
    EXPECT_LT(column, cost.cols());
    EXPECT_TRUE(used.insert(column).second) << "column " << column << " given twice";
  }
  EXPECT_EQ(used.size(), static_cast<std::size_t>(std::min(cost.rows(), cost.cols())));
}

double cheapest_by_brute_force(const Matrix& cost) {
  const Matrix wide = cost.rows() <= cost.cols() ? cost : Matrix(cost.transpose());
  std::vector<Index> columns(static_cast<std::size_t>(wide.cols()));
  std::iota(columns.begin(), columns.end(), Index{0});
  double best = std::numeric_limits<double>::infinity();
  do {
    double sum = 0;
    for (Index r = 0; r < wide.rows(); ++r) sum += wide(r, columns[static_cast<std::size_t>(r)]);
    best = std::min(best, sum);
  } while (std::next_permutation(columns.begin(), columns.end()));
  return best;
}

TEST(Assignment, IsAsCheapAsTheBestPermutation) {
  Random random(1, 0);
  for (Index rows = 1; rows <= 6; ++rows)
    for (Index columns = 1; columns <= 6; ++columns)
      for (int repeat = 0; repeat < 10; ++repeat) {
        const Matrix cost = random.normal(rows, columns);
        const auto assigned = assign(cost);
        expect_valid(cost, assigned);
        EXPECT_NEAR(cost_of(cost, assigned), cheapest_by_brute_force(cost), kRounding)
            << rows << " x " << columns;
      }
}

TEST(Assignment, IsAsCheapAsTheBestPermutationWhenCostsAreTied) {
  Random random(2, 0);
  for (int repeat = 0; repeat < 200; ++repeat) {
    Matrix cost(4 + random.below(3), 4 + random.below(3));
    for (Index c = 0; c < cost.cols(); ++c)
      for (Index r = 0; r < cost.rows(); ++r) cost(r, c) = static_cast<double>(random.below(3));
    const auto assigned = assign(cost);
    expect_valid(cost, assigned);
    EXPECT_EQ(cost_of(cost, assigned), cheapest_by_brute_force(cost));
  }
}

TEST(Assignment, AcceptsConstantCosts) {
  const Matrix cost = Matrix::Constant(5, 5, -3.0);
  const auto assigned = assign(cost);
  expect_valid(cost, assigned);
  EXPECT_EQ(cost_of(cost, assigned), -15.0);
}

TEST(Assignment, OfOneByOneIsTheOnlyPair) {
  EXPECT_EQ(assign(Matrix::Constant(1, 1, 7.0)), std::vector<Index>{0});
}

TEST(Assignment, OfNothingIsNothing) {
  EXPECT_TRUE(assign(Matrix(0, 0)).empty());
  EXPECT_TRUE(assign(Matrix(0, 3)).empty());
  EXPECT_EQ(assign(Matrix(2, 0)), (std::vector<Index>{-1, -1}));
}

TEST(Assignment, LeavesTheDearestRowsOutWhenThereAreMoreRowsThanColumns) {
  Matrix cost(3, 1);
  cost << 5, 2, 9;
  EXPECT_EQ(assign(cost), (std::vector<Index>{-1, 0, -1}));
}

TEST(Assignment, FindsThePlantedPermutation) {
  Random random(3, 0);
  Matrix cost = random.normal(50, 60).cwiseAbs() + Matrix::Constant(50, 60, 0.1);
  std::vector<Index> planted(50);
  for (Index r = 0; r < 50; ++r) {
    planted[static_cast<std::size_t>(r)] = (7 * r + 3) % 60;
    cost(r, planted[static_cast<std::size_t>(r)]) = 0;
  }
  EXPECT_EQ(assign(cost), planted);
}

// Prices are worked out from the answer alone: exchanging columns along a cycle of rows changes the cost by
// the cycle's length in the graph r -> r' of weight cost(r, column(r')) - cost(r, column(r)). The assignment
// is optimal if and only if no cycle is negative, that is, if shortest distances (prices) exist. Prices that
// are feasible and as large in sum as the assignment is dear prove it.
TEST(Assignment, Of200By200HasAFeasibleDualOfTheSameCost) {
  Random random(4, 0);
  constexpr Index n = 200;
  const Matrix cost = random.normal(n, n);
  const auto column = assign(cost);
  expect_valid(cost, column);

  const auto of = [&](Index r) { return column[static_cast<std::size_t>(r)]; };
  Vector price = Vector::Zero(n);  // of the columns, indexed by the row that holds them
  for (Index round = 0; round < n; ++round)
    for (Index r = 0; r < n; ++r)
      for (Index other = 0; other < n; ++other)
        price(other) = std::min(price(other), price(r) + cost(r, of(other)) - cost(r, of(r)));
  Vector u(n), v(n);
  for (Index r = 0; r < n; ++r) {
    v(of(r)) = price(r);
    u(r) = cost(r, of(r)) - price(r);
  }
  const double violation = (u.replicate(1, n) + v.transpose().replicate(n, 1) - cost).maxCoeff();
  EXPECT_LE(violation, kRounding);
  EXPECT_NEAR(u.sum() + v.sum(), cost_of(cost, column), kRounding);
}

}  // namespace
}  // namespace milcci
