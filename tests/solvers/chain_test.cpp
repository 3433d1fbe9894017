// The trace problem against dense linear algebra that knows nothing of its structure.
#include "solvers/chain.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>

#include "support/tolerances.hpp"
#include "util/random.hpp"

namespace milcci {
namespace {

enum class Prior { none, smooth, weighted, dynamic };

ChainProblem random_chain(std::uint64_t seed, Prior prior, bool has_gaps, Index n_times = 12) {
  Random random(seed, 1);
  const Index P = 3, N = 8;
  const Matrix A = random.normal(N, P);
  ChainProblem problem;
  problem.H = A.transpose() * A;
  problem.B = 3.0 * random.normal(n_times, P);
  problem.gamma = prior == Prior::none ? 0.0 : random.uniform(0.1, 20.0);
  if (prior == Prior::weighted) problem.step_weights = random.normal(n_times - 1, 1).cwiseAbs();
  if (prior == Prior::dynamic) problem.W = Matrix::Identity(P, P) + 0.3 * random.normal(P, P);
  if (has_gaps) {
    problem.own_H.setZero(padded(n_times), packed_size(P));
    for (Index t = 0; t < n_times; ++t) {
      const Index n_observed = t % 2 == 0 ? 3 + random.below(N - 3) : N;
      const Matrix H = A.topRows(n_observed).transpose() * A.topRows(n_observed);
      for (Index j = 0; j < P; ++j)
        for (Index l = 0; l <= j; ++l) problem.own_H(t, packed_index(j, l)) = H(j, l);
    }
  }
  return problem;
}

// The whole (P T) x (P T) matrix of f, written down from its definition.
Matrix dense_matrix(const ChainProblem& problem) {
  const Index T = problem.n_times(), P = problem.n_components();
  const Matrix W = problem.W.size() > 0 ? problem.W : Matrix::Identity(P, P);
  Matrix M = Matrix::Zero(T * P, T * P);
  for (Index t = 0; t < T; ++t) M.block(t * P, t * P, P, P) += problem.hessian(t);
  for (Index t = 1; t < T; ++t) {
    Matrix D = Matrix::Zero(P, T * P);
    D.middleCols(t * P, P).setIdentity();
    D.middleCols((t - 1) * P, P) = -W;
    M += problem.gamma * problem.step_weight(t - 1) * D.transpose() * D;
  }
  return M;
}

Vector stacked(const Matrix& phi) {
  const Matrix transposed = phi.transpose();
  return Eigen::Map<const Vector>(transposed.data(), transposed.size());
}

class Chain : public ::testing::TestWithParam<std::tuple<int, Prior, bool>> {
 protected:
  ChainProblem problem_ = random_chain(static_cast<std::uint64_t>(std::get<0>(GetParam())),
                                       std::get<1>(GetParam()), std::get<2>(GetParam()));
};

TEST_P(Chain, ObjectiveAndGradientAreThoseOfTheDenseForm) {
  Random random(9, 9);
  const Matrix phi = random.normal(problem_.n_times(), problem_.n_components());
  const Matrix M = dense_matrix(problem_);
  const Vector x = stacked(phi), b = stacked(problem_.B);
  const ChainObjective f = chain_objective(problem_, phi);
  EXPECT_NEAR(f.data + f.prior, x.dot(M * x) - 2 * b.dot(x), 1e-9 * x.dot(M * x));
  EXPECT_LT((stacked(chain_gradient(problem_, phi)) - (M * x - b)).norm(), testing::kSolve * (M * x).norm());
}

TEST_P(Chain, UnconstrainedSolutionIsTheDenseSolution) {
  Matrix phi;
  solve_chain(problem_, phi);
  const Vector expected = dense_matrix(problem_).ldlt().solve(stacked(problem_.B));
  EXPECT_LT((stacked(phi) - expected).norm(), testing::kSolve * expected.norm());
}

TEST_P(Chain, NonNegativeSolutionSatisfiesTheKktConditions) {
  Random random(3, 3);
  Matrix phi = random.normal(problem_.n_times(), problem_.n_components()).cwiseAbs();
  ChainWork work;
  solve_chain_nonnegative(problem_, {.tolerance = 1e-12, .max_sweeps = 100000}, phi, work);
  EXPECT_GE(phi.minCoeff(), 0.0);
  const Matrix gradient = chain_gradient(problem_, phi);
  EXPECT_GE(gradient.minCoeff(), -testing::kIterated);
  EXPECT_LT(gradient.cwiseProduct(phi).cwiseAbs().maxCoeff(), testing::kIterated);
}

TEST_P(Chain, EveryNonNegativeSweepLowersTheObjective) {
  Matrix phi = Matrix::Ones(problem_.n_times(), problem_.n_components());
  ChainWork work;
  double before = 1e300;
  for (int sweep = 0; sweep < 20; ++sweep) {
    solve_chain_nonnegative(problem_, {.tolerance = 0, .max_sweeps = 1}, phi, work);
    const ChainObjective f = chain_objective(problem_, phi);
    EXPECT_LE(f.data + f.prior, before + testing::kSolve);
    before = f.data + f.prior;
  }
}

INSTANTIATE_TEST_SUITE_P(Random, Chain,
                         ::testing::Combine(::testing::Range(0, 6),
                                            ::testing::Values(Prior::none, Prior::smooth, Prior::weighted,
                                                              Prior::dynamic),
                                            ::testing::Bool()));

TEST(ChainEdge, OneTimePointIsAPlainSolve) {
  for (const Prior prior : {Prior::none, Prior::smooth, Prior::dynamic}) {
    const ChainProblem problem = random_chain(2, prior, false, 1);
    Matrix phi;
    solve_chain(problem, phi);
    EXPECT_LT((phi * problem.H - problem.B).norm(), testing::kSolve * problem.B.norm());
  }
}

// A trace that turns its sign from step to step (W_jj < 0) has positive off-diagonals. That is no M-matrix:
// active sets may go round in circles, most often where the component is hardly ever observed.
TEST(ChainEdge, NegativeDiagonalsOfTheTransitionsSatisfyTheKktConditionsToo) {
  constexpr Index kTimes = 12;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    Random random(seed, 3);
    ChainProblem problem;
    problem.gamma = 1.0;
    problem.H = Matrix::Constant(1, 1, random.uniform(0.02, 1.0));
    problem.own_H.setZero(padded(kTimes), packed_size(1));
    problem.own_H(0, 0) = problem.H(0, 0);  // observed at the first time point, and at few others
    for (Index t = 1; t < kTimes; ++t)
      if (random.uniform() < 0.1) problem.own_H(t, 0) = problem.H(0, 0);
    problem.W = Matrix::Constant(1, 1, -random.uniform(4.0, 16.0));
    problem.B = random.normal(kTimes, 1).cwiseAbs();
    Matrix phi = Matrix::Ones(kTimes, 1);
    ChainWork work;
    solve_chain_nonnegative(problem, {.tolerance = 1e-12, .max_sweeps = 100000}, phi, work);
    EXPECT_GE(phi.minCoeff(), 0.0);
    const Matrix gradient = chain_gradient(problem, phi);
    EXPECT_GE(gradient.minCoeff(), -testing::kIterated) << "seed " << seed;
    EXPECT_LT(gradient.cwiseProduct(phi).cwiseAbs().maxCoeff(), testing::kIterated) << "seed " << seed;
  }
}

TEST(ChainEdge, DeadAndDuplicateComponentsStayFinite) {
  for (const Prior prior : {Prior::none, Prior::smooth, Prior::dynamic}) {
    ChainProblem problem = random_chain(4, prior, false);
    problem.H.row(1).setZero();
    problem.H.col(1).setZero();
    problem.B.col(1).setZero();
    problem.H.row(2) = problem.H.row(0);
    problem.H.col(2) = problem.H.col(0);
    problem.B.col(2) = problem.B.col(0);
    if (prior == Prior::dynamic) problem.W.setIdentity();
    Matrix phi;
    solve_chain(problem, phi);
    EXPECT_TRUE(phi.allFinite());
    EXPECT_LT(phi.col(1).norm(), testing::kSolve);
    phi.setOnes();
    ChainWork work;
    solve_chain_nonnegative(problem, {}, phi, work);
    EXPECT_TRUE(phi.allFinite());
    EXPECT_EQ(phi.col(1).norm(), 0.0);
  }
}

TEST(ChainEdge, HugeSmoothnessMakesTracesConstantWithAndWithoutSigns) {
  ChainProblem problem = random_chain(5, Prior::smooth, false, 200);
  problem.B.array() += 5.0;
  problem.gamma = 1e9;
  Matrix phi;
  solve_chain(problem, phi);
  EXPECT_LT((phi.rowwise() - phi.row(0)).norm(), 1e-4 * phi.norm());
  phi.setOnes();
  ChainWork work;
  solve_chain_nonnegative(problem, {.tolerance = 1e-12, .max_sweeps = 100000}, phi, work);
  EXPECT_LT((phi.rowwise() - phi.row(0)).norm(), 1e-4 * phi.norm());
}

// Far from the ends and from gaps the factors repeat, and are not made again.
TEST(ChainEdge, LongChainsWithDynamicsAreSolvedExactly) {
  for (const bool has_gaps : {false, true}) {
    ChainProblem problem = random_chain(31, Prior::dynamic, has_gaps, 600);
    for (Index t = 0; has_gaps && t < problem.n_times(); ++t)
      if (t % 150 != 70) problem.own_H.row(t) = problem.own_H.row(1);
    Matrix phi;
    solve_chain(problem, phi);
    EXPECT_LT(chain_gradient(problem, phi).norm(), testing::kSolve * problem.B.norm());
  }
}

Matrix dense(const Vector& diagonal, const Vector& off) {
  Matrix M = diagonal.asDiagonal();
  M.diagonal(1) = M.diagonal(-1) = off;
  return M;
}

// Rows that are all alike, alike but for the ends, alike but for one, and all different: elimination is kept
// only where rows repeat. One solver for all of them, so what it has kept must not serve another matrix.
TEST(Tridiagonal, SolvesEveryPieceOfAChain) {
  Random random(8, 0);
  TridiagonalSolver solver;
  for (const Index T : {1, 2, 3, 4, 5, 9}) {
    for (const int kind : {0, 1, 2, 3}) {
      Vector diagonal = Vector::Constant(T, 3.0), off = Vector::Constant(T - 1, -1.0);
      if (kind == 1) diagonal(0) = 2.0, diagonal(T - 1) = 2.5;
      if (kind == 2) diagonal(T / 2) = 4.0;
      if (kind == 3)
        diagonal += random.normal(T, 1).cwiseAbs(), off -= 0.1 * random.normal(T - 1, 1).cwiseAbs();
      solver.set_matrix(diagonal, off);
      const Matrix M = dense(diagonal, off);
      for (Index first = 0; first < T; ++first)
        for (Index n = 1; first + n <= T; ++n) {
          const Vector b = random.normal(T, 1);
          Vector x = b, expected = b;
          expected.segment(first, n) = M.block(first, first, n, n).llt().solve(b.segment(first, n));
          solver.solve(first, first + n - 1, x);
          EXPECT_LT((x - expected).norm(), testing::kSolve * b.norm()) << T << kind << first << n;
        }
    }
  }
}

TEST(Tridiagonal, NonNegativeSolverIsExactOnLongStiffChains) {
  Random random(6, 0);
  const Index T = 3000;
  TridiagonalWork work;
  for (const double gamma : {0.01, 1.0, 1e4}) {
    const Vector off = Vector::Constant(T - 1, -gamma);
    Vector diagonal = Vector::Constant(T, 1.0 + 2 * gamma);
    diagonal(0) = diagonal(T - 1) = 1.0 + gamma;
    const Vector b = random.normal(T, 1);
    Vector x = Vector::Zero(T);
    solve_tridiagonal_nonnegative(diagonal, off, b, x, work);
    Vector gradient = diagonal.cwiseProduct(x) - b;
    gradient.head(T - 1) += off.cwiseProduct(x.tail(T - 1));
    gradient.tail(T - 1) += off.cwiseProduct(x.head(T - 1));
    EXPECT_GE(x.minCoeff(), 0.0);
    EXPECT_GE(gradient.minCoeff(), -testing::kSolve * (1 + gamma));
    EXPECT_LT(gradient.cwiseProduct(x).cwiseAbs().maxCoeff(), testing::kSolve * (1 + gamma));
  }
}

}  // namespace
}  // namespace milcci
