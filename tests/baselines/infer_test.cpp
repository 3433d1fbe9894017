// Traces of new trials, and of trials with some channels hidden, under every method that knows them.
#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "milcci/baselines.hpp"
#include "support/baseline_data.hpp"
#include "support/expect_error.hpp"

namespace milcci {
namespace {

using namespace testing;

double distance(const std::vector<Matrix>& a, const std::vector<Matrix>& b) {
  double squared = 0, size = 0;
  for (std::size_t m = 0; m < a.size(); ++m) {
    squared += (a[m] - b[m]).squaredNorm();
    size += b[m].squaredNorm();
  }
  return std::sqrt(squared / size);
}

TEST(Infer, FindsTheTracesOfTheFitAgain) {
  const Trials trials = low_rank_trials({.rank = 3, .noise = 0.3, .is_trilinear = true});
  for (const Baseline method : {Baseline::svd, Baseline::pca, Baseline::ppca, Baseline::fa, Baseline::parafac,
                                Baseline::tucker, Baseline::slicetca_1}) {
    BaselineFit found = fit_baseline(trials, method, {.n_components = 2, .tolerance = 1e-12});
    // Those of a probability model are posterior means in the fit, too.
    if (method != Baseline::ppca && method != Baseline::fa) scale_trace_ridge(found, 0);
    EXPECT_LT(distance(infer_traces(found, trials), found.model.traces), 1e-3) << to_text(method);
  }
}

TEST(Infer, NonNegativeMethodsGiveNonNegativeTraces) {
  const Trials trials = low_rank_trials({.rank = 3, .noise = 0.5, .is_nonnegative = true});
  const Trials fresh = low_rank_trials({.rank = 3, .noise = 1.0, .seed = 8});
  for (const Baseline method :
       {Baseline::nmf, Baseline::parafac_nonnegative, Baseline::slicetca_1_positive}) {
    const BaselineFit found = fit_baseline(trials, method, {.n_components = 2});
    for (const Matrix& phi : infer_traces(found, fresh)) EXPECT_GE(phi.minCoeff(), 0) << to_text(method);
  }
}

TEST(Infer, HidingChannelsOrMissingThemIsTheSame) {
  const Trials trials = low_rank_trials({.rank = 3, .noise = 0.3, .is_nonnegative = true});
  Trials gaps = trials;
  for (Matrix& y : gaps.values) y.topRows(2).setConstant(std::numeric_limits<double>::quiet_NaN());
  const std::vector<Index> rest = {2, 3, 4, 5, 6, 7, 8};
  for (const Baseline method : {Baseline::pca, Baseline::fa, Baseline::nmf, Baseline::parafac,
                                Baseline::parafac_nonnegative, Baseline::tucker}) {
    const BaselineFit found = fit_baseline(trials, method, {.n_components = 2});
    EXPECT_LT(distance(infer_traces(found, gaps), infer_traces(found, trials, rest)), 1e-6)
        << to_text(method);
  }
}

TEST(Infer, PredictsHiddenChannelsOfNewTrialsWithoutNoise) {
  Trials all =
      low_rank_trials({.n_channels = 12, .n_trials = 30, .is_nonnegative = true, .is_trilinear = true});
  const TrialSource source(all);
  std::vector<std::size_t> train(20), test(10);
  for (std::size_t m = 0; m < 20; ++m) train[m] = m;
  for (std::size_t m = 0; m < 10; ++m) test[m] = 20 + m;
  for (const Baseline method : {Baseline::svd, Baseline::pca, Baseline::ppca, Baseline::fa, Baseline::nmf,
                                Baseline::parafac, Baseline::parafac_nonnegative, Baseline::tucker,
                                Baseline::slicetca_1, Baseline::slicetca_1_positive}) {
    const BaselineFit found = fit_baseline(source.some_trials(train), method,
                                           {.n_components = 2, .max_iterations = 5000, .tolerance = 1e-10});
    const CoSmoothing score = cosmooth(found, source.some_trials(test));
    EXPECT_GT(score.r2, 0.98) << to_text(method);
    EXPECT_EQ(score.channels.size(), 12u);
  }
}

TEST(Infer, HasTheFoldsOfOurOwnCoSmoothing) {
  const Trials trials = low_rank_trials({});
  BaselineFit found = fit_baseline(trials, Baseline::svd, {.n_components = 2});
  scale_trace_ridge(found, 0);
  FitOptions plain;
  plain.ridge = 0;
  plain.threads = 1;
  const CoSmoothing theirs = cosmooth(found, trials), ours = cosmooth(found.model, plain, trials);
  ASSERT_EQ(theirs.channels.size(), ours.channels.size());
  for (std::size_t n = 0; n < ours.channels.size(); ++n) {
    EXPECT_EQ(theirs.channels[n].fold, ours.channels[n].fold);
    EXPECT_NEAR(theirs.channels[n].r2, ours.channels[n].r2, 1e-6);
  }
}

// The same components predict the same, whichever method found them.
TEST(Infer, MethodsThatFindTracesByLeastSquaresHaveTheRidgeOfTheirNoise) {
  const Trials trials = low_rank_trials({.rank = 3, .noise = 1.0, .is_nonnegative = true});
  const BaselineFit svd = fit_baseline(trials, Baseline::svd, {.n_components = 2});
  const BaselineFit same = baseline_fit_of(trials, components_of(svd), svd.model.traces);
  const double n_values = 9 * 12 * 15, noise = squared_error(svd.model, trials) / n_values;
  double energy = 0;
  for (const Matrix& phi : svd.model.traces) energy += phi.row(0).squaredNorm();
  EXPECT_NEAR(svd.trace_rule.ridge(0, 0), noise * 12 * 15 / energy, 1e-9);
  EXPECT_LT((svd.trace_rule.ridge - same.trace_rule.ridge).norm(), 1e-9);
  for (const Baseline method :
       {Baseline::pca, Baseline::nmf, Baseline::slicetca_1, Baseline::slicetca_1_positive})
    EXPECT_GT(fit_baseline(trials, method, {.n_components = 2}).trace_rule.ridge.diagonal().minCoeff(), 0)
        << to_text(method);
  const auto ridge = [](const Trials& data) {
    return fit_baseline(data, Baseline::nmf, {.n_components = 2}).trace_rule.ridge;
  };
  Trials longer = trials;  // by what was never observed
  for (Matrix& y : longer.values) {
    y.conservativeResize(Eigen::NoChange, 30);
    y.rightCols(15).setConstant(std::numeric_limits<double>::quiet_NaN());
  }
  EXPECT_NEAR(ridge(longer)(0, 0) / ridge(trials)(0, 0), 1, 0.1);
}

// sliceTCA with free signs is one of many mixtures of the components of the SVD.
TEST(Infer, MixturesOfTheSameComponentsPredictTheSame) {
  const Trials trials = low_rank_trials({.rank = 4, .noise = 1.0}),
               fresh = low_rank_trials({.rank = 4, .noise = 1.0, .seed = 5});
  const BaselineFit svd = fit_baseline(trials, Baseline::svd, {.n_components = 3});
  Matrix mixture(3, 3);
  mixture << 1, 2, 0, -1, 1, 3, 0.5, 0, 1;
  std::vector<Matrix> traces;
  for (const Matrix& phi : svd.model.traces) traces.push_back(mixture.inverse() * phi);
  const BaselineFit mixed = baseline_fit_of(trials, components_of(svd) * mixture, traces);
  EXPECT_NEAR(cosmooth(mixed, fresh).r2, cosmooth(svd, fresh).r2, 1e-9);
  const BaselineFit slices = fit_baseline(trials, Baseline::slicetca_1,
                                          {.n_components = 3, .max_iterations = 5000, .tolerance = 1e-14});
  EXPECT_NEAR(cosmooth(slices, fresh).r2, cosmooth(svd, fresh).r2, 1e-3);
}

TEST(Infer, ComponentsOfSingleTrialsKnowNoNewOnes) {
  const Trials trials = low_rank_trials({});
  const BaselineFit found = fit_baseline(trials, Baseline::slicetca_2, {.n_components = 2});
  expect_error(ErrorKind::bad_input, {"slicetca_2", "components of its own"},
               [&] { infer_traces(found, trials); });
}

}  // namespace
}  // namespace milcci
