// The coarser design of the search, and the way back from it.
#include "start/binned_design.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "label_graphs/categories.hpp"
#include "support/random_problem.hpp"

namespace milcci {
namespace {

TEST(BinnedDesign, CutsManyTrialNumbersIntoAFewBinsAndBack) {
  const Trials trials = testing::random_trials({.n_trials = 100});
  const Design fine = make_design(
      resolve_categories({{.name = "trial_number", .kind = CategoryKind::trial_number}, {.name = "side"}},
                         trials),
      100);
  const BinnedDesign binned = bin_design(fine, 100);
  EXPECT_EQ(binned.design.n_options(0), 12);
  EXPECT_EQ(binned.design.n_options(1), 2);
  EXPECT_TRUE(std::is_sorted(binned.bin_of_option[0].begin(), binned.bin_of_option[0].end()));
  Components components;
  components.emplace_back();
  for (int b = 0; b < 12; ++b) components[0].push_back(Matrix::Constant(9, 1, b));
  components.emplace_back(2, Matrix::Zero(9, 1));
  const Components unbinned = unbin(binned, fine, components);
  ASSERT_EQ(unbinned[0].size(), 100u);
  EXPECT_EQ(unbinned[0][99](0, 0), 11.0);
}

TEST(BinnedDesign, LeavesUnorderedCategoriesAndFewOptionsAlone) {
  Trials trials = testing::random_trials({.n_trials = 40});
  LabelColumn::Texts many;
  for (int m = 0; m < 40; ++m) many.push_back(fmt::format("animal {}", m % 20));
  trials.labels.push_back({"animal", many});
  const Design fine = make_design(
      resolve_categories({{.name = "level", .kind = CategoryKind::ordinal}, {.name = "animal"}}, trials), 40);
  const BinnedDesign binned = bin_design(fine, 40);
  EXPECT_EQ(binned.design.n_options(0), 3);
  EXPECT_EQ(binned.design.n_options(1), 20);
  EXPECT_EQ(binned.design.labels, fine.labels);
  EXPECT_EQ(binned.design.categories[0].graph, fine.categories[0].graph);
}

TEST(BinnedDesign, GivesEveryBinAboutAsManyTrials) {
  Trials trials = testing::random_trials({.n_trials = 120});
  LabelColumn::Integers skewed;  // most trials have one of the lowest values
  for (int m = 0; m < 120; ++m) skewed.push_back(m < 60 ? m % 6 : m);
  trials.labels.push_back({"skewed", skewed});
  const Design fine =
      make_design(resolve_categories({{.name = "skewed", .kind = CategoryKind::ordinal}}, trials), 120);
  const BinnedDesign binned = bin_design(fine, 120);
  std::vector<int> count(static_cast<std::size_t>(binned.design.n_options(0)), 0);
  for (const int option : binned.design.categories[0].option_of_trial)
    ++count[static_cast<std::size_t>(option)];
  EXPECT_EQ(count, std::vector<int>(12, 10));
}

TEST(BinnedDesign, HasOneTrialPerLabelOnceItIsPooled) {
  const Trials trials = testing::random_trials({.n_trials = 24});
  const Design design = make_design(
      resolve_categories({{.name = "level", .kind = CategoryKind::ordinal}, {.name = "side"}}, trials), 24);
  const Design pooled = one_trial_per_label(design);
  EXPECT_EQ(pooled.labels, design.labels);
  EXPECT_EQ(pooled.label_of_trial.size(), design.labels.size());
  for (std::size_t l = 0; l < design.labels.size(); ++l)
    EXPECT_EQ(pooled.label_of_trial[l], static_cast<int>(l));
}

}  // namespace
}  // namespace milcci
