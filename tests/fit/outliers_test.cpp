// Fits of data with outliers.
#include <gtest/gtest.h>

#include "milcci/evaluate.hpp"
#include "milcci/fit.hpp"
#include "support/simulated_fit.hpp"
#include "support/tolerances.hpp"

namespace milcci {
namespace {

// Of the traces, squared, against their size.
double distance(const FitResult& found, const FitResult& expected) {
  double difference = 0, size = 0;
  for (std::size_t m = 0; m < expected.model.traces.size(); ++m) {
    difference += (found.model.traces[m] - expected.model.traces[m]).squaredNorm();
    size += expected.model.traces[m].squaredNorm();
  }
  return difference / size;
}

// Of the truth's own neighbourhood: no search is involved.
TEST(OutlierFit, FindsComponentsBesideOutliers) {
  SimulateOptions simulated = testing::small_paper(2);
  simulated.noise = 0.1;
  simulated.outliers = 0.01;
  const Trials trials = simulate(simulated);
  for (const PenaltyChoice penalties : {PenaltyChoice::automatic, PenaltyChoice::fixed}) {
    FitOptions options = testing::options_for(simulated);
    options.penalties = penalties;
    const auto correlation = [&](Loss loss) {
      options.loss = loss;
      const FitResult fitted = fit(trials, options, {}, trials.truth->categories);
      const Evaluation evaluation = evaluate(fitted, trials);
      EXPECT_NEAR(evaluation.objective->total() / fitted.summary.objective->total(), 1.0, testing::kIterated);
      EXPECT_NEAR(evaluation.r2, fitted.summary.r2, testing::kIterated);
      EXPECT_EQ(fitted.summary.r2_without_outliers.has_value(), loss == Loss::huber);
      return evaluation.truth->component_correlation.mean;
    };
    EXPECT_GT(correlation(Loss::huber), 0.98);
    EXPECT_LT(correlation(Loss::squared), 0.9);
  }
}

TEST(OutlierFit, TransformFindsTheTracesOfTheFit) {
  SimulateOptions simulated = testing::small_paper(3);
  simulated.noise = 0.2;
  simulated.outliers = 0.01;
  const Trials trials = simulate(simulated);
  FitOptions options = testing::options_for(simulated);
  options.loss = Loss::huber;
  const FitResult fitted = fit(trials, options, {}, trials.truth->categories);
  const FitResult again = transform(fitted, trials, {});
  EXPECT_LT(distance(again, fitted), 1e-4);
  ASSERT_TRUE(again.summary.r2_without_outliers.has_value());
  EXPECT_NEAR(*again.summary.r2_without_outliers, *fitted.summary.r2_without_outliers, 1e-3);
}

// One wild value can do no more than one that is merely far away.
TEST(OutlierFit, TransformDoesNotFollowOutliersOfAnySize) {
  SimulateOptions simulated = testing::small_paper(3);
  simulated.noise = 0.2;
  const Trials trials = simulate(simulated);
  FitOptions options = testing::options_for(simulated);
  options.loss = Loss::huber;
  const FitResult fitted = fit(trials, options, {}, trials.truth->categories);
  const FitResult clean = transform(fitted, trials, {});
  Trials wild = trials;
  for (std::size_t m = 0; m < wild.values.size(); ++m)
    for (Index t = 0; t < wild.values[m].cols(); t += 20)
      wild.values[m](static_cast<Index>(m % 30), t) += 1e6;
  const FitResult found = transform(fitted, wild, {});
  EXPECT_LT(distance(found, clean), 0.01);
}

// A fit that was cut short has no noise levels, and so no outliers.
TEST(OutlierFit, WithoutTimeForNoiseLevelsIsJudgedBySquaredErrors) {
  SimulateOptions simulated = testing::small_paper(3);
  simulated.noise = 0.2;
  const Trials trials = simulate(simulated);
  FitOptions options = testing::options_for(simulated);
  options.loss = Loss::huber;
  options.max_iterations = 1;
  const FitResult fitted = fit(trials, options, {}, trials.truth->categories);
  EXPECT_FALSE(fitted.summary.r2_without_outliers.has_value());
  EXPECT_NEAR(evaluate(fitted, trials).objective->total() / fitted.summary.objective->total(), 1.0,
              testing::kIterated);
}

}  // namespace
}  // namespace milcci
