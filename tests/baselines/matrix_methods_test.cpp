// SVD, PCA, probabilistic PCA, factor analysis and NMF find what defines them.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <limits>

#include "milcci/baselines.hpp"
#include "support/baseline_data.hpp"
#include "support/expect_error.hpp"

namespace milcci {
namespace {

using namespace testing;

TEST(Svd, HasTheErrorOfTheSmallestSingularValues) {
  const Trials trials = low_rank_trials({.noise = 0.5, .offset = 1.0});
  const BaselineFit found = fit_baseline(trials, Baseline::svd, {.n_components = 2});
  const Vector values = Eigen::JacobiSVD<Matrix>(side_by_side(trials)).singularValues();
  EXPECT_NEAR(squared_error(found.model, trials), values.tail(values.size() - 2).squaredNorm(), 1e-8);
}

TEST(Svd, TakesMissingEntriesForZeros) {
  Trials trials = low_rank_trials({.noise = 0.5});
  Trials zeros = trials;
  zeros.values[0](2, 3) = 0;
  trials.values[0](2, 3) = std::numeric_limits<double>::quiet_NaN();
  const BaselineFit found = fit_baseline(trials, Baseline::svd, {.n_components = 2});
  EXPECT_LT(
      (components_of(found) - components_of(fit_baseline(zeros, Baseline::svd, {.n_components = 2}))).norm(),
      1e-10);
  EXPECT_EQ(found.notes.size(), 1u);
}

TEST(Pca, LeavesTheSmallestEigenvaluesOfTheCovariance) {
  const Trials trials = low_rank_trials({.noise = 0.5, .offset = 3.0});
  const Matrix Y = side_by_side(trials);
  const Matrix rest = Y.colwise() - Y.rowwise().mean();
  const Vector values = Eigen::JacobiSVD<Matrix>(rest).singularValues();
  const BaselineFit found = fit_baseline(trials, Baseline::pca, {.n_components = 3});
  EXPECT_NEAR(squared_error(found.model, trials), values.tail(values.size() - 3).squaredNorm(), 1e-8);
}

TEST(Pca, WithGapsNeverRaisesTheErrorAndFindsLowRankDataExactly) {
  const Trials trials = low_rank_trials({.offset = 2.0, .missing = 0.15});
  const BaselineFit found =
      fit_baseline(trials, Baseline::pca, {.n_components = 2, .max_iterations = 5000, .tolerance = 1e-12});
  expect_never_rises(found.objective, 1e-12);
  EXPECT_LT(evaluate(found.model, trials).relative_error, 1e-8);
}

TEST(Ppca, WithGapsRaisesTheLikelihood) {
  const Trials trials = low_rank_trials({.noise = 0.4, .offset = 1.0, .missing = 0.2});
  for (const Baseline method : {Baseline::ppca, Baseline::fa}) {
    const BaselineFit found = fit_baseline(trials, method, {.n_components = 2, .max_iterations = 200});
    ASSERT_GT(found.objective.size(), 3u);
    expect_never_rises(found.objective, 1e-9);
    EXPECT_DOUBLE_EQ(*found.marginal_log_likelihood, -found.objective.back());
  }
}

TEST(Ppca, ByExpectationMaximisationAgreesWithTheKnownSolution) {
  // A channel that is never observed switches to expectation maximisation and changes nothing else.
  const Trials trials = low_rank_trials({.noise = 0.6, .offset = 1.0});
  Trials with_gap = trials;
  with_gap.values[1](0, 0) = std::numeric_limits<double>::quiet_NaN();
  const BaselineOptions options{.n_components = 2, .max_iterations = 3000, .tolerance = 1e-13};
  const BaselineFit exact = fit_baseline(trials, Baseline::ppca, options);
  const BaselineFit by_em = fit_baseline(with_gap, Baseline::ppca, options);
  EXPECT_NEAR(exact.noise_variance(0), by_em.noise_variance(0), 0.01 * exact.noise_variance(0));
  EXPECT_LT((components_of(exact) - components_of(by_em)).norm(), 0.02);
}

TEST(FactorAnalysis, FindsNoiseLevelsThatDifferBetweenChannels) {
  Trials trials = low_rank_trials({.n_channels = 8, .n_trials = 30, .length = 60, .noise = 0.1});
  Random random(9, 9);
  for (Matrix& y : trials.values) y.row(3) += 2.0 * random.normal(1, y.cols());
  const BaselineFit found = fit_baseline(trials, Baseline::fa, {.n_components = 2, .tolerance = 1e-9});
  EXPECT_NEAR(found.noise_variance(3), 4.01, 0.4);
  EXPECT_NEAR(found.noise_variance(5), 0.01, 0.003);
  expect_never_rises(found.objective, 1e-9);
  EXPECT_GT(*found.marginal_log_likelihood,
            *fit_baseline(trials, Baseline::ppca, {.n_components = 2}).marginal_log_likelihood);
}

TEST(Nmf, LowersTheErrorKeepsSignsAndFindsRankOneDataExactly) {
  const Trials trials = low_rank_trials({.rank = 1, .is_nonnegative = true});
  const BaselineFit found = fit_baseline(trials, Baseline::nmf, {.n_components = 1});
  EXPECT_LT(evaluate(found.model, trials).relative_error, 1e-10);
  const Trials noisy = low_rank_trials({.rank = 3, .noise = 0.1, .is_nonnegative = true});
  const BaselineFit three = fit_baseline(noisy, Baseline::nmf, {.n_components = 3});
  expect_never_rises(three.objective, 1e-10);
  expect_nonnegative(three);
}

TEST(Nmf, WithGapsUsesObservedEntriesOnly) {
  const Trials trials = low_rank_trials({.missing = 0.15, .is_nonnegative = true});
  const BaselineFit found =
      fit_baseline(trials, Baseline::nmf, {.n_components = 2, .max_iterations = 3000, .tolerance = 1e-10});
  expect_never_rises(found.objective, 1e-9);
  expect_nonnegative(found);
  EXPECT_LT(evaluate(found.model, trials).relative_error, 1e-4);
}

TEST(Nmf, RefusesNegativeData) {
  expect_error(ErrorKind::bad_input, {"negative", "below zero"},
               [] { fit_baseline(low_rank_trials({}), Baseline::nmf, {.n_components = 2}); });
}

TEST(Baselines, RefuseMoreComponentsThanThereCanBe) {
  const Trials trials = low_rank_trials({.is_nonnegative = true});
  for (const Baseline method : {Baseline::svd, Baseline::pca, Baseline::ppca, Baseline::fa, Baseline::nmf,
                                Baseline::tucker, Baseline::slicetca_1, Baseline::slicetca_2})
    expect_error(ErrorKind::bad_option, {"500 components", "at most"},
                 [&] { fit_baseline(trials, method, {.n_components = 500}); });
}

TEST(Baselines, DefaultsAreValidAndBadValuesAreRefused) {
  const Trials trials = low_rank_trials({});
  expect_error(ErrorKind::bad_option, {"`restarts` = 0"},
               [&] { fit_baseline(trials, Baseline::svd, {.restarts = 0}); });
  EXPECT_NO_THROW(fit_baseline(trials, Baseline::svd));
}

TEST(Baselines, EndAtTheirLimitsAndSaySo) {
  const Trials trials = low_rank_trials({.rank = 4, .noise = 0.5, .missing = 0.1, .is_nonnegative = true});
  const std::vector<CategorySpec> categories = {{.name = "side"}};
  for (const Baseline method : {Baseline::pca, Baseline::ppca, Baseline::fa, Baseline::nmf, Baseline::parafac,
                                Baseline::parafac_nonnegative, Baseline::tucker, Baseline::slicetca_1,
                                Baseline::slicetca_2_positive, Baseline::sibblings}) {
    const BaselineFit few = fit_baseline(trials, method, {.max_iterations = 2, .tolerance = 0}, categories);
    EXPECT_EQ(few.reason, StopReason::iteration_limit) << to_text(method);
    EXPECT_LE(few.iterations, 2) << to_text(method);
    const BaselineFit late = fit_baseline(trials, method, {.tolerance = 0, .time_limit = 0.0}, categories);
    EXPECT_EQ(late.reason, StopReason::time_limit) << to_text(method);
    EXPECT_NE(late.message.find("time limit of 0 s"), std::string::npos);
  }
}

TEST(Baselines, TakeTheSmallestTrialsOrSayWhyNot) {
  const std::vector<CategorySpec> categories = {{.name = "side"}};
  for (const LowRank& shape : {LowRank{.n_channels = 1, .rank = 1, .n_trials = 1, .length = 1},
                               LowRank{.n_channels = 2, .rank = 1, .n_trials = 1, .length = 3},
                               LowRank{.n_channels = 3, .rank = 1, .n_trials = 4, .length = 1},
                               LowRank{.n_channels = 40, .rank = 1, .n_trials = 2, .length = 5}})
    for (const Baseline method : all_baselines())
      for (const int n_components : {1, 3}) {
        LowRank wanted = shape;
        wanted.is_nonnegative = true;
        const Trials trials = low_rank_trials(wanted);
        try {
          const BaselineFit found = fit_baseline(trials, method, {.n_components = n_components}, categories);
          EXPECT_TRUE(std::isfinite(squared_error(found.model, trials))) << to_text(method);
        } catch (const Error& error) {
          EXPECT_NE(std::string(error.what()), "") << to_text(method);
        }
      }
}

TEST(Baselines, TakeConstantAndUnseenChannels) {
  Trials trials = low_rank_trials({.n_channels = 6, .noise = 0.2, .is_nonnegative = true});
  for (Matrix& y : trials.values) {
    y.row(1).setConstant(2.0);
    y.row(2).setZero();
    y.row(4).setConstant(std::numeric_limits<double>::quiet_NaN());
  }
  for (const Baseline method : all_baselines()) {
    const BaselineFit found =
        fit_baseline(trials, method, {.n_components = 2, .max_iterations = 100}, {{.name = "side"}});
    EXPECT_GT(evaluate(found.model, trials).r2, 0.1) << to_text(method);
    EXPECT_TRUE(components_of(found).allFinite()) << to_text(method);
  }
}

TEST(Baselines, HaveTheSameBitsForTheSameSeed) {
  const Trials trials = low_rank_trials({.rank = 3, .noise = 0.3, .is_nonnegative = true});
  const std::vector<CategorySpec> categories = {{.name = "side"}};
  for (const Baseline method : all_baselines()) {
    const BaselineOptions options{.n_components = 2, .max_iterations = 20};
    const BaselineFit once = fit_baseline(trials, method, options, categories);
    const BaselineFit again = fit_baseline(trials, method, options, categories);
    EXPECT_EQ(components_of(once), components_of(again)) << to_text(method);
    EXPECT_EQ(once.model.traces, again.model.traces) << to_text(method);
  }
}

TEST(Baselines, HaveMembershipsThatSumToOne) {
  const Trials trials = low_rank_trials({.rank = 3, .noise = 0.3, .is_nonnegative = true});
  const std::vector<CategorySpec> categories = {{.name = "side"}};
  for (const Baseline method : all_baselines()) {
    const BaselineFit found =
        fit_baseline(trials, method, {.n_components = 2, .max_iterations = 50}, categories);
    for (const Matrix& variant : found.model.categories.front().variants)
      for (Index j = 0; j < variant.cols(); ++j)
        EXPECT_NEAR(variant.col(j).lpNorm<1>(), variant.col(j).norm() > 0 ? 1 : 0, 1e-9) << to_text(method);
  }
}

}  // namespace
}  // namespace milcci
