// Corners where the model becomes something simpler that can be computed in another way.
#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "milcci/fit.hpp"
#include "support/random_problem.hpp"
#include "support/tolerances.hpp"

namespace milcci {
namespace {

using testing::random_trials;

FitOptions one_category_without_penalties(int n_components) {
  FitOptions options;
  options.penalties = PenaltyChoice::fixed;
  options.categories = {{.name = "fixed", .n_components = n_components, .kind = CategoryKind::fixed}};
  options.sparsity = options.consistency = 0;
  options.ridge = 0;
  options.tolerance = 1e-14;
  options.component_tolerance = 1e-9;
  options.max_iterations = 5000;
  options.restarts = 2;
  options.threads = 1;
  return options;
}

Matrix side_by_side(const Trials& trials) {
  Index total = 0;
  for (const Matrix& y : trials.values) total += y.cols();
  Matrix all(trials.n_channels(), total);
  Index at = 0;
  for (const Matrix& y : trials.values) all.middleCols(at, y.cols()) = y, at += y.cols();
  return all;
}

// Without labels, penalties and signs the best rank-P reconstruction is the truncated SVD's.
TEST(SpecialCase, OneOptionWithoutPenaltiesIsTheBestLowRankFit) {
  const Trials trials = random_trials({.seed = 21});
  const FitResult result = fit(trials, one_category_without_penalties(3));
  const Matrix all = side_by_side(trials);
  const Vector singular = all.bdcSvd().singularValues();
  const double best = singular.tail(singular.size() - 3).squaredNorm();
  EXPECT_NEAR(result.summary.iterations.back().objective.fit, best, 1e-6 * best);
}

// The same, step by step: one iteration is one alternation of two least-squares solves.
TEST(SpecialCase, OneIterationIsOneAlternationOfLeastSquares) {
  const Trials trials = random_trials({.seed = 22});
  const Matrix Y = side_by_side(trials);
  FitOptions options = one_category_without_penalties(2);
  options.max_iterations = 1;
  Random random(3, 3);
  Matrix A = random.normal(9, 2);
  const FitResult result = fit(trials, options, {}, Start{{"fixed", {"all"}, {A}}});
  const Matrix first = A.colPivHouseholderQr().solve(Y);
  A = first.transpose().colPivHouseholderQr().solve(Y.transpose()).transpose();
  const Matrix Phi = A.colPivHouseholderQr().solve(Y);
  const Matrix expected = A * Phi;
  Index at = 0;
  for (std::size_t m = 0; m < trials.n_trials(); ++m) {
    EXPECT_LT((result.model.reconstruction(m) - expected.middleCols(at, trials.n_times(m))).norm(),
              testing::kSolve * expected.norm());
    at += trials.n_times(m);
  }
}

TEST(SpecialCase, HugeConsistencyGivesTheFitWithoutVariants) {
  const Trials trials = random_trials({.seed = 23});
  FitOptions tied = one_category_without_penalties(1);
  tied.categories = {{.name = "side", .n_components = 2}};
  tied.consistency = 1e8;
  const FitResult result = fit(trials, tied);
  const auto& variants = result.model.categories[0].variants;
  EXPECT_LT((variants[0] - variants[1]).norm(), 1e-4 * variants[0].norm());
  const FitResult fixed = fit(trials, one_category_without_penalties(2));
  EXPECT_NEAR(result.summary.iterations.back().objective.fit, fixed.summary.iterations.back().objective.fit,
              1e-3 * fixed.summary.iterations.back().objective.fit);
}

TEST(SpecialCase, HugeSmoothnessGivesConstantTraces) {
  for (const NonNegative sign : {NonNegative::none, NonNegative::both}) {
    FitOptions options = testing::two_categories();
    options.smoothness = 1e7;
    options.nonnegative = sign;
    const FitResult result = fit(random_trials({.missing = 0.1, .seed = 24}), options);
    double variation = 0, energy = 0;
    for (const Matrix& phi : result.model.traces) {
      variation += (phi.colwise() - phi.rowwise().mean().eval()).squaredNorm();
      energy += phi.squaredNorm();
    }
    EXPECT_GT(energy, 0.0);
    EXPECT_LT(variation, 1e-6 * energy);
  }
}

TEST(SpecialCase, HugePullOfTransitionsToTheIdentityIsTheSmoothnessPrior) {
  const Trials trials = random_trials({.min_length = 20, .max_length = 30, .seed = 25});
  FitOptions smooth = testing::two_categories();
  smooth.nonnegative = NonNegative::both;
  smooth.smoothness = 3.0;
  smooth.tolerance = 1e-12;
  smooth.component_tolerance = 1e-7;
  smooth.max_iterations = 5000;
  FitOptions dynamic = smooth;
  dynamic.prior = TracePrior::lds;
  dynamic.gamma5 = 1e12;
  const FitResult a = fit(trials, smooth), b = fit(trials, dynamic);
  for (const Matrix& W : b.model.transitions) EXPECT_LT((W - Matrix::Identity(3, 3)).norm(), 1e-6);
  for (std::size_t m = 0; m < trials.n_trials(); ++m)
    EXPECT_LT((a.model.reconstruction(m) - b.model.reconstruction(m)).norm(),
              1e-3 * a.model.reconstruction(m).norm());
}

TEST(SpecialCase, OneOptionPerTrialWithoutTiesFitsEveryTrialAlone) {
  const Trials trials = random_trials({.n_trials = 4, .seed = 26});
  FitOptions options = one_category_without_penalties(2);
  options.categories[0] = {.name = "trial_number", .n_components = 2, .kind = CategoryKind::trial_number};
  const FitResult result = fit(trials, options);
  double best = 0;
  for (const Matrix& y : trials.values) {
    const Vector singular = y.bdcSvd().singularValues();
    best += singular.tail(singular.size() - 2).squaredNorm();
  }
  EXPECT_NEAR(result.summary.iterations.back().objective.fit, best, 1e-5 * best);
}

TEST(SpecialCase, MissingEntriesOfAnExactModelAreFilledIn) {
  Random random(27, 0);
  const Matrix A = random.normal(10, 2).cwiseAbs();
  Trials trials;
  std::vector<Matrix> whole;
  for (int m = 0; m < 6; ++m) {
    whole.push_back(A * random.normal(2, 40).cwiseAbs());
    Matrix y = whole.back();
    for (Index i = 0; i < y.size(); ++i)
      if (random.uniform() < 0.3) y.data()[i] = std::numeric_limits<double>::quiet_NaN();
    trials.values.push_back(y);
  }
  for (int n = 0; n < 10; ++n) trials.channel_names.push_back(std::to_string(n));
  FitOptions options = one_category_without_penalties(2);
  options.missing_weight = 0.0;
  const FitResult result = fit(trials, options);
  for (std::size_t m = 0; m < whole.size(); ++m)
    EXPECT_LT((result.model.reconstruction(m) - whole[m]).norm(), 1e-4 * whole[m].norm());
}

// No channel changes, so none has a variance to compare its noise with.
TEST(SpecialCases, ASingleTimePointIsFitted) {
  Trials trials;
  trials.channel_names = {"a", "b", "c"};
  trials.values = {Vector{{0.6, 0.3, 0.1}}};
  for (const NonNegative signs : {NonNegative::none, NonNegative::traces, NonNegative::both}) {
    FitOptions options;
    options.categories = {{.name = "fixed", .n_components = 1, .kind = CategoryKind::fixed}};
    options.nonnegative = signs;
    EXPECT_TRUE(fit(trials, options).model.traces[0].allFinite());
  }
}

}  // namespace
}  // namespace milcci
