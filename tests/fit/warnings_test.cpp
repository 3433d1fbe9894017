// What a user is told before and after a fit: each warning where it belongs, and nowhere else.
#include "fit/warnings.hpp"

#include <gtest/gtest.h>

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

TEST(Warnings, TellOfDataThatSignsCannotExpress) {
  FitOptions options = testing::two_categories();
  options.nonnegative = NonNegative::both;
  testing::LoopProblem problem({}, options);
  expect_one(warnings_before(problem), {"negative values", "`nonnegative` = components"});
  for (Matrix& y : problem.trials.values) y = y.cwiseAbs();
  problem.data = TrialData(problem.trials);
  EXPECT_TRUE(warnings_before(problem).empty());
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
  warn_of_dissimilar_variants(problem.design, problem.state.components, warnings);
  EXPECT_TRUE(warnings.empty());
  problem.state.components[1] = testing::random_components(problem.design, 60, false, 5)[1];
  warn_of_dissimilar_variants(problem.design, problem.state.components, warnings);
  expect_one(warnings, {"'side'", "`category` = side=1:free"});
}

TEST(Warnings, AreSilentAboutFreeCategoriesWhichNothingTies) {
  FitOptions options = testing::two_categories();
  for (CategorySpec& spec : options.categories) spec.kind = CategoryKind::free;
  const testing::LoopProblem problem({.n_channels = 60}, options);
  std::vector<std::string> warnings;
  warn_of_dissimilar_variants(problem.design, problem.state.components, warnings);
  EXPECT_TRUE(warnings.empty());
}

TEST(Warnings, NameDeadComponentsByCategoryAndPosition) {
  testing::LoopProblem problem({});
  Model model;
  for (std::size_t k = 0; k < 2; ++k)
    model.categories.push_back({problem.design.categories[k], problem.state.components[k]});
  std::vector<std::string> warnings;
  model.categories[0].variants[0].col(1).setZero();  // dead under one option only
  warn_of_dead_components(model, warnings);
  EXPECT_TRUE(warnings.empty());
  for (Matrix& a : model.categories[0].variants) a.col(1).setZero();
  warn_of_dead_components(model, warnings);
  expect_one(warnings, {"component 2", "'level'", "dead"});
}

}  // namespace
}  // namespace milcci
