// How many free numbers each method is charged for: those of what was observed, and no others.
#include "baselines/degrees_of_freedom.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "milcci/baselines.hpp"
#include "support/baseline_data.hpp"

namespace milcci {
namespace {

using namespace testing;

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

double degrees_of(const Trials& trials, Baseline method, int n_components = 2) {
  return *fit_baseline(trials, method, {.n_components = n_components}).degrees_of_freedom;
}

TEST(DegreesOfFreedom, OfAMatrixWithoutGapsAreThoseOfItsRank) {
  const Trials trials = low_rank_trials({.noise = 0.3, .offset = 1.0});
  const double N = 9, S = 12 * 15, P = 2;
  EXPECT_EQ(degrees_of(trials, Baseline::svd), P * (N + S - P));
  EXPECT_EQ(degrees_of(trials, Baseline::slicetca_1), P * (N + S - P));
  EXPECT_EQ(degrees_of(trials, Baseline::slicetca_2), P * (15 + N * 12 - P));
  EXPECT_EQ(degrees_of(trials, Baseline::pca), P * (N + S - P) + N);
  EXPECT_EQ(degrees_of(trials, Baseline::parafac), P * (N + 15 + 12 - 2));
}

TEST(DegreesOfFreedom, TimePointsThatWereNeverObservedCountNothing) {
  const Trials trials = low_rank_trials({.noise = 0.5, .offset = 1.0});
  Trials longer = trials;
  for (Matrix& y : longer.values) {
    y.conservativeResize(Eigen::NoChange, 30);
    y.rightCols(15).setConstant(kMissing);
  }
  for (const Baseline method : {Baseline::svd, Baseline::pca, Baseline::ppca, Baseline::fa, Baseline::parafac,
                                Baseline::tucker, Baseline::slicetca_1, Baseline::slicetca_2})
    EXPECT_NEAR(degrees_of(longer, method) / degrees_of(trials, method), 1, 0.01) << to_text(method);
  Trials counts = low_rank_trials({.noise = 0.5, .is_nonnegative = true}), longer_counts = counts;
  for (Matrix& y : longer_counts.values) {
    y.conservativeResize(Eigen::NoChange, 30);
    y.rightCols(15).setConstant(kMissing);
  }
  for (const Baseline method : {Baseline::nmf, Baseline::slicetca_1_positive, Baseline::slicetca_2_positive})
    EXPECT_NEAR(degrees_of(longer_counts, method) / degrees_of(counts, method), 1, 0.05) << to_text(method);
  const auto of_others = [](const Trials& source) {
    const BaselineFit svd = fit_baseline(source, Baseline::svd, {.n_components = 2});
    return *baseline_fit_of(source, components_of(svd), svd.model.traces).degrees_of_freedom;
  };
  EXPECT_EQ(of_others(longer), of_others(trials));
}

TEST(DegreesOfFreedom, ATimePointIsWorthAtMostItsObservedChannels) {
  Trials trials = low_rank_trials({.rank = 3, .n_trials = 20, .noise = 0.3});
  for (std::size_t m = 0; m < 10; ++m) trials.values[m].bottomRows(8).setConstant(kMissing);
  for (const Baseline method : {Baseline::svd, Baseline::pca, Baseline::ppca, Baseline::fa}) {
    const double of_channels = 9 * 3 + 9, of_traces = 10 * 15 * 1 + 10 * 15 * 3;
    EXPECT_LE(degrees_of(trials, method, 3), of_channels + of_traces) << to_text(method);
    EXPECT_GT(degrees_of(trials, method, 3), 0.7 * of_traces) << to_text(method);
  }
}

TEST(DegreesOfFreedom, NoMethodIsChargedForNoiseLevels) {
  // Hardly any noise: traces are not shrunken.
  const Trials trials = low_rank_trials({.noise = 1e-3});
  const double N = 9, S = 12 * 15, P = 2;
  for (const Baseline method : {Baseline::ppca, Baseline::fa})
    EXPECT_NEAR(degrees_of(trials, method), N * P - P * (P - 1) / 2 + N + P * S, 0.1) << to_text(method);
}

TEST(DegreesOfFreedom, ZerosThatTrialsArePaddedWithCountNothing) {
  Trials trials = low_rank_trials({.n_trials = 20, .noise = 0.3, .is_nonnegative = true});
  for (std::size_t m = 0; m < 10; ++m) trials.values[m] = trials.values[m].leftCols(5).eval();
  const double N = 9, P = 2, S = 10 * 5 + 10 * 15;
  EXPECT_EQ(degrees_of(trials, Baseline::slicetca_1), P * (N + S - P));
  EXPECT_LE(degrees_of(trials, Baseline::slicetca_1_positive), P * (N + S - 1));
  EXPECT_EQ(degrees_of(trials, Baseline::slicetca_2, 8), 8 * 15 + 9 * (10 * 5 + 10 * 8) - 8 * 8);
}

TEST(DegreesOfFreedom, OfNothingAreNotNegative) {
  Trials trials = low_rank_trials({});
  for (Matrix& y : trials.values) y.setZero();
  for (const Baseline method : all_baselines()) {
    const BaselineFit found = fit_baseline(trials, method, {.n_components = 2}, {{.name = "side"}});
    EXPECT_GE(found.degrees_of_freedom.value_or(0), 0) << to_text(method);
  }
}

TEST(DegreesOfFreedom, OfTuckerAreAtMostThoseThatShortTrialsLeave) {
  // One time point: the core is 3 x 1 x 1 and has rank one, as has the data's fit: a channel factor, a trial
  // factor, a size.
  const BaselineFit found = fit_baseline(low_rank_trials({.rank = 3, .length = 1, .noise = 0.3}),
                                         Baseline::tucker, {.n_components = 3});
  EXPECT_EQ(*found.degrees_of_freedom, 1 + (9 - 1) + 0 + (12 - 1));
  ASSERT_EQ(found.notes.size(), 1u);
  EXPECT_NE(found.notes[0].find("too few time points"), std::string::npos) << found.notes[0];
}

}  // namespace
}  // namespace milcci
