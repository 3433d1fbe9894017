#include <gtest/gtest.h>

#include "milcci/fit.hpp"
#include "support/expect_error.hpp"
#include "support/random_problem.hpp"
#include "support/tolerances.hpp"

namespace milcci {
namespace {

using testing::expect_error;

FitResult fitted(const Trials& trials, FitOptions options = testing::two_categories()) {
  options.tolerance = 1e-10;
  return fit(trials, options);
}

TEST(Transform, OfTheFittedTrialsGivesTheirTracesBack) {
  for (const NonNegative sign : {NonNegative::none, NonNegative::both}) {
    const Trials trials = testing::random_trials({.missing = 0.1, .seed = 31});
    FitOptions options = testing::two_categories();
    options.nonnegative = sign;
    options.smoothness = 0.3;
    const FitResult result = fitted(trials, options);
    const TransformResult again = transform(result.model, result.summary.options, trials);
    EXPECT_TRUE(again.warnings.empty());
    EXPECT_NEAR(again.r2, result.summary.r2, 1e-5);
    for (std::size_t m = 0; m < trials.n_trials(); ++m)
      EXPECT_LT((again.model.traces[m] - result.model.traces[m]).norm(),
                1e-3 * result.model.traces[m].norm());
  }
}

TEST(Transform, InterpolatesAnOrderedOptionNeverSeenAndSaysSo) {
  const Trials trials = testing::random_trials({.seed = 32});
  const FitResult result = fitted(trials);
  Trials fresh = testing::random_trials({.n_trials = 2, .seed = 33});
  fresh.labels[0].values = LabelColumn::Reals{2.5, 2.5};
  const TransformResult made = transform(result.model, result.summary.options, fresh);
  ASSERT_EQ(made.warnings.size(), 1u);
  EXPECT_NE(made.warnings[0].find("2.5"), std::string::npos);
  const FittedCategory& level = made.model.categories[0];
  ASSERT_EQ(level.variants.size(), 4u);
  const Matrix middle = 0.5 * (level.variants[1] + level.variants[2]);
  EXPECT_LT((level.variants[3] - middle).norm(), (level.variants[3] - level.variants[0]).norm());
  EXPECT_EQ(level.category.option_of_trial, (std::vector<int>{3, 3}));
}

TEST(Transform, UsesTheMeanVariantForAnUnorderedOptionNeverSeen) {
  const Trials trials = testing::random_trials({.seed = 32});
  const FitResult result = fitted(trials);
  Trials fresh = testing::random_trials({.n_trials = 2, .seed = 34});
  fresh.labels[1].values = LabelColumn::Texts{"left", "up"};
  const TransformResult made = transform(result.model, result.summary.options, fresh);
  ASSERT_EQ(made.warnings.size(), 1u);
  EXPECT_NE(made.warnings[0].find("'up' (trial 2)"), std::string::npos);
  const auto& side = made.model.categories[1].variants;
  Matrix mean = 0.5 * (side[0] + side[1]);
  mean /= mean.lpNorm<1>();
  EXPECT_LT((side[2] - mean).norm(), testing::kExact);
}

// Bins of skewed values: 9 is nearer to the mean of the low bin, and belongs to the high one.
class TransformOfBins : public ::testing::Test {
 protected:
  TransformOfBins() {
    trials_.labels[0].values = LabelColumn::Reals{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 20, 40, 80, 160};
    FitOptions options = testing::two_categories();
    options.categories[0].bins = 2;
    result_ = fitted(trials_, options);
  }
  Trials trials_ = testing::random_trials({.seed = 38});
  FitResult result_;
};

TEST_F(TransformOfBins, PutsEveryTrialOfTheFitIntoItsBin) {
  const Category& level = result_.model.categories[0].category;
  EXPECT_EQ(level.bin_edges, std::vector<double>{7});
  const TransformResult again = transform(result_.model, result_.summary.options, trials_);
  EXPECT_TRUE(again.warnings.empty());
  EXPECT_EQ(again.model.categories[0].category.option_of_trial, level.option_of_trial);
  EXPECT_NEAR(again.r2, result_.summary.r2, 1e-5);
}

TEST_F(TransformOfBins, TakesValuesBetweenAndBeyondThoseOfTheFit) {
  Trials fresh = trials_;
  fresh.labels[0].values = LabelColumn::Reals{-5, 7, 7.5, 1000, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
  const TransformResult made = transform(result_.model, result_.summary.options, fresh);
  EXPECT_EQ(made.model.categories[0].category.option_of_trial,
            (std::vector<int>{0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(made.model.categories[0].category.n_options(), 2);
}

TEST_F(TransformOfBins, GoesByTheNearestMeanAndSaysSoIfTheModelHasNoEdges) {
  result_.model.categories[0].category.bin_edges.clear();
  const TransformResult made = transform(result_.model, result_.summary.options, trials_);
  ASSERT_EQ(made.warnings.size(), 1u);
  EXPECT_NE(made.warnings[0].find("edges of its bins"), std::string::npos);
  EXPECT_EQ(made.model.categories[0].category.option_of_trial,
            (std::vector<int>{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1}));
}

TEST(Transform, FindsTheTracesThatMadeNewTrials) {
  const Trials trials = testing::random_trials({.seed = 35});
  FitOptions options = testing::two_categories();
  options.nonnegative = NonNegative::both;
  const FitResult result = fitted(trials, options);
  Random random(5, 5);
  Trials fresh = testing::random_trials({.n_trials = 3, .seed = 36});
  std::vector<Matrix> traces;
  for (std::size_t m = 0; m < 3; ++m) {
    traces.push_back(random.normal(3, 20).cwiseAbs());
    fresh.values[m] = result.model.loading(m) * traces[m];
  }
  const TransformResult made = transform(result.model, options, fresh);
  for (std::size_t m = 0; m < 3; ++m)
    EXPECT_LT((made.model.traces[m] - traces[m]).norm(), 1e-4 * traces[m].norm());
}

TEST(Transform, RefusesOtherChannels) {
  const Trials trials = testing::random_trials({.seed = 37});
  const FitResult result = fitted(trials);
  expect_error(ErrorKind::bad_input, {"11 channels", "9"}, [&] {
    transform(result.model, result.summary.options, testing::random_trials({.n_channels = 11}));
  });
  Trials renamed = trials;
  renamed.channel_names[3] = "x";
  expect_error(ErrorKind::bad_input, {"channel 4", "'x'", "'c4'", "no channel of that name"},
               [&] { transform(result.model, result.summary.options, renamed); });
  Trials swapped = trials;
  std::swap(swapped.channel_names[3], swapped.channel_names[4]);
  expect_error(ErrorKind::bad_input, {"channel 4", "'c5'", "'c4'", "the model's order"},
               [&] { transform(result.model, result.summary.options, swapped); });
}

}  // namespace
}  // namespace milcci
