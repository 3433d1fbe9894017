#include <gtest/gtest.h>

#include "milcci/evaluate.hpp"
#include "milcci/files.hpp"
#include "milcci/fit.hpp"
#include "support/expect_error.hpp"
#include "support/random_problem.hpp"
#include "support/results.hpp"
#include "support/temporary_directory.hpp"
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
    const FitResult again = transform(result, trials);
    EXPECT_TRUE(again.summary.warnings.empty());
    EXPECT_NEAR(again.summary.r2, result.summary.r2, 1e-5);
    for (std::size_t m = 0; m < trials.n_trials(); ++m)
      EXPECT_LT((again.model.traces[m] - result.model.traces[m]).norm(),
                1e-3 * result.model.traces[m].norm());
  }
}

TEST(Transform, SaysWhereComponentsDescribeTheirOwnTrialsOnly) {
  const FitResult result = fitted(testing::random_trials({.seed = 31}));
  const std::vector<std::string> warnings =
      transform(result, testing::random_trials({.seed = 33})).summary.warnings;
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_NE(warnings[0].find("describe their own trials and not these"), std::string::npos);
}

TEST(Transform, InterpolatesAnOrderedOptionNeverSeenAndSaysSo) {
  const Trials trials = testing::random_trials({.seed = 32});
  const FitResult result = fitted(trials);
  Trials fresh = testing::random_trials({.n_trials = 2, .seed = 33});
  fresh.labels[0].values = LabelColumn::Reals{2.5, 2.5};
  const FitResult made = transform(result, fresh);
  ASSERT_FALSE(made.summary.warnings.empty());
  EXPECT_NE(made.summary.warnings[0].find("2.5"), std::string::npos);
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
  const FitResult made = transform(result, fresh);
  ASSERT_FALSE(made.summary.warnings.empty());
  EXPECT_NE(made.summary.warnings[0].find("'up' (trial 2)"), std::string::npos);
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
  const FitResult again = transform(result_, trials_);
  EXPECT_TRUE(again.summary.warnings.empty());
  EXPECT_EQ(again.model.categories[0].category.option_of_trial, level.option_of_trial);
  EXPECT_NEAR(again.summary.r2, result_.summary.r2, 1e-5);
}

TEST_F(TransformOfBins, TakesValuesBetweenAndBeyondThoseOfTheFit) {
  Trials fresh = trials_;
  fresh.labels[0].values = LabelColumn::Reals{-5, 7, 7.5, 1000, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
  const FitResult made = transform(result_, fresh);
  EXPECT_EQ(made.model.categories[0].category.option_of_trial,
            (std::vector<int>{0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(made.model.categories[0].category.n_options(), 2);
}

TEST_F(TransformOfBins, GoesByTheNearestMeanAndSaysSoIfTheModelHasNoEdges) {
  result_.model.categories[0].category.bin_edges.clear();
  const FitResult made = transform(result_, trials_);
  ASSERT_FALSE(made.summary.warnings.empty());
  EXPECT_NE(made.summary.warnings[0].find("edges of its bins"), std::string::npos);
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
  const FitResult made = transform(result, fresh);
  for (std::size_t m = 0; m < 3; ++m)
    EXPECT_LT((made.model.traces[m] - traces[m]).norm(), 1e-4 * traces[m].norm());
}

TEST(Transform, IsToldAsWhatItIsNotAsTheFit) {
  const FitResult result = fitted(testing::random_trials({.seed = 39}));
  const Trials fresh = testing::random_trials({.n_trials = 6, .seed = 40});
  const FitResult made = transform(result, fresh, {.threads = 2});
  EXPECT_EQ(made.summary.reason, StopReason::transformed);
  EXPECT_EQ(made.summary.data_fingerprint, fingerprint(fresh));
  EXPECT_EQ(made.summary.fitted_fingerprint, result.summary.data_fingerprint);
  EXPECT_TRUE(result.summary.fitted_fingerprint.empty());
  EXPECT_NE(made.summary.message.find(result.summary.data_fingerprint), std::string::npos);
  EXPECT_TRUE(made.summary.iterations.empty());
  EXPECT_TRUE(made.summary.candidates.empty());
  EXPECT_EQ(made.summary.seconds_total, 0);
  EXPECT_EQ(made.summary.options.threads, 2);
  EXPECT_EQ(made.summary.options.tolerance, result.summary.options.tolerance);
  EXPECT_NEAR(made.summary.r2, evaluate(made.model, fresh).r2, testing::kSolve);
  EXPECT_NEAR(made.summary.explained.sum(), 1.0, testing::kExact);
  EXPECT_EQ(made.summary.brief_report().find("time"), std::string::npos);

  const FitResult again = transform(made, testing::random_trials({.n_trials = 5, .seed = 41}));
  EXPECT_EQ(again.summary.fitted_fingerprint, result.summary.data_fingerprint);
}

TEST(Transform, LeavesWhatOtherAnswersSayWithTheFit) {
  FitResult result = fitted(testing::random_trials({.seed = 39}));
  std::vector<std::vector<Matrix>> other;
  for (const FittedCategory& category : result.model.categories) other.push_back(category.variants);
  result.model.alternatives = {other};
  result.summary.alternatives = {{.behind = 0.01, .similarity = Vector::Zero(3)}};
  result.summary.certainty.assign(3, Certainty::alternative);
  Trials fresh = testing::random_trials({.n_trials = 2, .seed = 34});
  fresh.labels[1].values = LabelColumn::Texts{"left", "up"};  // a variant more than the other answer has

  const FitResult made = transform(result, fresh);
  EXPECT_TRUE(made.model.alternatives.empty());
  EXPECT_TRUE(made.summary.alternatives.empty());
  EXPECT_TRUE(made.summary.certainty.empty());
  EXPECT_EQ(made.summary.times_found, 0);
  EXPECT_EQ(made.summary.full_report().find("uncertain"), std::string::npos);
  const testing::TemporaryDirectory directory;
  write_model(directory.file("m.h5"), made);
  testing::expect_same(made, read_model(directory.file("m.h5")));
}

TEST(Transform, KnowsTheNewTrialsAsAFitKnowsItsOwn) {
  Trials trials = testing::random_trials({.seed = 42});
  trials.history = {R"({"step": "read"})"};
  const FitResult result = fitted(trials);
  EXPECT_EQ(result.model.history, trials.history);
  EXPECT_EQ(result.model.labels.size(), 2u);
  EXPECT_TRUE(result.model.trial_names.empty());

  Trials fresh = testing::random_trials({.n_trials = 2, .seed = 43});
  fresh.trial_names = {"monday", "tuesday"};
  fresh.labels.push_back({"dose", LabelColumn::Reals{0.5, 1.5}});
  const FitResult made = transform(result, fresh);
  EXPECT_EQ(made.model.trial_names, fresh.trial_names);
  ASSERT_EQ(made.model.labels.size(), 3u);
  EXPECT_EQ(made.model.labels[2].number(1), 1.5);
  EXPECT_TRUE(made.model.history.empty());
}

TEST(StartOf, IsTheComponentsOfAModelByNameAndOption) {
  const Trials trials = testing::random_trials({.seed = 45});
  const FitResult result = fitted(trials);
  const Start start = start_of(result.model);
  ASSERT_EQ(start.size(), 2u);
  EXPECT_EQ(start[0].name, "level");
  EXPECT_EQ(start[1].options, (std::vector<std::string>{"left", "right"}));
  EXPECT_EQ(start[0].variants[2], result.model.categories[0].variants[2]);
  const FitResult again = fit(trials, result.summary.options, {}, start);
  EXPECT_NEAR(again.summary.r2, result.summary.r2, 1e-3);
}

TEST(Transform, HasTheSameBitsForAnyNumberOfThreads) {
  const Trials trials = testing::random_trials({.missing = 0.1, .seed = 44});
  const FitResult result = fitted(trials);
  const FitResult one = transform(result, trials, {.threads = 1}),
                  three = transform(result, trials, {.threads = 3});
  for (std::size_t m = 0; m < trials.n_trials(); ++m) EXPECT_EQ(one.model.traces[m], three.model.traces[m]);
}

TEST(Transform, RefusesOtherChannels) {
  const Trials trials = testing::random_trials({.seed = 37});
  const FitResult result = fitted(trials);
  expect_error(ErrorKind::bad_input, {"11 channels", "9"},
               [&] { transform(result, testing::random_trials({.n_channels = 11})); });
  Trials renamed = trials;
  renamed.channel_names[3] = "x";
  expect_error(ErrorKind::bad_input, {"channel 4", "'x'", "'c4'", "no channel of that name"},
               [&] { transform(result, renamed); });
  Trials swapped = trials;
  std::swap(swapped.channel_names[3], swapped.channel_names[4]);
  expect_error(ErrorKind::bad_input, {"channel 4", "'c5'", "'c4'", "the model's order"},
               [&] { transform(result, swapped); });
}

}  // namespace
}  // namespace milcci
