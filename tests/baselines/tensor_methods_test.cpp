// PARAFAC, Tucker and sliceTCA: errors that never rise, exact answers where there are such, and what becomes
// of trials of unequal length.
#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "milcci/baselines.hpp"
#include "support/baseline_data.hpp"
#include "support/expect_error.hpp"

namespace milcci {
namespace {

using namespace testing;

TEST(Parafac, NeverRaisesTheError) {
  const Trials trials = low_rank_trials({.rank = 4, .noise = 0.5});
  for (const Baseline method : {Baseline::parafac, Baseline::parafac_nonnegative, Baseline::tucker}) {
    const BaselineFit found = fit_baseline(trials, method, {.n_components = 3});
    ASSERT_GT(found.objective.size(), 2u) << to_text(method);
    expect_never_rises(found.objective, 1e-12);
  }
}

TEST(Parafac, FindsTrilinearDataExactly) {
  const Trials trials = low_rank_trials({.is_trilinear = true});
  const BaselineFit found = fit_baseline(trials, Baseline::parafac, {.n_components = 2, .tolerance = 1e-10});
  EXPECT_LT(evaluate(found.model, trials).relative_error, 1e-8);
}

TEST(Parafac, NonNegativeKeepsItsSignsAndFindsTrilinearData) {
  const Trials trials = low_rank_trials({.is_nonnegative = true, .is_trilinear = true});
  const BaselineFit found = fit_baseline(trials, Baseline::parafac_nonnegative,
                                         {.n_components = 2, .max_iterations = 5000, .tolerance = 1e-10});
  expect_nonnegative(found);
  EXPECT_LT(evaluate(found.model, trials).relative_error, 1e-4);
}

TEST(Parafac, ObjectiveIsTheErrorOfTheModel) {
  const Trials trials = low_rank_trials({.rank = 4, .noise = 0.5});
  for (const Baseline method :
       {Baseline::parafac, Baseline::parafac_nonnegative, Baseline::tucker, Baseline::slicetca_1,
        Baseline::slicetca_1_positive, Baseline::slicetca_2, Baseline::slicetca_2_positive}) {
    const BaselineFit found = fit_baseline(trials, method, {.n_components = 3});
    EXPECT_NEAR(found.objective.back() / squared_error(found.model, trials), 1, 1e-6) << to_text(method);
  }
}

TEST(Tucker, OfFullRankLeavesNothing) {
  const Trials trials = low_rank_trials({.n_channels = 4, .rank = 3, .n_trials = 4, .length = 4, .noise = 1});
  EXPECT_LT(
      evaluate(fit_baseline(trials, Baseline::tucker, {.n_components = 4}).model, trials).relative_error,
      1e-10);
}

TEST(Tucker, IsAtLeastAsGoodAsParafac) {
  const Trials trials = low_rank_trials({.rank = 4, .noise = 0.5});
  const BaselineOptions options{.n_components = 3};
  EXPECT_LE(squared_error(fit_baseline(trials, Baseline::tucker, options).model, trials),
            squared_error(fit_baseline(trials, Baseline::parafac, options).model, trials));
}

TEST(SliceTca, ConfigurationOneReachesTheErrorOfTheSvd) {
  const Trials trials = low_rank_trials({.rank = 4, .noise = 0.5});
  const BaselineFit found =
      fit_baseline(trials, Baseline::slicetca_1, {.n_components = 3, .tolerance = 1e-10});
  const double best = squared_error(fit_baseline(trials, Baseline::svd, {.n_components = 3}).model, trials);
  EXPECT_NEAR(squared_error(found.model, trials) / best, 1, 1e-4);
  expect_never_rises(found.objective, 1e-12);
}

TEST(SliceTca, ConfigurationTwoReachesTheErrorOfTheSvdAlongTime) {
  const Trials trials = low_rank_trials({.rank = 4, .noise = 0.5});
  Matrix by_time(trials.n_times(0), 0);
  for (const Matrix& y : trials.values) {
    by_time.conservativeResize(Eigen::NoChange, by_time.cols() + y.rows());
    by_time.rightCols(y.rows()) = y.transpose();
  }
  const Vector values = Eigen::JacobiSVD<Matrix>(by_time).singularValues();
  const BaselineFit found =
      fit_baseline(trials, Baseline::slicetca_2, {.n_components = 3, .tolerance = 1e-10});
  EXPECT_NEAR(squared_error(found.model, trials) / values.tail(values.size() - 3).squaredNorm(), 1, 1e-3);
  EXPECT_EQ(found.model.categories.front().variants.size(), trials.n_trials());
}

TEST(SliceTca, PositiveKeepsItsSignsAndLowersTheError) {
  const Trials trials = low_rank_trials({.rank = 3, .noise = 0.2, .is_nonnegative = true});
  for (const Baseline method : {Baseline::slicetca_1_positive, Baseline::slicetca_2_positive}) {
    const BaselineFit found = fit_baseline(trials, method, {.n_components = 3});
    expect_nonnegative(found);
    expect_never_rises(found.objective, 1e-10);
  }
}

TEST(Tensors, CutLongTrialsPadShortOnesAndSaySo) {
  Trials trials = low_rank_trials({.n_trials = 20, .length = 10, .is_trilinear = true});
  const Matrix longer = Matrix::Random(9, 14);
  trials.values[4] = longer;
  trials.values[5] = trials.values[5].leftCols(6).eval();
  const BaselineFit found = fit_baseline(trials, Baseline::parafac, {.n_components = 2});
  ASSERT_EQ(found.notes.size(), 1u);
  EXPECT_NE(found.notes[0].find("10 time points"), std::string::npos) << found.notes[0];
  EXPECT_NE(found.notes[0].find("1 of 20 were cut, 1 padded"), std::string::npos) << found.notes[0];
  EXPECT_EQ(found.model.traces[4].cols(), 14);
  EXPECT_EQ(found.model.traces[4].rightCols(4).norm(), 0);
  EXPECT_EQ(found.model.traces[5].cols(), 6);
}

}  // namespace
}  // namespace milcci
