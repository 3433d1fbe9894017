// Methods side by side: every one is a row, with its scores or with the reason why there are none.
#include "milcci/compare_methods.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "compare/hold_out.hpp"
#include "compare/variant_distances.hpp"
#include "milcci/simulate.hpp"
#include "support/baseline_data.hpp"
#include "support/expect_error.hpp"

namespace milcci {
namespace {

using namespace testing;

CompareOptions quick(std::vector<std::string> methods) {
  CompareOptions options;
  options.fit.categories = {{.name = "difficulty", .n_components = 2, .kind = CategoryKind::ordinal},
                            {.name = "choice", .n_components = 2}};
  options.fit.restarts = 2;
  options.fit.threads = 1;
  options.methods = std::move(methods);
  options.baselines.restarts = 1;
  options.baselines.max_iterations = 200;
  return options;
}

Trials small() {
  return simulate({.n_channels = 20, .n_trials = 40, .min_length = 20, .max_length = 30});
}

TEST(CompareMethods, ScoresOursAndOthersOnTheSameTrials) {
  const MethodComparison found = compare_methods(small(), quick({"milcci", "svd", "fa", "slicetca_2"}));
  ASSERT_EQ(found.methods().size(), 4u);
  EXPECT_EQ(found.n_components, 4);
  for (const MethodScores& scores : found.methods()) {
    EXPECT_EQ(scores.failed, "") << scores.name;
    EXPECT_GT(*scores.r2, 0.3) << scores.name;
    EXPECT_TRUE(scores.bic && scores.aic && scores.hqc && scores.component_correlation) << scores.name;
    EXPECT_EQ(scores.cosmoothing_r2.has_value(), scores.name != "slicetca_2");
  }
  EXPECT_GT(found.methods()[0].component_correlation->mean, found.methods()[1].component_correlation->mean);
  EXPECT_NE(found.methods()[3].cosmoothing_note, "");
}

TEST(CompareMethods, OursIsARowWithFreeSignsAndOneWithout) {
  CompareOptions options = quick({"milcci", "milcci_nonnegative"});
  const MethodComparison found = compare_methods(small(), options);
  EXPECT_NE(*found.methods()[0].r2, *found.methods()[1].r2);
  options.fit.nonnegative = NonNegative::both;
  options.methods = {"milcci"};
  EXPECT_EQ(*found.methods()[1].r2, *compare_methods(small(), options).methods()[0].r2);
}

TEST(CompareMethods, AMethodThatCannotRunIsARowWithItsReason) {
  const Trials trials = low_rank_trials({.noise = 0.1});
  CompareOptions options = quick({"nmf", "svd"});
  options.fit.categories = {{.name = "side", .n_components = 2}};
  const MethodComparison found = compare_methods(trials, options);
  EXPECT_NE(found.methods()[0].failed.find("below zero"), std::string::npos);
  EXPECT_FALSE(found.methods()[0].r2);
  EXPECT_TRUE(found.methods()[1].r2);
  const std::string table = to_table(found);
  EXPECT_NE(table.find("nmf failed: "), std::string::npos) << table;
  const auto json = nlohmann::json::parse(to_json(found));
  EXPECT_TRUE(json["methods"][0]["r2"].is_null());
  EXPECT_TRUE(json["methods"][1]["failed"].is_null());
}

TEST(CompareMethods, HoldsOutTrialsOfEveryLabel) {
  const Trials trials = small();
  const HeldOut split = hold_out(trials, quick({}).fit.categories, 0.25, 1);
  EXPECT_EQ(split.train.size() + split.test.size(), trials.n_trials());
  EXPECT_NEAR(static_cast<double>(split.test.size()), 10, 1);
  std::set<std::size_t> all(split.train.begin(), split.train.end());
  all.insert(split.test.begin(), split.test.end());
  EXPECT_EQ(all.size(), trials.n_trials());
  std::set<std::string> choices;
  for (const std::size_t m : split.test) choices.insert(trials.find_label("choice")->text(m));
  EXPECT_EQ(choices.size(), 2u);
}

TEST(CompareMethods, WritesComponentsWhenAsked) {
  const MethodComparison found = compare_methods(small(), quick({"pca"}));
  const auto json = nlohmann::json::parse(to_json(found, WithComponents::yes));
  EXPECT_EQ(json["methods"][0]["components"][0]["variants"][0].size(), 20u);
  EXPECT_FALSE(nlohmann::json::parse(to_json(found))["methods"][0].contains("components"));
}

TEST(CompareMethods, RepeatsHaveOtherSeedsAndTrialsHeldOut) {
  CompareOptions options = quick({"svd", "fa"});
  options.repeats = 3;
  const MethodComparison found = compare_methods(small(), options);
  ASSERT_EQ(found.runs.size(), 3u);
  EXPECT_EQ(found.runs[2].seed, found.seed + 2);
  EXPECT_NE(*found.runs[0].methods[0].cosmoothing_r2, *found.runs[1].methods[0].cosmoothing_r2);
  const auto spread = nlohmann::json::parse(to_json(found))["methods"][1]["spread"]["cosmoothing_r2"];
  double mean = 0, rank = 0;
  for (const ComparisonRun& run : found.runs) {
    mean += *run.methods[1].cosmoothing_r2 / 3;
    rank += (*run.methods[1].cosmoothing_r2 > *run.methods[0].cosmoothing_r2 ? 1 : 2) / 3.0;
  }
  EXPECT_EQ(spread["n"], 3);
  EXPECT_NEAR(spread["mean"].get<double>(), mean, 1e-12);
  EXPECT_NEAR(spread["rank_mean"].get<double>(), rank, 1e-12);
  EXPECT_GT(spread["sd"].get<double>(), 0);
}

TEST(CompareMethods, AMethodWithTooManyComponentsIsTriedWithAsManyAsItCanHave) {
  CompareOptions options = quick({"svd", "ppca"});
  options.fit.categories[0].n_components = 24;  // and 2 more: 26, of 20 channels
  const MethodComparison found = compare_methods(small(), options);
  ASSERT_EQ(found.methods().size(), 4u);
  EXPECT_NE(found.methods()[0].failed.find("at most 20"), std::string::npos) << found.methods()[0].failed;
  EXPECT_EQ(found.methods()[1].failed, "");
  EXPECT_EQ(found.methods()[1].n_components, 20);
  EXPECT_EQ(found.methods()[3].n_components, 19);
  for (const MethodScores& scores : found.methods()) EXPECT_EQ(scores.added_noise, 0);
  EXPECT_GT(*found.methods()[1].r2, 0.9);
  EXPECT_NE(to_table(found).find("svd, 20 of 26 "), std::string::npos) << to_table(found);
  EXPECT_FALSE(found.spreads()[1][0].rank_mean);
}

TEST(CompareMethods, TunesTheRidgeWithoutAnotherFit) {
  CompareOptions options = quick({});
  int n_fits = 0;
  options.others = {{"theirs", [&](const TrialSource& source, const BaselineOptions& own) {
                       ++n_fits;
                       return fit_baseline(source, Baseline::svd, own);
                     }}};
  options.tune = true;
  const MethodComparison found = compare_methods(small(), options);
  EXPECT_EQ(n_fits, 3);  // inside the training trials, all, and the training trials
  options.methods = {"svd"};
  options.others.clear();
  const MethodComparison native = compare_methods(small(), options);
  EXPECT_EQ(found.methods()[0].tuned, native.methods()[0].tuned);
  EXPECT_EQ(*found.methods()[0].cosmoothing_r2, *native.methods()[0].cosmoothing_r2);
}

TEST(CompareMethods, TheTableNamesWhatWasTunedInAnyRepeat) {
  MethodComparison found;
  MethodScores scores;
  scores.name = "svd";
  scores.stopped = "converged";
  for (const char* tuned : {"ridge x 1", "ridge x 3", "ridge x 1"}) {
    scores.tuned = tuned;
    found.runs.emplace_back().methods = {scores};
  }
  EXPECT_NE(to_table(found).find("converged, ridge x 1 or ridge x 3"), std::string::npos) << to_table(found);
}

TEST(CompareMethods, TellsWhichTrialsAndChannelsWereHeldOut) {
  const Trials trials = small();
  CompareOptions options = quick({"svd"});
  options.repeats = 2;
  const MethodComparison found = compare_methods(trials, options);
  const auto runs = nlohmann::json::parse(to_json(found))["runs"];
  for (std::size_t i = 0; i < 2; ++i) {
    const BaselineFit fitted = fit_baseline(
        TrialSource(trials).some_trials(hold_out(trials, options.fit.categories, 0.2, 1234 + i).train),
        Baseline::svd, {.n_components = 4, .seed = 1234 + i});
    const std::vector<std::size_t> test = runs[i]["held_out"]["trials"];
    EXPECT_EQ(test, hold_out(trials, options.fit.categories, 0.2, 1234 + i).test);
    const CoSmoothing again =
        cosmooth(fitted, TrialSource(trials).some_trials(test), {.seed = runs[i]["seed"]});
    EXPECT_NEAR(again.r2, runs[i]["methods"][0]["cosmoothing_r2"].get<double>(), 1e-9);
    for (std::size_t n = 0; n < 20; ++n)
      EXPECT_EQ(runs[i]["held_out"]["channel_folds"][n], again.channels[n].fold);
  }
}

TEST(CompareMethods, KeepsTheWarningsOfOurFit) {
  Trials trials = small();
  trials.truth.reset();
  for (Matrix& y : trials.values) y.row(3).setConstant(1.0);
  CompareOptions options = quick({"milcci"});
  options.fit.max_iterations = 2;
  FitOptions own = options.fit;
  own.seed = options.baselines.seed;
  const std::vector<std::string> warnings = fit(trials, own).summary.warnings;
  ASSERT_FALSE(warnings.empty());
  EXPECT_EQ(compare_methods(trials, options).methods()[0].notes, warnings);
}

TEST(CompareMethods, SaysWhatWasNotDoneAsAskedFor) {
  CompareOptions options = quick({"svd"});
  options.cosmoothing.folds = 30;
  const std::string folds = to_table(compare_methods(small(), options));
  EXPECT_NE(folds.find("20 folds in place of 30"), std::string::npos) << folds;
  options.fit.categories = {{.name = "side", .n_components = 1}};
  const std::string table = to_table(compare_methods(low_rank_trials({.n_trials = 1}), options));
  EXPECT_NE(table.find("of a single trial none can be held out"), std::string::npos) << table;
  EXPECT_NE(table.find("1 component, 1 trial of 9 channels"), std::string::npos) << table;
  options = quick({"all"});
  options.fit.nonnegative = NonNegative::both;
  options.baselines.time_limit = 0;
  options.held_out = 0;
  const std::string all = to_table(compare_methods(small(), options));
  EXPECT_NE(all.find("milcci_nonnegative is left out"), std::string::npos) << all;
}

TEST(CompareMethods, WritesNoSignBeforeAZero) {
  MethodComparison found;
  MethodScores scores;
  scores.name = "svd";
  scores.r2 = -1e-9;
  found.runs.emplace_back().methods = {scores};
  EXPECT_EQ(to_table(found).find("-0.0000"), std::string::npos) << to_table(found);
}

TEST(CompareMethods, TunesKnobsInsideTheTrainingTrials) {
  SimulateOptions noisy{.n_channels = 20, .n_trials = 40, .min_length = 20, .max_length = 30};
  noisy.noise = 2;
  CompareOptions options = quick({"svd", "parafac"});
  const MethodComparison plain = compare_methods(simulate(noisy), options);
  options.tune = true;
  const MethodComparison tuned = compare_methods(simulate(noisy), options);
  EXPECT_EQ(plain.methods()[0].tuned, "");
  EXPECT_EQ(tuned.methods()[0].tuned.rfind("ridge x ", 0), 0u) << tuned.methods()[0].tuned;
  EXPECT_GT(*tuned.methods()[0].cosmoothing_r2, *plain.methods()[0].cosmoothing_r2);
  EXPECT_EQ(tuned.methods()[1].tuned, "no knob");
}

TEST(CompareMethods, StopsWhenAskedAndKeepsWhatItHas) {
  int n_calls = 0;
  const MethodComparison found =
      compare_methods(small(), quick({"svd", "nmf", "pca"}), [&](const MethodProgress& progress) {
        ++n_calls;
        return progress.method == "nmf" && !progress.is_new ? Continue::stop : Continue::yes;
      });
  EXPECT_TRUE(found.is_interrupted);
  ASSERT_EQ(found.methods().size(), 2u);
  EXPECT_EQ(found.methods()[1].stopped, "interrupted");
  EXPECT_EQ(found.methods()[1].iterations, 1);
  EXPECT_TRUE(found.methods()[1].r2);
}

TEST(CompareMethods, TakesMethodsOfOthersThroughTheSameScores) {
  const Trials trials = small();
  const BaselineFit svd = fit_baseline(trials, Baseline::svd, {.n_components = 4});
  CompareOptions options = quick({"svd"});
  options.others = {{"theirs", [](const TrialSource& source, const BaselineOptions& own) {
                       const BaselineFit found = fit_baseline(source, Baseline::svd, own);
                       // Another scale of the same: nothing may depend on it.
                       std::vector<Matrix> traces = found.model.traces;
                       for (Matrix& phi : traces) phi /= -7;
                       return baseline_fit_of(source, -7 * found.model.categories[0].variants[0], traces);
                     }}};
  const MethodComparison found = compare_methods(trials, options);
  ASSERT_EQ(found.methods().size(), 2u);
  EXPECT_EQ(found.methods()[1].name, "theirs");
  EXPECT_NEAR(*found.methods()[1].r2, *found.methods()[0].r2, 1e-12);
  EXPECT_NEAR(*found.methods()[1].cosmoothing_r2, *found.methods()[0].cosmoothing_r2, 1e-9);
  EXPECT_NEAR(found.methods()[1].component_correlation->mean, found.methods()[0].component_correlation->mean,
              1e-9);
}

TEST(CompareMethods, RefusesFactorsOfOtherSizes) {
  const Trials trials = small();
  expect_error(ErrorKind::bad_input, {"components are 3 x 2", "20 channels"},
               [&] { baseline_fit_of(trials, Matrix::Ones(3, 2), {}); });
  std::vector<Matrix> traces;
  for (const Matrix& y : trials.values) traces.push_back(Matrix::Zero(2, y.cols()));
  traces[4].conservativeResize(2, 3);
  expect_error(ErrorKind::bad_input, {"the traces of trial 5 are 2 x 3"},
               [&] { baseline_fit_of(trials, Matrix::Ones(20, 2), traces); });
}

// What a trial has is its own number, not its place among those held out.
TEST(CompareMethods, TrialsHeldOutKeepTheirNumbers) {
  Trials trials = small();
  trials.truth.reset();
  Matrix drifting = Matrix::Zero(20, 1);
  for (std::size_t m = 0; m < trials.values.size(); ++m) {
    const double along = static_cast<double>(m) / 39;
    for (Index n = 0; n < 20; ++n)
      drifting(n, 0) = std::max(0.0, 1 - std::abs(static_cast<double>(n) - 19 * along) / 6);
    Matrix& y = trials.values[m];
    Matrix trace(1, y.cols());
    for (Index t = 0; t < y.cols(); ++t) trace(0, t) = 1.5 + std::sin(0.4 * static_cast<double>(t));
    y = drifting * trace;
  }
  CompareOptions options = quick({"milcci"});
  options.fit.categories = {{.name = "trial_number", .n_components = 1, .kind = CategoryKind::trial_number}};
  options.fit.nonnegative = NonNegative::both;
  const double numbered = *compare_methods(trials, options).methods()[0].cosmoothing_r2;
  LabelColumn::Integers day(40);
  for (std::size_t m = 0; m < 40; ++m) day[m] = static_cast<std::int64_t>(m) + 1;
  trials.labels.push_back({"day", day});
  options.fit.categories = {{.name = "day", .n_components = 1, .kind = CategoryKind::ordinal}};
  const double labelled = *compare_methods(trials, options).methods()[0].cosmoothing_r2;
  EXPECT_GT(labelled, 0.95);
  EXPECT_GT(numbered, 0.95);  // other trials are held out: a label of its own counts for them
}

TEST(CompareMethods, TheSecondOfANameIsNumberedAndHasScoresOfItsOwn) {
  CompareOptions options = quick({"svd"});
  options.others = {{"svd", [](const TrialSource& source, const BaselineOptions& own) {
                       return fit_baseline(source, Baseline::parafac, own);
                     }}};
  const MethodComparison found = compare_methods(small(), options);
  EXPECT_EQ(found.methods()[1].name, "svd 2");
  const auto spreads = found.spreads();
  EXPECT_EQ(spreads[0][0].n, 1u);
  EXPECT_EQ(spreads[0][0].mean, *found.methods()[0].r2);
  EXPECT_EQ(spreads[1][0].mean, *found.methods()[1].r2);
}

TEST(CompareMethods, ARowThatNeverSucceededHasNoSpread) {
  MethodComparison found;
  found.n_components = 9;
  MethodScores six, four;
  six.name = four.name = "svd";
  six.added_noise = four.added_noise = 0.1;
  six.n_components = six.n_asked = 6;
  four.n_components = four.n_asked = 4;
  six.failed = "its numbers became infinite";
  four.r2 = 0.5;
  for (int i = 0; i < 2; ++i) found.runs.emplace_back().methods = {six, four};
  EXPECT_TRUE(found.spreads()[0].empty());
  EXPECT_EQ(found.spreads()[1][0].n, 2u);
  const auto json = nlohmann::json::parse(to_json(found));
  EXPECT_TRUE(json["methods"][0]["spread"].empty());
  EXPECT_EQ(json["methods"][1]["spread"]["r2"]["mean"], 0.5);
}

TEST(CompareMethods, AsManyFreeNumbersAsValuesLeaveNoCriteria) {
  CompareOptions options = quick({"svd"});
  options.fit.categories[0].n_components = 18;  // and 2 more: all 20 channels
  const MethodComparison found = compare_methods(small(), options);
  const MethodScores& scores = found.methods()[0];
  EXPECT_EQ(*scores.degrees_of_freedom, found.n_observed);
  EXPECT_FALSE(scores.aic || scores.bic || scores.hqc);
  ASSERT_EQ(scores.notes.size(), 1u);
  EXPECT_NE(scores.notes[0].find("no information criteria"), std::string::npos) << scores.notes[0];
}

TEST(CompareMethods, ConstantDataHaveNoR2) {
  Trials trials = small();
  trials.truth.reset();
  for (Matrix& y : trials.values) y.setConstant(0.1);
  const MethodComparison found = compare_methods(trials, quick({"svd", "nmf", "fa"}));
  for (const MethodScores& scores : found.methods()) {
    EXPECT_FALSE(scores.r2 || scores.cosmoothing_r2) << scores.name;
    EXPECT_NE(scores.cosmoothing_note, "") << scores.name;
  }
}

TEST(CompareMethods, OnlyMethodsWithAsManyComponentsAreRanked) {
  CompareOptions options = quick({"svd"});
  options.others = {{"all channels", [](const TrialSource& source, const BaselineOptions& own) {
                       BaselineOptions more = own;
                       more.n_components = 20;
                       return fit_baseline(source, Baseline::svd, more);
                     }}};
  const MethodComparison found = compare_methods(small(), options);
  EXPECT_GT(*found.methods()[1].r2, *found.methods()[0].r2);
  EXPECT_EQ(found.spreads()[0][0].rank_mean, 1.0);
  EXPECT_FALSE(found.spreads()[1][0].rank_mean);
}

TEST(CompareMethods, TheSeedOfARunMakesItAgain) {
  CompareOptions options = quick({"svd"});
  options.repeats = 2;
  const MethodComparison found = compare_methods(small(), options);
  options.repeats = 1;
  options.baselines.seed = found.runs[1].seed;
  const MethodComparison again = compare_methods(small(), options);
  EXPECT_EQ(*again.methods()[0].cosmoothing_r2, *found.runs[1].methods[0].cosmoothing_r2);
  EXPECT_NE(*again.methods()[0].cosmoothing_r2, *found.runs[0].methods[0].cosmoothing_r2);
}

TEST(CompareMethods, TuningDoesNotSeeTheTrialsHeldOut) {
  Trials trials =
      simulate({.n_channels = 20, .n_trials = 40, .min_length = 20, .max_length = 30, .noise = 2});
  CompareOptions options = quick({"svd"});
  options.tune = true;
  const std::string tuned = compare_methods(trials, options).methods()[0].tuned;
  EXPECT_EQ(tuned.rfind("ridge x ", 0), 0u) << tuned;
  for (const std::size_t m : hold_out(trials, options.fit.categories, 0.2, options.baselines.seed).test)
    trials.values[m] = 100 * trials.values[m].colwise().reverse().eval();
  EXPECT_EQ(compare_methods(trials, options).methods()[0].tuned, tuned);
}

TEST(CompareMethods, LeavesATrialToFitTo) {
  const Trials trials = simulate({.n_channels = 5, .n_trials = 5, .min_length = 20, .max_length = 20});
  const HeldOut split = hold_out(trials, {}, 0.9, 1);
  EXPECT_EQ(split.train.size(), 1u);
  EXPECT_EQ(split.test.size(), 4u);
}

TEST(CompareMethods, RefusesWhatWouldNotBeFair) {
  CompareOptions options = quick({"svd"});
  options.fit.transform = Transform::tanh;
  options.cosmoothing.folds = 1;
  expect_error(ErrorKind::bad_option, {"`transform`", "other units", "`folds` = 1"},
               [&] { compare_methods(small(), options); });
}

TEST(CompareMethods, DistancesCountEachPairOfOptionsOnce) {
  Model model;
  Category side, day;
  side.spec = {.name = "side", .n_components = 1};
  side.options = {"l", "r"};
  day.spec = {.name = "day", .n_components = 1};
  for (int i = 0; i < 60; ++i) day.options.push_back(std::to_string(i));
  Matrix up = Matrix::Zero(3, 1), down = Matrix::Zero(3, 1), still = Matrix::Zero(3, 1);
  up(0, 0) = down(1, 0) = still(2, 0) = 1;
  for (int m = 0; m < 120; ++m) {
    side.option_of_trial.push_back(m % 2);
    day.option_of_trial.push_back(m / 2);
  }
  model.channel_names = {"a", "b", "c"};
  model.categories = {{side, {up, down}}, {day, std::vector<Matrix>(60, still)}};
  model.traces.assign(120, Matrix::Zero(2, 4));
  const VariantDistances found = variant_distances(model);
  EXPECT_EQ(found.same.n_pairs, 1u + 60 * 59 / 2);
  EXPECT_NEAR(found.same.mean * static_cast<double>(found.same.n_pairs), std::sqrt(2.0), 1e-9);
  EXPECT_EQ(found.different_within.n_pairs, 100u);
}

TEST(CompareMethods, DistancesTellHowFarVariantsMove) {
  Model model;
  Category category;
  category.spec = {.name = "side", .n_components = 2};
  category.options = {"l", "r"};
  category.option_of_trial = {0, 1, 0};
  Matrix left = Matrix::Zero(3, 2), right = Matrix::Zero(3, 2);
  left(0, 0) = 5;
  left(1, 1) = right(1, 1) = 1;  // the second component stays
  right(2, 0) = 2;               // the first one moves to another channel
  model.categories = {{category, {left, right}}};
  model.channel_names = {"a", "b", "c"};
  model.traces.assign(3, Matrix::Zero(2, 4));
  const VariantDistances found = variant_distances(model);
  EXPECT_EQ(found.same.n_pairs, 2u);
  EXPECT_NEAR(found.same.mean, std::sqrt(2.0) / 2, 1e-12);
  EXPECT_NEAR(found.different_within.mean, std::sqrt(2.0), 1e-12);
  EXPECT_EQ(found.different_across.n_pairs, 2u);
}

TEST(CompareMethods, DistancesTakeAHundredOfManyOptionsAndNoneWithoutMembers) {
  Model model;
  Category category;
  category.spec = {.name = "trial", .n_components = 2};
  std::vector<Matrix> variants;
  constexpr int kOptions = 1000;
  for (int i = 0; i < kOptions; ++i) {
    category.options.push_back(std::to_string(i));
    category.option_of_trial.push_back(i);
    Matrix variant = Matrix::Zero(3, 2);  // the second component has no member
    variant(i < kOptions / 2 ? 0 : 1, 0) = 1;
    variants.push_back(variant);
  }
  model.categories = {{category, variants}};
  model.channel_names = {"a", "b", "c"};
  model.traces.assign(kOptions, Matrix::Zero(2, 4));
  const VariantDistances found = variant_distances(model);
  EXPECT_EQ(found.same.n_pairs, 100u * 99 / 2);
  EXPECT_NEAR(found.same.mean * static_cast<double>(found.same.n_pairs), 50 * 50 * std::sqrt(2.0), 1e-9);
  EXPECT_EQ(found.different_within.n_pairs, 0u);
}

TEST(CompareMethods, TableHasShortCellsForScoresFarFromOne) {
  MethodComparison comparison;
  MethodScores scores;
  scores.name = "sibblings";
  scores.r2 = -8.8e114;
  scores.cosmoothing_r2 = 0.25;
  scores.degrees_of_freedom = 123456;
  comparison.runs.push_back({.seed = 1, .methods = {scores}});
  const std::string table = to_table(comparison);
  EXPECT_NE(table.find(" -8.8e+114 "), std::string::npos) << table;
  EXPECT_NE(table.find(" 0.2500 "), std::string::npos) << table;
  EXPECT_NE(table.find(" 123456 "), std::string::npos) << table;
}

TEST(CompareMethods, RefusesUnknownMethods) {
  expect_error(ErrorKind::bad_option, {"`methods` has parafak", "did you mean parafac?"},
               [] { compare_methods(small(), quick({"parafak"})); });
  expect_error(ErrorKind::bad_option, {"`methods` has an empty name"}, [] {
    compare_methods(small(), quick({"svd", "", "fa"}));
  });
  expect_error(ErrorKind::bad_option, {"all stands alone"}, [] {
    compare_methods(small(), quick({"all", "svd"}));
  });
}

}  // namespace
}  // namespace milcci
