// First components: dictionary, gains, assignment, and the binned design of the search.
#include <gtest/gtest.h>

#include <cmath>

#include "label_graphs/categories.hpp"
#include "solvers/assignment.hpp"
#include "start/assign_to_categories.hpp"
#include "start/binned_design.hpp"
#include "start/dictionary.hpp"
#include "support/random_problem.hpp"
#include "support/tolerances.hpp"

namespace milcci {
namespace {

TEST(SecondMoments, AreThoseOfTheDataAndUnbiasedUnderGaps) {
  const Trials whole =
      testing::random_trials({.n_trials = 60, .min_length = 40, .max_length = 60, .seed = 2});
  const TrialData data(whole, false);
  Matrix S = Matrix::Zero(9, 9);
  for (const Matrix& y : whole.values) S += y * y.transpose();
  EXPECT_LT((second_moments(data) - S).norm(), testing::kSolve * S.norm());
  const Trials holey =
      testing::random_trials({.n_trials = 60, .min_length = 40, .max_length = 60, .missing = 0.3, .seed = 2});
  const Matrix with_gaps = second_moments(TrialData(holey, false));
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

TEST(Deal, SendsEachComponentToTheCategoryItVariesWith) {
  const Trials trials = testing::random_trials({.n_trials = 24});
  const Design design = make_design(
      resolve_categories({{.name = "level", .n_components = 1}, {.name = "side", .n_components = 2}}, trials),
      24);
  // Component 2 differs between levels, the others between sides.
  Random random(6, 0);
  const Matrix by_level = random.normal(9, 3), by_side = random.normal(9, 2);
  std::vector<Matrix> residual;
  std::vector<Vector> energy;
  for (const std::vector<int>& label : design.labels) {
    Matrix r = 0.01 * random.normal(9, 3);
    r.col(2) += by_level.col(label[0]);
    r.col(0) += by_side.col(label[1]);
    r.col(1) -= by_side.col(label[1]);
    residual.push_back(r);
    energy.push_back(Vector::Ones(3));
  }
  const Matrix gain = gain_table(design, residual, energy);
  EXPECT_GT(gain(2, 0), 100 * gain(2, 1));
  EXPECT_EQ(assign_to_categories(design, gain), (std::vector<int>{1, 1, 0}));
  const Matrix shared = random.normal(9, 3);
  const Components components = place_in_categories(design, shared, {1, 1, 0});
  EXPECT_EQ(components[0][2].col(0), shared.col(2));
  EXPECT_EQ(components[1][0].col(1), shared.col(1));
}

TEST(BinnedDesign, CutsManyTrialNumbersIntoAFewBinsAndBack) {
  const Trials trials = testing::random_trials({.n_trials = 100});
  const Design fine = make_design(
      resolve_categories({{.name = "trial_number", .kind = CategoryKind::trial_number}, {.name = "side"}},
                         trials),
      100);
  const BinnedDesign binned = bin_design(fine, 100);
  EXPECT_EQ(binned.design.n_options(0), 12);
  EXPECT_EQ(binned.design.n_options(1), 2);
  EXPECT_TRUE(std::is_sorted(binned.bin_of_option[0].begin(), binned.bin_of_option[0].end()));
  Components components;
  components.emplace_back();
  for (int b = 0; b < 12; ++b) components[0].push_back(Matrix::Constant(9, 1, b));
  components.emplace_back(2, Matrix::Zero(9, 1));
  const Components unbinned = unbin(binned, fine, components);
  ASSERT_EQ(unbinned[0].size(), 100u);
  EXPECT_EQ(unbinned[0][99](0, 0), 11.0);
}

}  // namespace
}  // namespace milcci
