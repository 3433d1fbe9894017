// Starts from few labels: which labels they take.
#include "start/few_labels.hpp"

#include <gtest/gtest.h>

#include <set>

#include "label_graphs/categories.hpp"

namespace milcci {
namespace {

// One trial for every pair of three levels and two sides, three components in all.
struct Labelled {
  Trials trials;
  TrialData data;
  Design design;

  explicit Labelled(Index n_times) : trials(make(n_times)), data(trials) {
    const std::vector<CategorySpec> specs{{.name = "level", .n_components = 2},
                                          {.name = "side", .n_components = 1}};
    design = make_design(resolve_categories(specs, trials), trials.n_trials());
  }

  std::vector<std::size_t> drawn(std::uint64_t seed) const {
    Random random(seed, 0);
    return draw_few_labels(data, design, random);
  }

  static Trials make(Index n_times) {
    Trials trials;
    LabelColumn::Texts level, side;
    for (int m = 0; m < 6; ++m) {
      trials.values.push_back(Matrix::Ones(4, n_times));
      level.push_back(std::to_string(m % 3));
      side.push_back(std::to_string(m / 3));
    }
    trials.labels = {{.name = "level", .values = level}, {.name = "side", .values = side}};
    return trials;
  }
};

TEST(FewLabels, IsOneWhereItHasEnoughTimePoints) {
  const Labelled labelled(48);  // 16 per component
  std::set<std::size_t> seen;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const std::vector<std::size_t> drawn = labelled.drawn(seed);
    ASSERT_EQ(drawn.size(), 1u);
    seen.insert(drawn[0]);
  }
  EXPECT_EQ(seen.size(), 6u);  // any of them
}

TEST(FewLabels, ShareTheirOptionInOneCategoryWhereThatLeavesEnough) {
  const Labelled labelled(24);  // a label has half of what is needed, two have enough
  std::set<std::size_t> n_drawn;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const std::vector<std::size_t> drawn = labelled.drawn(seed);
    n_drawn.insert(drawn.size());
    std::size_t n_shared = 0;
    for (std::size_t k = 0; k < 2; ++k) {
      std::set<int> options;
      for (const std::size_t l : drawn) options.insert(labelled.design.labels[l][k]);
      n_shared += options.size() == 1;
    }
    EXPECT_EQ(n_shared, 1u);
  }
  EXPECT_EQ(n_drawn, (std::set<std::size_t>{2, 3}));  // of one level, or of one side
}

TEST(FewLabels, AreAllWhereNoFewerHaveEnough) {
  EXPECT_EQ(Labelled(15).drawn(0).size(), 6u);  // three have 45 of the 48 time points
}

TEST(FewLabels, DoNotCountTheTimePointsOfSilentOnes) {
  Labelled labelled(24);
  for (std::size_t m = 1; m < 6; ++m) labelled.trials.values[m].setZero();
  labelled.data = TrialData(labelled.trials);
  for (std::uint64_t seed = 0; seed < 10; ++seed) EXPECT_EQ(labelled.drawn(seed).size(), 6u);
}

}  // namespace
}  // namespace milcci
