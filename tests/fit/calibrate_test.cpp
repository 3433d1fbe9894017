// Penalties from the data: what is estimated is what the data were made with.
#include "fit/calibrate.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "fit/first_frame.hpp"
#include "label_graphs/categories.hpp"
#include "milcci/evaluate.hpp"
#include "milcci/fit.hpp"
#include "support/simulated_fit.hpp"
#include "support/tolerances.hpp"
#include "util/random.hpp"

namespace milcci {
namespace {

// One component that does not vary: y = b + a phi + noise, phi first-order autoregressive with mean zero.
struct Known {
  Trials trials;
  Vector offset, level;
  double trace_variance = 4.0, lag1 = 0.9;

  explicit Known(std::uint64_t seed, Index n_channels = 30, int n_trials = 30, Index n_times = 200) {
    Random random(seed, 1);
    offset = 3.0 * random.normal(n_channels, 1).col(0);
    level = (0.5 * random.normal(n_channels, 1).col(0)).array().exp();
    Vector a = random.normal(n_channels, 1).col(0).cwiseProduct(level);  // as strong as the noise
    a /= a.cwiseQuotient(level).norm();
    for (int m = 0; m < n_trials; ++m) {
      Matrix y(n_channels, n_times);
      double phi = std::sqrt(trace_variance) * random.normal(1, 1)(0);
      for (Index t = 0; t < n_times; ++t) {
        phi = lag1 * phi + std::sqrt(trace_variance * (1 - lag1 * lag1)) * random.normal(1, 1)(0);
        y.col(t) = offset + phi * a + level.cwiseProduct(random.normal(n_channels, 1).col(0));
      }
      trials.values.push_back(y);
    }
    for (Index n = 0; n < n_channels; ++n) trials.channel_names.push_back(std::to_string(n));
  }
};

FitOptions one_component() {
  FitOptions options;
  options.categories = {{.name = "all", .n_components = 1, .kind = CategoryKind::fixed}};
  options.penalties = PenaltyChoice::automatic;
  return options;
}

TEST(Calibration, FindsOffsetAndNoise) {
  const Known known(1);
  const NoiseModel noise = fit(known.trials, one_component()).model.noise;
  ASSERT_TRUE(noise.is_calibrated());
  // A mean over 6000 correlated values is known to about a tenth of the trace's deviation.
  EXPECT_LT((noise.offset - known.offset).cwiseQuotient(known.level).cwiseAbs().maxCoeff(), 0.2);
  EXPECT_LT((noise.level.cwiseQuotient(known.level).array() - 1.0).abs().maxCoeff(), 0.05);
}

// ridge + smoothness (2 - 2 cos w) is sigma^2 over the spectrum: in units of the noise, as a has length one.
// Estimates stop where they change by less than 5 %, a little on their way.
TEST(Calibration, FindsTheTimeCourseOfATrace) {
  constexpr int kSeeds = 6;
  double smoothness = 0, ridge = 0;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    const Known known(seed);
    const NoiseModel noise = fit(known.trials, one_component()).model.noise;
    const double v = known.trace_variance, rho = known.lag1;
    smoothness += noise.smoothness(0) / (rho / (v * (1 - rho * rho))) / kSeeds;
    ridge += noise.ridge(0) / ((1 - rho) * (1 - rho) / (v * (1 - rho * rho))) / kSeeds;
  }
  EXPECT_NEAR(smoothness, 1.0, 0.25);
  EXPECT_NEAR(ridge, 1.0, 0.25);
}

TEST(Calibration, KnowsNoUnits) {
  Known known(2, 12, 8, 60);
  const FitResult found = fit(known.trials, one_component());
  for (Matrix& y : known.trials.values) y *= 1000.0;
  const FitResult larger = fit(known.trials, one_component());
  EXPECT_LT((found.model.categories[0].variants[0] - larger.model.categories[0].variants[0]).norm(), 1e-6);
  EXPECT_NEAR(larger.model.noise.unit / found.model.noise.unit, 1000.0, 0.1);
  EXPECT_NEAR(larger.model.noise.ridge(0) / found.model.noise.ridge(0), 1.0, 1e-4);
}

TEST(Calibration, MakesNoisyTracesBetterThanFixedPenalties) {
  SimulateOptions simulated = testing::small_paper(3);
  simulated.n_trials = 60;
  simulated.noise = 1.0;
  const Trials trials = simulate(simulated);
  FitOptions options = testing::options_for(simulated);
  const Start truth = trials.truth->categories;
  const double fixed = evaluate(fit(trials, options, {}, truth).model, trials).truth->trace_correlation.mean;
  options.penalties = PenaltyChoice::automatic;
  const double found = evaluate(fit(trials, options, {}, truth).model, trials).truth->trace_correlation.mean;
  EXPECT_GT(found, fixed + 0.02);
}

TEST(Calibration, LeavesDataWithoutNoiseAsTheyAre) {
  const SimulateOptions simulated = testing::small_paper(4);
  const Trials trials = simulate(simulated);
  FitOptions options = testing::options_for(simulated);
  options.penalties = PenaltyChoice::automatic;
  const FitResult found = fit(trials, options, {}, trials.truth->categories);
  EXPECT_EQ(found.model.noise.offset.size(), 0);
  EXPECT_LT(found.model.noise.ridge.maxCoeff(), 0.01);
  EXPECT_GT(evaluate(found.model, trials).truth->component_correlation.mean, 0.999);
}

// Whatever a fit reports can be recomputed from its model, and transforming its own trials gives its traces.
TEST(Calibration, IsKeptByTheModel) {
  for (const double missing : {0.0, 0.1})
    for (const bool is_signed : {false, true}) {
      SimulateOptions simulated = testing::small_paper(5);
      simulated.noise = 0.5;
      simulated.missing = missing;
      simulated.is_signed = is_signed;
      const Trials trials = simulate(simulated);
      FitOptions options = testing::options_for(simulated);
      options.penalties = PenaltyChoice::automatic;
      const FitResult fitted = fit(trials, options, {}, trials.truth->categories);
      const Evaluation evaluation = evaluate(fitted, trials);
      EXPECT_NEAR(evaluation.objective->total() / fitted.summary.objective->total(), 1.0, testing::kIterated);
      EXPECT_NEAR(evaluation.r2, fitted.summary.r2, testing::kIterated);
      const FitResult again = transform(fitted, trials);
      EXPECT_NEAR(again.summary.r2, fitted.summary.r2, 1e-4);
      for (std::size_t m = 0; m < trials.n_trials(); ++m)
        EXPECT_LT((again.model.traces[m] - fitted.model.traces[m]).norm(),
                  1e-3 * fitted.model.traces[m].norm());
    }
}

TEST(Calibration, GivesTheSameBitsForAnyNumberOfThreads) {
  SimulateOptions simulated = testing::small_paper(6);
  simulated.noise = 0.5;
  const Trials trials = simulate(simulated);
  FitOptions options = testing::options_for(simulated);
  options.penalties = PenaltyChoice::automatic;
  options.threads = 1;
  const FitResult one = fit(trials, options, {}, trials.truth->categories);
  options.threads = 3;
  const FitResult three = fit(trials, options, {}, trials.truth->categories);
  EXPECT_EQ(one.model.noise.level, three.model.noise.level);
  for (std::size_t k = 0; k < 2; ++k)
    EXPECT_EQ(one.model.categories[k].variants, three.model.categories[k].variants);
}

// Levels are weights of the channels then, and nothing else is estimated.
TEST(Calibration, OfNoiseLevelsAloneIsKeptByTheModel) {
  SimulateOptions simulated = testing::small_paper(8);
  simulated.noise = 0.5;
  const Trials trials = simulate(simulated);
  FitOptions options = testing::options_for(simulated);
  options.noise = Noise::channel;
  const FitResult fitted = fit(trials, options, {}, trials.truth->categories);
  ASSERT_TRUE(fitted.model.noise.is_calibrated());
  const Evaluation evaluation = evaluate(fitted, trials);
  EXPECT_NEAR(evaluation.objective->total() / fitted.summary.objective->total(), 1.0, testing::kIterated);
  EXPECT_NEAR(evaluation.r2, fitted.summary.r2, testing::kIterated);
}

TEST(Calibration, HoldsForDataThatNeverChange) {
  Trials trials;
  trials.channel_names = {"a", "b", "c"};
  trials.values.assign(4, Matrix::Constant(3, 5, 3.0));
  const FitResult found = fit(trials, one_component());
  EXPECT_NO_THROW(evaluate(found, trials));
  if (found.model.noise.is_calibrated()) {
    EXPECT_GT(found.model.noise.unit, 0.0);
  }
}

// Standard errors are next to nothing there, and tell no component from another.
TEST(Calibration, LeavesMembersToSparsityWhereThereIsLittleNoise) {
  for (const double noise : {0.0, 0.5}) {
    SimulateOptions simulated = testing::small_paper(4);
    simulated.noise = noise;
    const Trials trials = simulate(simulated);
    FitOptions options = testing::options_for(simulated);
    options.penalties = PenaltyChoice::automatic;
    const FitResult found = fit(trials, options, {}, trials.truth->categories);
    EXPECT_EQ(found.model.noise.keeps_sparsity, noise == 0.0);
    EXPECT_EQ(found.summary.objective->sparsity > 0, noise == 0.0);
    EXPECT_NEAR(evaluate(found, trials).objective->total() / found.summary.objective->total(), 1.0,
                testing::kIterated);
  }
}

// Both look alike in the values of a channel; only one of them has a model without an offset.
TEST(Calibration, TellsABaselineFromTracesThatStayAwayFromZero) {
  const SimulateOptions simulated = testing::small_paper(4);
  const Trials trials = simulate(simulated);
  FitOptions options = testing::options_for(simulated);
  options.penalties = PenaltyChoice::automatic;
  const auto add = [&](double baseline, double of_components) {
    Trials shifted = trials;
    const Design design = make_design(resolve_categories(options.categories, trials), trials.n_trials());
    Components components;
    for (const CategoryComponents& category : trials.truth->categories)
      components.push_back(category.variants);
    for (std::size_t m = 0; m < trials.n_trials(); ++m) {
      const Matrix A = loading(design, components, static_cast<std::size_t>(design.label_of_trial[m]));
      shifted.values[m].colwise() += of_components * A.rowwise().sum();
      shifted.values[m].array() += baseline;
    }
    EXPECT_GT(first_frame(TrialData(shifted), options).offset.size(), 0);
    return fit(shifted, options, {}, trials.truth->categories).model.noise.offset;
  };
  double size = 0;
  for (const Matrix& y : trials.values) size = std::max(size, y.maxCoeff());
  EXPECT_EQ((add(0.0, 5 * size).array() != 0).count(), 0);
  const Vector found = add(20 * size, 0.0);
  ASSERT_EQ(found.size(), trials.n_channels());
  EXPECT_GT(found.minCoeff(), 19 * size);
}

TEST(FirstFrame, StandardisesChannelsThatHaveNothingInCommon) {
  Random random(3, 0);
  const Vector level = random.normal(20, 1).col(0).array().exp();
  Trials trials;
  for (int m = 0; m < 10; ++m) trials.values.push_back(level.asDiagonal() * random.normal(20, 100));
  for (Index n = 0; n < 20; ++n) trials.channel_names.push_back(std::to_string(n));
  const Frame apart = first_frame(TrialData(trials), one_component());
  ASSERT_EQ(apart.weight.size(), 20);
  const Vector product = apart.weight.cwiseProduct(level);
  EXPECT_LT(product.maxCoeff(), 1.3 * product.minCoeff());
  for (Matrix& y : trials.values) y.rowwise() += 3.0 * random.normal(1, 100).row(0);
  EXPECT_EQ(first_frame(TrialData(trials), one_component()).weight.size(), 0);
}

// A constant is a trace that may not be negative as good as any, but a baseline describes it with less.
TEST(Calibration, NoiseOnABaselineHasNoComponents) {
  Random random(5, 0);
  Trials trials;
  for (int n = 0; n < 20; ++n) trials.channel_names.push_back(std::to_string(n));
  LabelColumn::Texts sides;
  for (int m = 0; m < 60; ++m) {
    trials.values.push_back(random.normal(20, 60).array() + 5.0);
    sides.push_back(m % 2 == 0 ? "left" : "right");
  }
  trials.labels = {{.name = "side", .values = sides}};
  FitOptions options;
  options.categories = {{.name = "side", .n_components = 2},
                        {.name = "fixed", .n_components = 2, .kind = CategoryKind::fixed}};
  options.nonnegative = NonNegative::both;
  const FitResult found = fit(trials, options);
  EXPECT_EQ(found.model.dead_components().size(), 4u);
  ASSERT_EQ(found.model.noise.offset.size(), 20);
  EXPECT_NEAR(found.model.noise.offset.mean(), 5.0, 0.05);
}

// An offset would take the mean of every trace away, and there is no noise to drown what that costs.
TEST(Calibration, OfFreeSignsWithoutNoiseNeedsNoOffsetUnlessThereIsOne) {
  SimulateOptions simulated = testing::small_paper(4);
  simulated.is_signed = true;
  const Trials trials = simulate(simulated);
  FitOptions options = testing::options_for(simulated);
  options.penalties = PenaltyChoice::automatic;
  options.nonnegative = NonNegative::none;
  const auto offset_of = [&](const Trials& some) {
    return fit(some, options, {}, trials.truth->categories).model.noise.offset;
  };
  EXPECT_GT(first_frame(TrialData(trials), options).offset.size(), 0);
  EXPECT_EQ(offset_of(trials).size(), 0);
  Trials shifted = trials;
  for (Matrix& y : shifted.values) y.array() += 10.0;
  EXPECT_EQ(offset_of(shifted).size(), trials.n_channels());
}

TEST(FirstFrame, OfNonNegativeTracesIsTheBaselineOfChannelsBelowZero) {
  const SimulateOptions simulated = testing::small_paper(7);
  Trials trials = simulate(simulated);
  FitOptions options = testing::options_for(simulated);
  options.penalties = PenaltyChoice::automatic;
  for (Matrix& y : trials.values) y.row(2).array() -= 50.0;
  const Frame frame = first_frame(TrialData(trials), options);
  ASSERT_EQ(frame.offset.size(), trials.n_channels());
  EXPECT_NEAR(frame.offset(2), -50.0, 5.0);
  EXPECT_EQ(frame.offset(1), 0.0);
}

TEST(FirstFrame, OfNonNegativeTracesIsABaselineOnlyWhereThereIsOne) {
  const SimulateOptions simulated = testing::small_paper(7);
  Trials trials = simulate(simulated);
  FitOptions options = testing::options_for(simulated);
  options.penalties = PenaltyChoice::automatic;
  EXPECT_EQ(first_frame(TrialData(trials), options).offset.size(), 0);
  for (Matrix& y : trials.values) y.row(2).array() += 100.0;
  const Frame frame = first_frame(TrialData(trials), options);
  ASSERT_GT(frame.offset.size(), 0);
  EXPECT_GT(frame.offset(2), 99.0);
  EXPECT_EQ((frame.offset.array() != 0).count(), 1);
  options.nonnegative = NonNegative::none;  // there it is the mean
  EXPECT_GT((first_frame(TrialData(trials), options).offset.array() != 0).count(), 1);
}

}  // namespace
}  // namespace milcci
