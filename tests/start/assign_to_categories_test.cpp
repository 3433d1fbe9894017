// Gains of variants, and which component goes to which category by them.
#include "start/assign_to_categories.hpp"

#include <gtest/gtest.h>

#include "label_graphs/categories.hpp"
#include "support/random_problem.hpp"
#include "support/tolerances.hpp"

namespace milcci {
namespace {

TEST(AssignToCategories, SendsEachComponentToTheCategoryItVariesWith) {
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

TEST(AssignToCategories, PutsTheSameVariantUnderEveryOption) {
  const Trials trials = testing::random_trials({.n_trials = 24});
  const Design design = make_design(
      resolve_categories({{.name = "level", .n_components = 2}, {.name = "side", .n_components = 1}}, trials),
      24);
  Random random(8, 0);
  const Matrix shared = random.normal(9, 3);
  const Components components = place_in_categories(design, shared, {0, 1, 0});
  for (const Matrix& variant : components[0]) EXPECT_EQ(variant, shared(Eigen::all, {0, 2}));
  for (const Matrix& variant : components[1]) EXPECT_EQ(variant, shared.col(1));
}

// The gain is what the variants save on top of a shared component: none if the residuals do not differ.
TEST(AssignToCategories, FindsNoGainWhereOptionsDoNotDiffer) {
  const Trials trials = testing::random_trials({.n_trials = 24});
  const Design design = make_design(
      resolve_categories({{.name = "level", .n_components = 1}, {.name = "all", .kind = CategoryKind::fixed}},
                         trials),
      24);
  Random random(9, 0);
  const Matrix same = random.normal(9, 2);
  const std::vector<Matrix> residual(design.labels.size(), same);
  const std::vector<Vector> energy(design.labels.size(), Vector::Ones(2));
  const Matrix gain = gain_table(design, residual, energy);
  EXPECT_LT(gain.maxCoeff(), testing::kSolve * same.squaredNorm());
  EXPECT_EQ(gain.col(1).maxCoeff(), 0.0);
}

}  // namespace
}  // namespace milcci
