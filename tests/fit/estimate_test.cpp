// What is told of a fit before it begins.
#include <gtest/gtest.h>

#include <cmath>

#include "label_graphs/categories.hpp"
#include "milcci/fit.hpp"
#include "start/search_outlook.hpp"
#include "support/random_problem.hpp"

namespace milcci {
namespace {

TEST(Estimate, MemoryHoldsTheTrialsAndGrowsWithWhatIsAsked) {
  const Trials trials = testing::random_trials({.seed = 3});
  FitOptions options = testing::two_categories();
  double data = 0;
  for (const Matrix& y : trials.values) data += 8.0 * static_cast<double>(y.size());
  const double small = estimate_memory(trials, options);
  EXPECT_GT(small, data);
  options.categories.push_back(
      {.name = "trial_number", .n_components = 2, .kind = CategoryKind::trial_number});
  EXPECT_GT(estimate_memory(trials, options), small);
}

TEST(Estimate, DynamicsTakeMemoryInLongTrials) {
  Trials trials;
  trials.values = {Matrix::Ones(10, 200000)};
  FitOptions options;
  options.categories = {{.name = "fixed", .n_components = 8, .kind = CategoryKind::fixed}};
  const double without = estimate_memory(trials, options);
  options.prior = TracePrior::lds;
  EXPECT_GT(estimate_memory(trials, options), without);
}

// B, the new traces, and what is eliminated, of every component.
TEST(Estimate, SmoothTracesTakeMemoryPerThread) {
  Trials trials;
  trials.values = {Matrix::Ones(10, 200000)};
  FitOptions options;
  options.categories = {{.name = "fixed", .n_components = 8, .kind = CategoryKind::fixed}};
  options.threads = 1;
  const auto more_of_two_threads = [&](std::optional<double> smoothness, NonNegative nonnegative) {
    options.smoothness = smoothness;
    options.nonnegative = nonnegative;
    options.threads = 1;
    const double one = estimate_memory(trials, options);
    options.threads = 2;
    return (estimate_memory(trials, options) - one) / (8.0 * 200000 * 8);
  };
  EXPECT_NEAR(more_of_two_threads(0.0, NonNegative::none), 1.0, 0.1);
  EXPECT_NEAR(more_of_two_threads(1.0, NonNegative::none), 3.0, 0.1);
  EXPECT_NEAR(more_of_two_threads(1.0, NonNegative::both), 4.0, 0.1);
  EXPECT_NEAR(more_of_two_threads({}, NonNegative::both), 4.0, 0.1);  // estimated
}

TEST(Estimate, GapsTakeMemory) {
  const FitOptions options = testing::two_categories();
  EXPECT_GT(estimate_memory(testing::random_trials({.missing = 0.3, .seed = 3}), options),
            estimate_memory(testing::random_trials({.missing = 0.0, .seed = 3}), options));
}

// Long trials with gaps: the Grams of all time points, and where they are tied their factors, per thread.
TEST(Estimate, GapsInLongTrialsTakeMemoryPerThread) {
  Trials trials;
  trials.values = {Matrix::Ones(10, 20000)};
  trials.values[0](3, 5) = std::nan("");
  FitOptions options;
  options.categories = {{.name = "fixed", .n_components = 8, .kind = CategoryKind::fixed}};
  options.threads = 1;
  options.restarts = 1;
  options.smoothness = 0.0;
  const double pointwise = estimate_memory(trials, options);
  options.smoothness = 1.0;
  const double smooth = estimate_memory(trials, options);
  EXPECT_GE(smooth - pointwise, 0.9 * 8 * 20000 * 64);
  options.threads = 2;
  EXPECT_GE(estimate_memory(trials, options) - smooth, 0.99 * 8 * 20000 * (64 + 36));
}

TEST(Estimate, FloatsTakeHalfOfWhatDoublesTake) {
  const std::vector<float> floats(8'000'000);
  const TrialSource source =
      borrow_trials(8, {{.values = floats.data(), .n_times = 1'000'000, .time_stride = 8}}, TrialsInfo{});
  Trials trials;
  trials.values = {Matrix::Zero(8, 1'000'000)};
  FitOptions options;
  options.categories = {{.name = "fixed", .n_components = 1, .kind = CategoryKind::fixed}};
  EXPECT_NEAR(estimate_memory(trials, options) - estimate_memory(source, options), 4.0 * 8e6, 1e3);
  options.precision = Precision::float32;
  EXPECT_GE(estimate_memory(source, options), 4.0 * 8e6);
}

// As many trials as labels "who"; short, so that what grows with something else than the data shows.
Trials many(Index n_channels, int n_trials) {
  Trials trials;
  LabelColumn::Integers who;
  for (int m = 0; m < n_trials; ++m) {
    trials.values.push_back(Matrix::Ones(n_channels, 2));
    who.push_back(m);
  }
  trials.labels = {{"who", who}};
  return trials;
}

TEST(Estimate, MemoryDoublesWithChannelsOptionsAndTrialNumbersAndNoMore) {
  FitOptions options;
  options.categories = {{.name = "who", .n_components = 2}};
  const auto beside_program = [&](Index n_channels, int n_trials) {
    return estimate_memory(many(n_channels, n_trials), options) - estimate_memory(many(4, 2), options);
  };
  // The search has the same size from 2048 channels on.
  const double half = beside_program(10000, 6) - beside_program(5000, 6);
  EXPECT_NEAR(beside_program(20000, 6) - beside_program(10000, 6), 2 * half, 0.1 * half);
  EXPECT_LT(beside_program(4, 4000), 2.1 * beside_program(4, 2000));
  options.categories[0].kind = CategoryKind::trial_number;
  EXPECT_LT(beside_program(4, 4000), 2.1 * beside_program(4, 2000));
  EXPECT_GT(beside_program(4, 4000), 1.9 * beside_program(4, 2000));
}

TEST(Estimate, MemoryKnowsTheSearch) {
  FitOptions options;
  options.categories = {{.name = "who", .n_components = 2}};
  const Trials trials = many(5000, 6);
  options.restarts = 4;
  const double few = estimate_memory(trials, options);
  options.restarts = 14;
  const double components = 8.0 * 1024 * 2 * 6;  // of one candidate, on the channels of the search
  EXPECT_NEAR(estimate_memory(trials, options) - few, 10 * components, 0.05 * 10 * components);
}

TEST(Estimate, MemoryOfTheSearchStaysTheSameWhereChannelsAreMany) {
  FitOptions options;
  options.categories = {{.name = "who", .n_components = 2}};
  const auto of_starts = [&](Index n_channels) {
    options.restarts = 4;
    const double few = estimate_memory(many(n_channels, 6), options);
    options.restarts = 40;
    return estimate_memory(many(n_channels, 6), options) - few;
  };
  EXPECT_EQ(of_starts(20000), of_starts(5000));
  EXPECT_GT(of_starts(2048), of_starts(5000));
}

// Times differ from machine to machine and from moment to moment, so only what differs by much is told apart.
TEST(Estimate, SecondsKnowTheSearch) {
  const Trials trials = testing::random_trials({});
  FitOptions options = testing::two_categories();
  options.threads = 1;
  options.restarts = 2;
  const Design design = make_design(resolve_categories(options.categories, trials), trials.n_trials());
  const SearchCosts costs{.start = 1.0, .iteration = 0.01};
  const double few = search_seconds(costs, false, design, options);
  EXPECT_GT(few, 2 * costs.start);
  EXPECT_GT(search_seconds(costs, true, design, options), few);
  options.restarts = 200;
  EXPECT_GT(search_seconds(costs, false, design, options), 150 * costs.start);
}

TEST(Estimate, SecondsAreAtMostTheTimeLimit) {
  const Trials trials = testing::random_trials({});
  FitOptions options = testing::two_categories();
  EXPECT_GT(estimate_seconds(trials, options), 0.0);
  options.time_limit = 1e-9;
  EXPECT_EQ(estimate_seconds(trials, options), *options.time_limit);
}

TEST(Estimate, SecondsAreZeroWhereAFitIsRefused) {
  Trials trials = testing::random_trials({});
  FitOptions options = testing::two_categories();
  options.categories[0].n_components = 100;
  EXPECT_EQ(estimate_seconds(trials, options), 0.0);
  options = testing::two_categories();
  for (Matrix& y : trials.values) y.setZero();
  EXPECT_EQ(estimate_seconds(trials, options), 0.0);
}

TEST(Estimate, TimesAnIterationOfEveryKindOfFit) {
  for (const double missing : {0.0, 0.2})
    for (const NonNegative sign : {NonNegative::none, NonNegative::both})
      for (const TracePrior prior : {TracePrior::smoothness, TracePrior::lds}) {
        FitOptions options = testing::two_categories();
        options.nonnegative = sign;
        options.prior = prior;
        EXPECT_GT(
            estimate_seconds_per_iteration(testing::random_trials({.missing = missing, .seed = 5}), options),
            0.0);
      }
}

}  // namespace
}  // namespace milcci
