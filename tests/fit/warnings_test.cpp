// What a user is told before and after a fit: each warning where it belongs, and nowhere else.
#include "fit/warnings.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/expect_error.hpp"
#include "support/loop_problem.hpp"

namespace milcci {
namespace {

using testing::expect_error;

void expect_one(const std::vector<std::string>& warnings, const std::vector<std::string>& words) {
  ASSERT_EQ(warnings.size(), 1u);
  for (const std::string& word : words)
    EXPECT_NE(warnings[0].find(word), std::string::npos) << "\"" << word << "\" is not in: " << warnings[0];
}

std::vector<std::string> warnings_before(const testing::LoopProblem& problem) {
  std::vector<std::string> warnings;
  check_against_data(problem.options, problem.design, problem.data, warnings);
  return warnings;
}

TEST(Warnings, AreNoneForAnOrdinaryFit) {
  testing::LoopProblem problem({});
  EXPECT_TRUE(warnings_before(problem).empty());  // the data hold negative values, and so may the factors
  problem.options.nonnegative = NonNegative::components;
  EXPECT_TRUE(warnings_before(problem).empty());
}

TEST(Warnings, TellIfMostComponentsAreUncertain) {
  FitSummary summary;
  std::vector<std::string> warnings;
  warn_of_uncertainty(summary, warnings);  // nothing was judged
  summary.certainty = {Certainty::firm, Certainty::unstable};
  warn_of_uncertainty(summary, warnings);
  EXPECT_TRUE(warnings.empty());
  summary.certainty.push_back(Certainty::alternative);
  warn_of_uncertainty(summary, warnings);
  expect_one(warnings, {"2 of 3", "`effort` = thorough"});
  summary.certainty = {Certainty::none, Certainty::none, Certainty::firm};  // dead ones do not count
  warnings.clear();
  warn_of_uncertainty(summary, warnings);
  EXPECT_TRUE(warnings.empty());
  summary.certainty = {Certainty::none, Certainty::none, Certainty::unstable};
  warn_of_uncertainty(summary, warnings);
  expect_one(warnings, {"1 of 1"});
}

TEST(Warnings, TellOfDataThatSignsCannotExpress) {
  FitOptions options = testing::two_categories();
  options.nonnegative = NonNegative::both;
  testing::LoopProblem problem({}, options);
  EXPECT_TRUE(warnings_before(problem).empty()) << "a few values are below zero, by noise";
  for (Matrix& y : problem.trials.values) y.topRows(3).array() -= 5.0;
  problem.data = TrialData(problem.trials);
  expect_one(warnings_before(problem), {"negative values", "`nonnegative` = components"});
}

TEST(Warnings, TellOfCategoriesThatCannotAdjust) {
  testing::LoopProblem problem({});
  problem.trials.labels[1].values = LabelColumn::Texts(problem.trials.n_trials(), "left");
  problem.design =
      make_design(resolve_categories(problem.options.categories, problem.trials), problem.trials.n_trials());
  expect_one(warnings_before(problem), {"'side'", "'left'", "one option"});
  problem.options.categories[1].kind = CategoryKind::fixed;  // asked for
  problem.design =
      make_design(resolve_categories(problem.options.categories, problem.trials), problem.trials.n_trials());
  EXPECT_TRUE(warnings_before(problem).empty());
}

TEST(Warnings, RefuseDataOfZerosAndMoreComponentsThanChannels) {
  testing::LoopProblem zeros({});
  for (Matrix& y : zeros.trials.values) y.setZero();
  zeros.data = TrialData(zeros.trials);
  expect_error(ErrorKind::bad_input, {"zero"}, [&] { warnings_before(zeros); });
  const testing::LoopProblem narrow({.n_channels = 2});
  expect_error(ErrorKind::bad_option, {"3 components", "2 channels"}, [&] { warnings_before(narrow); });
}

TEST(Warnings, TellOfComponentsThatCancelEachOther) {
  const testing::LoopProblem problem({});
  Statistics statistics;
  statistics.labels.resize(2);
  for (LabelSums& sums : statistics.labels) sums.G = Matrix::Identity(3, 3) * problem.data.energy();
  std::vector<std::string> warnings;
  warn_of_cancellation(statistics, problem.data, warnings);
  EXPECT_TRUE(warnings.empty());  // six times the energy of the data
  for (LabelSums& sums : statistics.labels) sums.G *= 50.0;
  warn_of_cancellation(statistics, problem.data, warnings);
  expect_one(warnings, {"cancel", "300 times"});
}

TEST(Warnings, TellOfVariantsThatAreHardlyMoreAlikeThanStrangers) {
  testing::LoopProblem problem({.n_channels = 60});
  std::vector<std::string> warnings;
  for (auto& variants : problem.state.components)
    for (Matrix& a : variants) a = variants[0];  // the same under every option
  warn_of_dissimilar_variants(problem.design, false, problem.state, warnings);
  EXPECT_TRUE(warnings.empty());
  problem.state.components[1] = testing::random_components(problem.design, 60, false, 5)[1];
  warn_of_dissimilar_variants(problem.design, false, problem.state, warnings);
  expect_one(warnings, {"'side'", "`category` = side=1:free"});
}

TEST(Warnings, TellWhetherTracesTellWhichComponentContinuesWhich) {
  testing::LoopProblem problem({.n_channels = 60, .n_trials = 24});
  for (Matrix& a : problem.state.components[1]) a = problem.state.components[1][0];
  Random random(3, 0);
  const Matrix shared = random.normal(50, 3);
  State known = problem.state;
  for (std::size_t m = 0; m < problem.trials.n_trials(); ++m) {
    problem.state.traces.push_back(random.normal(50, 3));
    known.traces.push_back(shared + 0.1 * problem.state.traces.back());
  }
  std::vector<std::string> warnings;
  warn_of_dissimilar_variants(problem.design, false, problem.state, warnings);
  expect_one(warnings, {"'level'", "continues which from option to option is arbitrary",
                        "`category` = level=2:free, which does not claim"});
  warnings.clear();
  warn_of_dissimilar_variants(problem.design, false, known, warnings);
  expect_one(warnings, {"'level'", "told by their mean traces"});
}

TEST(Warnings, AreSilentAboutFreeCategoriesWhichNothingTies) {
  FitOptions options = testing::two_categories();
  for (CategorySpec& spec : options.categories) spec.kind = CategoryKind::free;
  const testing::LoopProblem problem({.n_channels = 60}, options);
  std::vector<std::string> warnings;
  warn_of_dissimilar_variants(problem.design, false, problem.state, warnings);
  EXPECT_TRUE(warnings.empty());
}

struct WarningsOfModels : ::testing::Test {
  testing::LoopProblem problem{{}};
  Model model;
  std::vector<std::string> warnings;

  WarningsOfModels() {
    for (std::size_t k = 0; k < 2; ++k)
      model.categories.push_back({problem.design.categories[k], problem.state.components[k]});
  }
  void kill(std::size_t k, Index j) {
    for (Matrix& a : model.categories[k].variants) a.col(j).setZero();
  }
};

TEST_F(WarningsOfModels, NameDeadComponentsByCategoryAndPosition) {
  model.categories[0].variants[0].col(1).setZero();  // dead under one option only
  warn_of_dead_components(model, {}, {}, warnings);
  EXPECT_TRUE(warnings.empty());
  kill(0, 1);
  warn_of_dead_components(model, {}, {}, warnings);
  expect_one(warnings, {"component 2", "'level'", "dead"});
}

TEST_F(WarningsOfModels, TellWhatComponentsDiedOf) {
  const auto told = [&](const Deaths& deaths, const ObservedTogether& together) {
    std::vector<std::string> told;
    warn_of_dead_components(model, deaths, together, told);
    return told;
  };
  const std::vector<bool> dropped{false, true, false};
  kill(0, 1);
  expect_one(told({.is_dropped = dropped, .r2_gain = {}, .redundancy = 0.002, .is_given_start = false}, {}),
             {"the search dropped it", "R2 falls without it by less than `redundancy` = 0.002 (0 keeps all)",
              "ask for fewer"});
  expect_one(told({.is_dropped = dropped,
                   .r2_gain = Vector({{NAN, 0.00043, NAN}}),
                   .redundancy = 0.002,
                   .is_given_start = false},
                  {}),
             {"the search dropped it", "R2 would rise by 0.00043 with it, less than `redundancy` = 0.002"});
  expect_one(told({}, {}), {"dead: sparsity left it no channel; ask for fewer"});
  expect_one(told({.is_dropped = {}, .r2_gain = {}, .redundancy = 0.002, .is_given_start = true}, {}),
             {"the start gave it no channel, or sparsity left it none"});
  ObservedTogether apart;
  apart.n_pairs = 3, apart.n_apart = 1;
  expect_one(
      told({.is_dropped = dropped, .r2_gain = {}, .redundancy = 0.002, .is_given_start = false}, apart),
      {"the search dropped it", "a component can be missed", "`restarts`"});
}

TEST_F(WarningsOfModels, NameComponentsOfOneSession) {
  ObservedTogether together;
  const Index N = problem.data.n_channels();
  for (const bool is_second : {false, true}) {
    Session session{.n_trials = 7, .has_channel = std::vector<bool>(static_cast<std::size_t>(N), true)};
    for (std::size_t n = 0; n < 3; ++n)
      session.has_channel[is_second ? n : session.has_channel.size() - 1 - n] = false;
    together.sessions.push_back(session);
  }
  warn_of_components_of_one_session(model, together, warnings);
  EXPECT_TRUE(warnings.empty());
  for (Matrix& a : model.categories[0].variants) a.col(1).head(N - 3).setZero();
  warn_of_components_of_one_session(model, {}, warnings);
  EXPECT_TRUE(warnings.empty());  // no sessions
  warn_of_components_of_one_session(model, together, warnings);
  expect_one(warnings, {"component 2 of category 'level'", "the 7 trials of session 2", "goes on elsewhere"});
  warnings.clear();
  model.categories[0].variants[1](N - 4, 1) = 0.1;  // both have this channel
  warn_of_components_of_one_session(model, together, warnings);
  EXPECT_TRUE(warnings.empty());
}

}  // namespace
}  // namespace milcci
