#include "label_graphs/categories.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <utility>

#include "label_graphs/design.hpp"
#include "support/expect_error.hpp"
#include "support/random_problem.hpp"

namespace milcci {
namespace {

using testing::expect_error;

Trials with_labels(std::vector<LabelColumn> labels) {
  Trials trials = testing::random_trials({.n_trials = 4});
  trials.labels = std::move(labels);
  return trials;
}

Category resolve(const CategorySpec& spec, const Trials& trials) {
  return resolve_categories({spec}, trials)[0];
}

TEST(Categories, SortNumbersByValueAndTextsByLetter) {
  const Trials trials = with_labels(
      {{"n", LabelColumn::Integers{10, 9, 10, 100}}, {"s", LabelColumn::Texts{"b", "a", "c", "a"}}});
  EXPECT_EQ(resolve({.name = "n"}, trials).options, (std::vector<std::string>{"9", "10", "100"}));
  EXPECT_EQ(resolve({.name = "n"}, trials).option_of_trial, (std::vector<int>{1, 0, 1, 2}));
  EXPECT_EQ(resolve({.name = "s"}, trials).option_of_trial, (std::vector<int>{1, 0, 2, 0}));
}

TEST(Categories, TellIdentifiersApartThatAreOneNumberInADouble) {
  constexpr std::int64_t kLarge = std::int64_t{1} << 53;
  const Trials trials = with_labels({{"id", LabelColumn::Integers{kLarge, kLarge + 1, kLarge, kLarge + 1}}});
  EXPECT_EQ(resolve({.name = "id"}, trials).option_of_trial, (std::vector<int>{0, 1, 0, 1}));
  expect_error(ErrorKind::bad_input, {"9007199254740993", "2^53", "categorical"},
               [&] { resolve({.name = "id", .kind = CategoryKind::ordinal}, trials); });
}

TEST(Categories, TakeOrderGivenByHand) {
  const Trials trials = with_labels({{"s", LabelColumn::Texts{"high", "low", "mid", "low"}}});
  const Category category =
      resolve({.name = "s", .kind = CategoryKind::ordinal, .order = {"low", "mid", "high"}}, trials);
  EXPECT_EQ(category.options, (std::vector<std::string>{"low", "mid", "high"}));
  EXPECT_EQ(category.option_of_trial, (std::vector<int>{2, 0, 1, 0}));
}

TEST(Categories, JoinSeveralColumnsIntoOnePoint) {
  const Trials trials =
      with_labels({{"x", LabelColumn::Reals{0, 1, 0, 1}}, {"y", LabelColumn::Integers{0, 0, 5, 5}}});
  const Category category =
      resolve({.name = "place", .kind = CategoryKind::ordinal, .columns = {"x", "y"}}, trials);
  EXPECT_EQ(category.n_options(), 4);
  EXPECT_EQ(category.option_values.cols(), 2);
}

TEST(Categories, BinManyValuesIntoQuantiles) {
  Trials trials = testing::random_trials({.n_trials = 40});
  LabelColumn::Reals values;
  for (int m = 0; m < 40; ++m) values.push_back(0.37 * ((m * 17) % 40));
  trials.labels = {{"pupil", values}};
  const Category category = resolve({.name = "pupil", .kind = CategoryKind::ordinal, .bins = 4}, trials);
  ASSERT_EQ(category.n_options(), 4);
  std::vector<int> count(4, 0);
  for (const int option : category.option_of_trial) ++count[static_cast<std::size_t>(option)];
  EXPECT_EQ(count, (std::vector<int>{10, 10, 10, 10}));
  EXPECT_LT(category.option_values(0, 0), category.option_values(3, 0));
}

TEST(Categories, TrialNumberHasAnOptionPerTrialAndFixedOneForAll) {
  const Trials trials = with_labels({});
  EXPECT_EQ(resolve({.name = "trial_number", .kind = CategoryKind::trial_number}, trials).n_options(), 4);
  EXPECT_EQ(resolve({.name = "fixed", .kind = CategoryKind::fixed}, trials).n_options(), 1);
}

TEST(Categories, SayWhichColumnIsNotThereAndWhichAre) {
  const Trials trials = testing::random_trials({});
  expect_error(ErrorKind::bad_input, {"'choice'", "level, side"},
               [&] { resolve({.name = "choice"}, trials); });
}

TEST(Categories, NameTheTrialWithoutALabel) {
  const Trials text = with_labels({{"s", LabelColumn::Texts{"b", "a", "", "a"}}});
  expect_error(ErrorKind::bad_input, {"trial 3", "'s'"}, [&] { resolve({.name = "s"}, text); });
  const Trials real =
      with_labels({{"r", LabelColumn::Reals{1, std::numeric_limits<double>::quiet_NaN(), 2, 3}}});
  expect_error(ErrorKind::bad_input, {"trial 2", "'r'"}, [&] { resolve({.name = "r"}, real); });
}

TEST(Categories, RefuseOrdinalTextWithoutAnOrder) {
  const Trials trials = testing::random_trials({});
  expect_error(ErrorKind::bad_input, {"'side'", "text", "order="},
               [&] { resolve({.name = "side", .kind = CategoryKind::ordinal}, trials); });
}

// Its model could not be written, because distances to it are no numbers.
TEST(Categories, RefuseOrdinalLabelsThatAreInfinite) {
  const Trials trials =
      with_labels({{"r", LabelColumn::Reals{1, 2, -std::numeric_limits<double>::infinity(), 3}}});
  for (const int bins : {0, 2})
    expect_error(ErrorKind::bad_input, {"'r'", "-inf", "trial 3", "categorical"},
                 [&] { resolve({.name = "r", .kind = CategoryKind::ordinal, .bins = bins}, trials); });
  EXPECT_EQ(resolve({.name = "r"}, trials).n_options(), 4);
}

TEST(Categories, TakeTheUsersGraphByOptionName) {
  const Trials trials = testing::random_trials({});
  CategorySpec spec{.name = "side", .kind = CategoryKind::graph};
  spec.graph_options = {"right", "middle", "left"};
  spec.graph = (Matrix(3, 3) << 0, 1, 0, 1, 0, 1, 0, 3, 0).finished();
  const Category category = resolve(spec, trials);
  EXPECT_EQ(category.options, (std::vector<std::string>{"left", "right"}));
  EXPECT_EQ(category.graph.dense().norm(), 0.0);  // left and right are tied only through the absent middle
  spec.graph_options = {"right", "middle", "top"};
  expect_error(ErrorKind::bad_input, {"'left'", "right, middle, top"}, [&] { resolve(spec, trials); });
}

TEST(Design, TiesOptionsByTheMeanOfBothDirections) {
  Category category;
  category.spec.n_components = 1;
  category.options = {"a", "b", "c", "d"};
  category.option_of_trial = {0, 1, 2, 3};
  Matrix weights = Matrix::Zero(4, 4);
  weights(0, 2) = 0.5;  // one way only
  weights(1, 2) = 0.25;
  weights(2, 1) = 1.0;
  weights(3, 3) = 7.0;  // an option is no neighbour of its own
  category.graph = LabelGraph(weights);
  using Rows = std::vector<std::vector<LabelGraph::Neighbour>>;
  EXPECT_EQ(make_design({category}, 4).ties[0],
            LabelGraph(Rows{{{2, 0.25}}, {{2, 0.625}}, {{0, 0.25}, {1, 0.625}}, {}}));
}

TEST(Design, DealsLargeBlocksFirst) {
  Trials trials = testing::random_trials({.n_trials = 60});
  const Design design = make_design(resolve_categories({{.name = "side", .n_components = 1}}, trials), 60);
  for (std::size_t b = 1; b < design.blocks.size(); ++b)
    EXPECT_GE(design.blocks[b - 1].trials.size(), design.blocks[b].trials.size());
}

TEST(Design, GroupsTrialsByLabelInTrialOrder) {
  const Trials trials = testing::random_trials({.n_trials = 50});
  const Design design = make_design(
      resolve_categories({{.name = "level", .n_components = 2}, {.name = "side", .n_components = 3}}, trials),
      50);
  EXPECT_EQ(design.labels.size(), 6u);
  EXPECT_EQ(design.n_components(), 5);
  std::size_t n_trials = 0;
  for (const Design::Block& block : design.blocks) {
    n_trials += block.trials.size();
    EXPECT_TRUE(std::is_sorted(block.trials.begin(), block.trials.end()));
    for (const std::size_t m : block.trials) EXPECT_EQ(design.label_of_trial[m], block.label);
  }
  EXPECT_EQ(n_trials, 50u);
}

TEST(Design, CouplesEveryTwoOptionsOfALabelOnce) {
  const Trials trials = testing::random_trials({});
  const std::vector<CategorySpec> specs = {
      {.name = "level"}, {.name = "side"}, {.name = "all", .kind = CategoryKind::fixed}};
  const Design design = make_design(resolve_categories(specs, trials), trials.n_trials());
  for (std::size_t k = 0; k < design.n_categories(); ++k) {
    std::vector<std::vector<int>> met(design.labels.size(), std::vector<int>(design.n_categories(), 0));
    int last = 0;
    for (const Design::Coupling& coupling : design.couplings[k]) {
      EXPECT_GE(coupling.option, std::exchange(last, coupling.option));
      for (const std::size_t l : coupling.labels) {
        EXPECT_EQ(design.labels[l][k], coupling.option);
        EXPECT_EQ(design.labels[l][coupling.category], coupling.other_option);
        ++met[l][coupling.category];
      }
    }
    for (const std::vector<int>& of_label : met)
      for (std::size_t other = 0; other < of_label.size(); ++other)
        EXPECT_EQ(of_label[other], other == k ? 0 : 1);
  }
}

}  // namespace
}  // namespace milcci
