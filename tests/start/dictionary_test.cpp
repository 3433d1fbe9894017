// The sparse dictionary of the channels' second moments.
#include "start/dictionary.hpp"

#include <gtest/gtest.h>

#include "solvers/assignment.hpp"
#include "support/random_problem.hpp"
#include "support/tolerances.hpp"

namespace milcci {
namespace {

TEST(SecondMoments, AreThoseOfTheDataAndUnbiasedUnderGaps) {
  const Trials whole =
      testing::random_trials({.n_trials = 60, .min_length = 40, .max_length = 60, .seed = 2});
  const TrialData data(whole);
  Matrix S = Matrix::Zero(9, 9);
  for (const Matrix& y : whole.values) S += y * y.transpose();
  EXPECT_LT((second_moments(data) - S).norm(), testing::kSolve * S.norm());
  const Trials holey =
      testing::random_trials({.n_trials = 60, .min_length = 40, .max_length = 60, .missing = 0.3, .seed = 2});
  const Matrix with_gaps = second_moments(TrialData(holey));
  EXPECT_LT((with_gaps / with_gaps.norm() - S / S.norm()).norm(), 0.05);
}

TEST(Dictionary, FindsDisjointGroupsWhateverItsRandomNumbers) {
  Random random(4, 0);
  Matrix truth = Matrix::Zero(12, 3);
  for (Index n = 0; n < 12; ++n) truth(n, n / 4) = random.uniform(0.5, 1.0);
  truth.colwise().normalize();
  const Matrix Phi = random.normal(3, 400);
  const Matrix S = truth * Phi * Phi.transpose() * truth.transpose();
  for (const bool is_nonnegative : {false, true})
    for (std::uint64_t stream = 0; stream < 5; ++stream) {
      Random start(9, stream);
      const Matrix A = sparse_dictionary(Moments(S), 3, {.is_nonnegative = is_nonnegative}, start);
      const Matrix overlap = (truth.transpose() * A).cwiseAbs();
      const std::vector<Index> match = assign(-overlap);
      for (Index j = 0; j < 3; ++j) EXPECT_GT(overlap(j, match[static_cast<std::size_t>(j)]), 0.98);
    }
}

}  // namespace
}  // namespace milcci
