// Small trials with one thing to be found each.
#include "milcci/check.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "milcci/simulate.hpp"
#include "support/expect_error.hpp"
#include "support/random_problem.hpp"
#include "support/sessions.hpp"

namespace milcci {
namespace {

using Texts = LabelColumn::Texts;
using Integers = LabelColumn::Integers;
using Reals = LabelColumn::Reals;
constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

// Trials of three channels and four time points, all values different.
Trials make_trials(std::size_t n_trials, std::vector<LabelColumn> labels = {}) {
  Trials trials;
  double value = 1;
  for (std::size_t m = 0; m < n_trials; ++m) {
    trials.values.push_back(Matrix::NullaryExpr(3, 4, [&] { return value *= 1.01; }));
  }
  trials.channel_names = {"a", "b", "c"};
  trials.labels = std::move(labels);
  return trials;
}

// "x", "y", "x", "y", ... and 1, 1, 2, 2, 1, 1, ...
Texts alternating(std::size_t n) {
  Texts out;
  for (std::size_t m = 0; m < n; ++m) out.emplace_back(m % 2 ? "y" : "x");
  return out;
}
Integers pairs_of(std::size_t n, int n_options) {
  Integers out;
  for (std::size_t m = 0; m < n; ++m) out.push_back(static_cast<int>(m) / 2 % n_options);
  return out;
}

bool is_told(const Check& found, const std::vector<std::string>& words) {
  for (const Finding& finding : found.findings) {
    const std::string text = finding.text + " -> " + finding.advice;
    bool has_all = true;
    for (const std::string& word : words) has_all = has_all && text.find(word) != std::string::npos;
    if (has_all) return true;
  }
  return false;
}

TEST(Check, FindsNothingInCrossedLabels) {
  const Check found = check(make_trials(12, {{"side", alternating(12)}, {"dose", pairs_of(12, 3)}}));
  EXPECT_TRUE(found.findings.empty()) << to_text(found);
  EXPECT_EQ(found.categories, (std::vector<std::string>{"side", "dose"}));
  EXPECT_EQ(found.cells.size(), 6u);
  EXPECT_EQ(found.n_cells, 6u);
  EXPECT_EQ(found.pairs.at(0).relation, Relation::crossed);
  EXPECT_EQ(found.pairs.at(0).cramers_v, 0.0);
  EXPECT_EQ(found.suggestion, "`category` = 'side=2' `category` = 'dose=2:ordinal' `nonnegative` = both");
}

TEST(Check, SuggestsKindsByTheValues) {
  Reals many;
  Texts names;
  for (int m = 0; m < 48; ++m)
    many.push_back((m - 20.2) * (m - 20.2)), names.push_back("trial " + std::to_string(m));
  const Check found = check(make_trials(48, {{"word", alternating(48)},
                                             {"two", pairs_of(48, 2)},
                                             {"three", pairs_of(48, 3)},
                                             {"speed", many},
                                             {"name", names},
                                             {"one", Integers(48, 7)}}));
  EXPECT_EQ(found.labels[0].spec.kind, CategoryKind::categorical);
  EXPECT_EQ(found.labels[1].spec.kind, CategoryKind::categorical);
  EXPECT_EQ(found.labels[2].spec.kind, CategoryKind::ordinal);
  EXPECT_EQ(found.labels[3].spec.kind, CategoryKind::ordinal);
  EXPECT_EQ(found.labels[3].options.size(), static_cast<std::size_t>(found.labels[3].spec.bins));
  EXPECT_EQ(found.labels[4].use, LabelUse::per_trial);
  EXPECT_EQ(found.labels[5].use, LabelUse::constant);
  EXPECT_FALSE(is_told(found, {"name", "nearly every trial"}));  // names of trials are no trouble
  EXPECT_TRUE(is_told(found, {"one", "same in all"}));
}

TEST(Check, SuggestsNoDistancesToAnInfiniteNumber) {
  Reals values;
  for (int m = 0; m < 48; ++m) values.push_back(m % 4 == 3 ? std::numeric_limits<double>::infinity() : m % 4);
  const Check found = check(make_trials(48, {{"delay", values}}));
  EXPECT_EQ(found.labels[0].spec.kind, CategoryKind::categorical);
  EXPECT_EQ(found.labels[0].options.size(), 4u);
}

TEST(Check, EstimatesWhatAFitTakes) {
  const Check small = check(make_trials(4, {{"side", alternating(4)}}));
  Trials trials = make_trials(400, {{"side", alternating(400)}});
  const Check large = check(trials);
  EXPECT_GT(large.memory_bytes, small.memory_bytes);
  EXPECT_GT(small.fit_seconds, 0.0);
  for (Matrix& y : trials.values) y *= 1e160;  // no fit, but a check
  EXPECT_EQ(check(trials).fit_seconds, 0.0);
  EXPECT_TRUE(is_told(check(trials), {"a fit refuses", "another unit"}));
  Check told = large;
  told.fit_seconds = 0.234;
  EXPECT_NE(to_text(told).find("of memory and, on this machine, some 0.2 seconds"), std::string::npos);
  told.fit_seconds = 43;
  EXPECT_NE(to_text(told).find("some 43 seconds"), std::string::npos);
}

TEST(Check, TellsListsOfCountsWithoutZeros) {
  Trials trials = make_trials(6, {{"side", alternating(6)}});
  for (Matrix& y : trials.values) {
    y = Matrix::Constant(3, 4, kMissing);
    y(0, 1) = 1, y(1, 2) = 2, y(2, 3) = 1;
  }
  EXPECT_TRUE(is_told(check(trials), {"75 %", "`absent` = zero"}));
  trials.values[0](0, 0) = 0;
  EXPECT_FALSE(is_told(check(trials), {"`absent` = zero"}));
}

TEST(Check, TellsLabelsThatWereReadAsChannels) {
  Trials trials = make_trials(6, {{"side", alternating(6)}});
  for (std::size_t m = 0; m < 6; ++m) trials.values[m].row(1).setConstant(static_cast<double>(m % 3));
  EXPECT_TRUE(is_told(check(trials), {"never within one: b;", "`label_columns`"}));
}

TEST(Check, RemarksAreNoCategory) {
  Texts remarks;
  for (int m = 0; m < 60; ++m) remarks.push_back("remark " + std::to_string(m * 2 / 3));
  const Check found = check(make_trials(60, {{"side", alternating(60)}, {"remark", remarks}}));
  EXPECT_EQ(found.labels[1].use, LabelUse::per_trial);
  EXPECT_EQ(found.categories, (std::vector<std::string>{"side"}));
}

TEST(Check, ManyLabelsAreToldInFewLines) {
  std::vector<LabelColumn> labels;
  for (int k = 0; k < 80; ++k) labels.push_back({"label" + std::to_string(k), alternating(6)});
  const Check found = check(make_trials(6, labels));
  EXPECT_EQ(found.n_cells, std::numeric_limits<std::size_t>::max());
  EXPECT_EQ(found.pairs.size(), 80u * 79 / 2);
  EXPECT_NE(to_text(found).find("... (3160 pairs in all, the JSON lists them)"), std::string::npos);
}

TEST(Check, TellsThatThereIsNothingToAdjustTo) {
  const Check found = check(make_trials(3, {{"platform", Texts{"desktop", "mobile", "app"}}}));
  EXPECT_TRUE(
      is_told(found, {"platform", "another in nearly every trial or in all", "trial_number=2:trial-number"}));
  EXPECT_EQ(found.suggestion.find("platform"), std::string::npos);
}

TEST(Check, ToldInJsonNamesNeedNotBeUtf8) {
  Trials trials = make_trials(2);
  trials.channel_names[0] = "caf\xE9";
  trials.values[0].row(0).setZero(), trials.values[1].row(0).setZero();
  EXPECT_EQ(nlohmann::json::parse(to_json(check(trials)))["values"]["constant"][0], "caf\xEF\xBF\xBD");
}

TEST(Check, TellsTheSamePartitionUnderTwoNames) {
  Texts other_words;
  for (const std::string& text : alternating(12)) other_words.push_back(text == "x" ? "left" : "right");
  const Check found = check(make_trials(12, {{"side", alternating(12)}, {"hand", other_words}}));
  EXPECT_EQ(found.pairs.at(0).relation, Relation::identical);
  EXPECT_DOUBLE_EQ(found.pairs[0].cramers_v, 1.0);
  EXPECT_TRUE(is_told(found, {"side", "hand", "same way", "without hand"}));
  EXPECT_EQ(found.suggestion.find("hand"), std::string::npos);
}

TEST(Check, TellsWhichCategoryIsNestedInWhich) {
  const Texts city = {"Bern", "Bern", "Bern", "Rome", "Rome", "Rome", "Turin", "Turin", "Turin"};
  Texts country(9, "Italy");
  country[0] = country[1] = country[2] = "Switzerland";
  const Check found = check(make_trials(9, {{"country", country}, {"city", city}}));
  EXPECT_EQ(found.pairs.at(0).relation, Relation::second_in_first);
  EXPECT_EQ(found.pairs[0].n_empty, 3u);
  EXPECT_TRUE(is_told(found, {"city is nested in country"}));
}

TEST(Check, TellsCategoriesThatMostlyGoTogether) {
  Texts a, b;
  for (int m = 0; m < 40; ++m) a.emplace_back(m < 20 ? "x" : "y"), b.emplace_back(m < 20 ? "p" : "q");
  b[0] = "q", b[39] = "p";
  const Check found = check(make_trials(40, {{"first", a}, {"second", b}}));
  EXPECT_EQ(found.pairs.at(0).relation, Relation::associated);
  EXPECT_NEAR(found.pairs[0].cramers_v, 0.9, 0.02);
  EXPECT_TRUE(is_told(found, {"Cramer's V = 0.9"}));
}

TEST(Check, TellsOptionsWithFewTrialsAndWhatToType) {
  const Check found = check(make_trials(9, {{"dose", Integers{1, 1, 1, 2, 2, 2, 3, 4, 4}}}));
  EXPECT_TRUE(is_told(found, {"2 of the 4 options of dose", "3 x1, 4 x2", "dose=2:ordinal,bins=2"}));
}

TEST(Check, TellsLabelsThatAreMissing) {
  const Check found = check(make_trials(4, {{"side", Texts{"x", "", "y", "x"}}}));
  EXPECT_EQ(found.labels[0].use, LabelUse::incomplete);
  EXPECT_TRUE(is_told(found, {"side", "1 of 4 trials"}));
  EXPECT_TRUE(found.categories.empty());
}

TEST(Check, FindsConstantDuplicateAndUnobservedChannels) {
  Trials trials = make_trials(4, {{"side", alternating(4)}});
  for (Matrix& y : trials.values) {
    y.conservativeResize(6, Eigen::NoChange);
    y.row(3) = y.row(1);
    y.row(4).setConstant(5);
    y.row(5).setConstant(kMissing);
    y(1, 2) = y(3, 2) = kMissing;
  }
  trials.channel_names = {"a", "b", "c", "copy of b", "flat", "silent"};
  const Check found = check(trials);
  EXPECT_EQ(found.values.duplicates, (std::vector<std::vector<std::string>>{{"b", "copy of b"}}));
  EXPECT_EQ(found.values.constant, std::vector<std::string>{"flat"});
  EXPECT_EQ(found.values.never_observed, std::vector<std::string>{"silent"});
  EXPECT_TRUE(is_told(found, {"b, copy of b"}));
  trials.values[3](3, 0) += 1;
  EXPECT_TRUE(check(trials).values.duplicates.empty());
}

TEST(Check, MapsTheGaps) {
  Trials trials = make_trials(2);
  trials.values[1].row(2).setConstant(kMissing);
  trials.values[1].col(0).setConstant(kMissing);
  const Check found = check(trials);
  EXPECT_DOUBLE_EQ(found.values.missing_share, 6.0 / 24);
  EXPECT_EQ(found.gaps.n_trials, 1u);
  EXPECT_EQ(found.gaps.n_channels, 3u);
  EXPECT_EQ(found.gaps.n_empty_pairs, 1u);
  EXPECT_EQ(found.gaps.n_empty_times, 1u);
  EXPECT_EQ(found.gaps.worst_channel, "c");
  EXPECT_DOUBLE_EQ(found.gaps.worst_channel_share, 0.5);
  EXPECT_EQ(found.gaps.worst_trial, 1u);
  EXPECT_TRUE(is_told(found, {"1 time points have no value"}));
}

TEST(Check, TellsChannelsThatAnOptionNeverShows) {
  Trials trials = make_trials(6, {{"side", alternating(6)}});
  for (std::size_t m = 1; m < 6; m += 2) trials.values[m].row(2).setConstant(kMissing);
  EXPECT_TRUE(is_told(check(trials), {"c in side y", "unbounded"}));
  trials.values[5](2, 3) = 1;
  EXPECT_TRUE(check(trials).gaps.unseen.empty());
}

TEST(Check, TellsWhatSessionsWithOtherChannelsCannotShow) {
  const Trials whole = testing::random_trials({.n_channels = 60});
  const auto look_at = [&](Index in_common) { return check(testing::in_two_sessions(whole, in_common)); };
  EXPECT_TRUE(
      is_told(look_at(20), {"400 of 1770 pairs of channels (22.6 %) were never observed together",
                            "2 sessions, of 8 trials with 40 channels, 6 trials with 40 channels",
                            "inferred from channels observed with both", "nothing needs filling in"}));
  EXPECT_TRUE(is_told(look_at(10), {"only 10 channels in common", "the continuation of which", "can be wrong",
                                    "fit every session alone"}));
  EXPECT_TRUE(is_told(look_at(0), {"no channel ties them together", "nothing in the values decides",
                                   "only labels and traces do", "do not read a component's memberships"}));
  const nlohmann::json json = nlohmann::json::parse(to_json(look_at(10)))["gaps"]["together"];
  EXPECT_EQ(json["n_apart"], 625);
  EXPECT_EQ(json["n_parts"], 1);
  EXPECT_EQ(json["n_tying"], 10);
  EXPECT_EQ(json["sessions"][1]["n_trials"], 6);
}

TEST(Check, TakesNoScatteredGapsForSessions) {
  const Check found = check(testing::random_trials({.n_channels = 60, .missing = 0.3}));
  EXPECT_FALSE(is_told(found, {"never observed together"}));
  EXPECT_EQ(found.gaps.together.n_apart, 0u);
  EXPECT_EQ(found.gaps.together.n_pairs, 1770u);
}

TEST(Check, AClockIsNoCategory) {
  Reals clock, speed;
  for (int m = 0; m < 30; ++m) clock.push_back(1.5 * m), speed.push_back(std::fabs(m - 10.2));
  const Check found = check(make_trials(30, {{"clock", clock}, {"speed", speed}}));
  EXPECT_EQ(found.labels[0].use, LabelUse::per_trial);
  EXPECT_EQ(found.labels[1].use, LabelUse::category);
}

TEST(Check, TellsChannelsOfVeryDifferentScale) {
  Trials trials = make_trials(4, {{"side", alternating(4)}});
  for (Matrix& y : trials.values) y.row(0) *= 1e6;
  EXPECT_GT(check(trials).values.scale_ratio, 1e5);
  EXPECT_TRUE(is_told(check(trials), {"channel a has 100 % of the variance", "`scale` = range"}));
  // One channel of hardly any variance: no single one has most of it.
  trials = make_trials(4, {{"side", alternating(4)}});
  for (Matrix& y : trials.values) y.row(0) *= 1e-6, y.row(1) = y.row(2).reverse();
  EXPECT_TRUE(is_told(check(trials),
                      {"differ by a factor of", "rule the fit", "`scale` = range in milcci fit or prepare"}));
}

// The options that findings advise.
std::vector<std::string> advised(const SimulateOptions& options) {
  std::vector<std::string> names;
  for (const Finding& finding : find_unusual(check_values(simulate(options)))) {
    EXPECT_NE(finding.advice.find("`" + finding.option + "` = "), std::string::npos) << finding.advice;
    names.push_back(finding.option);
  }
  return names;
}

using Names = std::vector<std::string>;

SimulateOptions simulated() {
  SimulateOptions options;
  options.n_channels = 40;
  options.n_trials = 30;
  options.min_length = options.max_length = 120;
  return options;
}

TEST(CheckValues, AreUsualWhateverTheNoiseAndTheSigns) {
  for (const double noise : {0.0, 0.3, 1.0, 3.0}) {
    SimulateOptions options = simulated();
    options.noise = noise;
    EXPECT_EQ(advised(options), Names{}) << noise;
    options.is_signed = true;
    EXPECT_EQ(advised(options), Names{}) << noise;
    options.dynamics = true;
    EXPECT_EQ(advised(options), Names{}) << noise;
  }
}

TEST(CheckValues, TellOutliersWithAndWithoutNoise) {
  for (const double noise : {0.0, 0.3, 1.0}) {
    SimulateOptions options = simulated();
    options.noise = noise;
    options.outliers = 0.01;
    EXPECT_EQ(advised(options), Names{"loss"}) << noise;
    const ValueCheck values = check_values(simulate(options));
    EXPECT_GT(values.outlier_energy, 0.5);
    if (noise == 0) continue;
    EXPECT_NEAR(values.outlier_share, 0.009, 0.002) << "a few are multiplied values near zero";
  }
}

TEST(CheckValues, TakeNoBurstForOutliers) {
  Trials trials = simulate(simulated());
  for (Matrix& y : trials.values) y.middleCols(50, 4) *= 30.0;
  EXPECT_LT(check_values(trials).outlier_energy, 0.1);
}

TEST(CheckValues, TellLowCountsButNotHighOnes) {
  SimulateOptions options = simulated();
  options.counts = 0.1;
  EXPECT_EQ(advised(options), Names{"smoothness"});
  options.counts = 0.3;
  EXPECT_EQ(advised(options), Names{});
}

TEST(CheckValues, TellBaselinesOfEitherSign) {
  SimulateOptions options = simulated();
  options.noise = 0.3;
  options.baseline = 5;
  EXPECT_EQ(advised(options), Names{"offset"});
  EXPECT_EQ(check_values(simulate(options)).with_baseline.size(), 40u);
  Trials below = simulate(options);
  for (Matrix& y : below.values) y = -y;
  EXPECT_EQ(check_values(below).with_baseline.size(), 40u);
}

TEST(CheckValues, TellAChannelWithMostOfTheVariance) {
  Trials trials = simulate(simulated());
  for (Matrix& y : trials.values) y.row(7) *= 20;
  const ValueCheck values = check_values(trials);
  EXPECT_EQ(values.largest_channel, "channel8");
  EXPECT_GT(values.largest_share, 0.5);
  EXPECT_EQ(find_unusual(values).at(0).option, "scale");
}

TEST(CheckValues, OfTwoChannelsOneHasMostOfTheVarianceAnyway) {
  Trials trials = make_trials(12);
  for (Matrix& y : trials.values) y.conservativeResize(2, Eigen::NoChange);
  trials.channel_names.pop_back();
  const ValueCheck values = check_values(trials);
  EXPECT_GT(values.largest_share, 0.5);
  EXPECT_TRUE(find_unusual(values).empty());
}

TEST(CheckValues, AreOfASampleWhereThereAreMany) {
  SimulateOptions options = simulated();
  options.n_channels = 2000;
  options.n_trials = 20;
  options.baseline = 5;
  options.outliers = 0.01;
  options.noise = 0.3;
  const Trials trials = simulate(options);  // 4.8 million values
  const ValueCheck values = check_values(trials);
  EXPECT_GT(values.outlier_energy, 0.5);
  EXPECT_NEAR(values.outlier_share, 0.01, 0.001);
}

TEST(Check, SuggestsNonNegativityUnlessValuesBelowZeroAreMoreThanNoise) {
  SimulateOptions options = simulated();
  options.noise = 0.5;
  const auto suggestion = [&] { return check(simulate(options)).suggestion; };
  EXPECT_NE(suggestion().find("`nonnegative` = both"), std::string::npos);
  options.is_signed = true;
  EXPECT_EQ(suggestion().find("`nonnegative`"), std::string::npos);
  // Hardly anything but noise: nothing stays below zero, but nothing speaks for non-negativity either.
  options.is_signed = false, options.pure_noise = true;
  EXPECT_EQ(suggestion().find("`nonnegative`"), std::string::npos);
}

TEST(Check, TellsStepsAndLengths) {
  Trials trials = make_trials(2);
  trials.values[1].conservativeResize(Eigen::NoChange, 2);
  trials.times = {Vector::LinSpaced(4, 0, 3), Vector::LinSpaced(2, 5, 9)};
  const TimeCheck time = check(trials).time;
  EXPECT_EQ(time.min_length, 2);
  EXPECT_EQ(time.max_length, 4);
  EXPECT_DOUBLE_EQ(time.min_step, 1);
  EXPECT_DOUBLE_EQ(time.max_step, 4);
  EXPECT_DOUBLE_EQ(time.last, 9);
}

TEST(Check, LooksOnlyAtCategoriesThatAreAskedFor) {
  const Trials trials = make_trials(12, {{"side", alternating(12)}, {"dose", pairs_of(12, 3)}});
  const Check found = check(trials, {parse_category("dose=3")});
  ASSERT_EQ(found.labels.size(), 1u);
  EXPECT_EQ(found.labels[0].spec.kind, CategoryKind::categorical);
  EXPECT_NE(found.suggestion.find("'dose=3'"), std::string::npos);
  testing::expect_error(ErrorKind::bad_input, {"colour", "side, dose"},
                        [&] { check(trials, {parse_category("colour=1")}); });
}

TEST(Check, TextAndJsonTellTheSameFindings) {
  const Check found = check(make_trials(4, {{"side", alternating(4)}, {"id", Integers{4, 4, 4, 4}}}));
  const auto json = nlohmann::json::parse(to_json(found));
  const std::string text = to_text(found);
  ASSERT_EQ(json["findings"].size(), found.findings.size());
  ASSERT_FALSE(found.findings.empty());
  for (std::size_t i = 0; i < found.findings.size(); ++i) {
    EXPECT_EQ(json["findings"][i]["advice"], found.findings[i].advice);
    EXPECT_NE(text.find(std::to_string(i + 1) + ". " + found.findings[i].text), std::string::npos);
  }
  EXPECT_EQ(json["labels"][0]["category"], "side=2");
}

TEST(Check, NamesAValueThatStandsApartLikeAMark) {
  Trials trials = make_trials(8, {{"side", alternating(8)}});
  EXPECT_EQ(check_values(trials).n_sentinels, 0u);
  trials.values[1](0, 2) = trials.values[3](2, 0) = -999;
  const ValueCheck values = check_values(trials);
  EXPECT_EQ(values.sentinel, -999);
  EXPECT_EQ(values.n_sentinels, 2u);
  EXPECT_EQ(find_unusual(values).front().option, "missing_value");
  trials.values[0](0, 0) = -700;  // then it may be a value like others
  EXPECT_EQ(check_values(trials).n_sentinels, 0u);
}

TEST(Check, BeforeAFitTellsWhatItsOptionsDoNotTakeCareOf) {
  Trials trials = make_trials(8, {{"side", alternating(8)}, {"again", alternating(8)}});
  for (Matrix& values : trials.values) values.array() += 100;
  FitOptions options;
  options.penalties = PenaltyChoice::fixed;  // else there is an offset
  options.categories = {{.name = "side"}, {.name = "again"}};
  const auto has = [&](const std::string& word) {
    const std::vector<Finding> findings = find_before_fit(trials, options);
    return std::any_of(findings.begin(), findings.end(),
                       [&](const Finding& finding) { return finding.text.find(word) != std::string::npos; });
  };
  EXPECT_TRUE(has("divide the trials in the same way"));
  EXPECT_TRUE(has("stay away from zero"));
  options.offset = Offset::channel;
  EXPECT_FALSE(has("stay away from zero"));
}

TEST(Check, SuggestsCirclesForMonthsAndDirections) {
  Integers months, degrees;
  for (int m = 0; m < 24; ++m) months.push_back(m % 12 + 1), degrees.push_back(45 * (m % 8));
  const Check found = check(make_trials(24, {{"month", months}, {"Direction", degrees}, {"dose", degrees}}));
  EXPECT_EQ(to_text(found.labels[0].spec), "month=2:circular,period=12");
  EXPECT_EQ(to_text(found.labels[1].spec), "Direction=2:circular,period=360");
  EXPECT_EQ(to_text(found.labels[2].spec), "dose=2:ordinal");
}

TEST(Check, SuggestsCirclesForWordsThatGoRound) {
  const std::string months = "Jan+Feb+Mar+Apr+May+Jun+Jul+Aug+Sep+Oct+Nov+Dec";
  const std::string all_months =
      "January+February+March+April+May+June+July+August+September+October+November+December";
  struct Expected {
    std::string name;
    Texts values;
    std::string suggested;
  };
  const std::vector<Expected> all = {
      {"when", {"Feb", "Jan", "Mar", "Dec", "Nov", "Oct"}, "when=2:circular,order=" + months},
      {"when", {"March", "May", "June", "July", "August", "April"}, "when=2:circular,order=" + all_months},
      {"day", {"mon", "tue", "wed", "thu", "fri"}, "day=2:circular,order=mon+tue+wed+thu+fri+sat+sun"},
      {"day",
       {"SUNDAY", "MONDAY", "SATURDAY", "FRIDAY"},
       "day=2:circular,order=MONDAY+TUESDAY+WEDNESDAY+THURSDAY+FRIDAY+SATURDAY+SUNDAY"},
      {"to", {"W", "N", "E", "S"}, "to=2:circular,order=N+E+S+W"},
      {"to", {"NW", "NE", "SW", "SE"}, "to=2:circular,order=N+NE+E+SE+S+SW+W+NW"},
      {"Month",
       {"01", "02", "03", "04", "10", "12"},
       "Month=2:circular,order=01+02+03+04+05+06+07+08+09+10+11+12"},
      // Names of sessions, too few of them, two ways to write, another word among them.
      {"session", {"01", "02", "03", "04", "10", "12"}, "session=2"},
      {"when", {"Jan", "Feb", "Mar"}, "when=2"},
      {"day", {"Sat", "Sun"}, "day=2"},
      {"day", {"Mon", "tue", "Wed", "thu"}, "day=2"},
      {"to", {"N", "E", "S", "W", "R"}, "to=2"},
  };
  for (const Expected& expected : all) {
    Texts values;
    for (std::size_t m = 0; m < 24; ++m) values.push_back(expected.values[m % expected.values.size()]);
    const Check found = check(make_trials(24, {{expected.name, values}}));
    EXPECT_EQ(to_text(found.labels[0].spec), expected.suggested);
    EXPECT_EQ(found.labels[0].options.size(), expected.values.size());
  }
}

}  // namespace
}  // namespace milcci
