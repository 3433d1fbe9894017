#include "start/align.hpp"

#include <gtest/gtest.h>

#include <array>

#include "label_graphs/categories.hpp"
#include "support/random_problem.hpp"
#include "util/columns.hpp"

namespace milcci {
namespace {

// Five ordered options, three components that drift a little from option to option; a category of two
// beside it.
struct Drifting {
  Design design;
  State state;

  Drifting() {
    Trials trials;
    LabelColumn::Integers level, side;
    Random random(5, 0);
    for (int m = 0; m < 10; ++m) {
      trials.values.push_back(random.normal(12, 4));
      level.push_back(m % 5);
      side.push_back(m / 5);
      state.traces.push_back(random.normal(4, 5));
      state.transitions.push_back(random.normal(5, 5));
    }
    for (int n = 0; n < 12; ++n) trials.channel_names.push_back(fmt::format("c{}", n));
    trials.labels = {{"level", level}, {"side", side}};
    design =
        make_design(resolve_categories({{.name = "level", .n_components = 3, .kind = CategoryKind::ordinal},
                                        {.name = "side", .n_components = 2}},
                                       trials),
                    trials.n_trials());
    for (std::size_t k = 0; k < 2; ++k) {
      Matrix variant = random.normal(12, design.n_components(k));
      state.components.emplace_back();
      for (int i = 0; i < design.n_options(k); ++i) {
        variant += 0.2 * random.normal(12, design.n_components(k));
        state.components[k].push_back(variant);
        normalise_columns(state.components[k].back());
      }
    }
  }

  // Components a and b of the first category trade places under one option.
  void trade(int option, Index a, Index b) {
    const auto i = static_cast<std::size_t>(option);
    state.components[0][i].col(a).swap(state.components[0][i].col(b));
    for (std::size_t m = 0; m < state.traces.size(); ++m) {
      if (design.labels[static_cast<std::size_t>(design.label_of_trial[m])][0] != option) continue;
      state.traces[m].col(a).swap(state.traces[m].col(b));
      state.transitions[m].row(a).swap(state.transitions[m].row(b));
      state.transitions[m].col(a).swap(state.transitions[m].col(b));
    }
  }

  void turn(int option, Index j) {
    state.components[0][static_cast<std::size_t>(option)].col(j) *= -1.0;
    for (std::size_t m = 0; m < state.traces.size(); ++m) {
      if (design.labels[static_cast<std::size_t>(design.label_of_trial[m])][0] != option) continue;
      state.traces[m].col(j) *= -1.0;
      state.transitions[m].row(j) *= -1.0;
      state.transitions[m].col(j) *= -1.0;
    }
  }

  double disagreement() const {
    double sum = 0;
    for (std::size_t i = 1; i < state.components[0].size(); ++i)
      sum += (state.components[0][i] - state.components[0][i - 1]).squaredNorm();
    return sum;
  }

  Matrix reconstruction(std::size_t m) const {
    return loading(design, state.components, static_cast<std::size_t>(design.label_of_trial[m])) *
           state.transitions[m] * state.traces[m].transpose();
  }
};

TEST(Align, LeavesWhatAgreesAlone) {
  Drifting problem;
  const State before = problem.state;
  EXPECT_FALSE(align_variants(problem.design, false, problem.state));
  for (std::size_t i = 0; i < 5; ++i)
    EXPECT_EQ(problem.state.components[0][i], before.components[0][i]) << "option " << i;
  for (std::size_t m = 0; m < 10; ++m) EXPECT_EQ(problem.state.traces[m], before.traces[m]);
}

TEST(Align, UndoesTradesAndKeepsEveryTrial) {
  using Trades = std::vector<std::array<int, 3>>;
  const std::vector<Trades> cases = {{{2, 0, 1}},                        // one option
                                     {{2, 0, 1}, {3, 0, 1}, {4, 0, 1}},  // from one option to the end
                                     {{0, 1, 2}, {1, 0, 2}, {3, 0, 1}, {3, 1, 2}}};
  for (std::size_t c = 0; c < cases.size(); ++c) {
    Drifting problem;
    const double before = problem.disagreement();
    std::vector<Matrix> trial;
    for (std::size_t m = 0; m < 10; ++m) trial.push_back(problem.reconstruction(m));
    for (const auto& [option, a, b] : cases[c]) problem.trade(option, a, b);
    ASSERT_GT(problem.disagreement(), 1.5 * before);

    EXPECT_TRUE(align_variants(problem.design, false, problem.state));

    EXPECT_NEAR(problem.disagreement(), before, 1e-12) << "case " << c;
    for (std::size_t m = 0; m < 10; ++m)
      EXPECT_LT((problem.reconstruction(m) - trial[m]).norm(), 1e-12) << "case " << c << ", trial " << m;
  }
}

TEST(Align, TurnsSignsOnlyWhereTheyAreFree) {
  Drifting problem;
  const double before = problem.disagreement();
  const Matrix trial = problem.reconstruction(3);
  problem.trade(3, 0, 2);
  problem.turn(3, 1);
  problem.turn(4, 1);

  State signs_fixed = problem.state;
  align_variants(problem.design, false, signs_fixed);
  EXPECT_DOUBLE_EQ(signs_fixed.components[0][4].sum(), problem.state.components[0][4].sum());

  EXPECT_TRUE(align_variants(problem.design, true, problem.state));
  EXPECT_NEAR(problem.disagreement(), before, 1e-12);
  EXPECT_LT((problem.reconstruction(3) - trial).norm(), 1e-12);
}

TEST(Align, TakesOptionsThatAreAllAlikeAsTheirPairs) {
  Drifting alike;
  alike.design.ties[0] = LabelGraph::constant(5, 0.25);
  alike.trade(1, 0, 2);
  alike.trade(3, 1, 2);
  Drifting pairs = alike;
  std::vector<std::vector<LabelGraph::Neighbour>> rows(5);
  for (int i = 0; i < 5; ++i)
    for (int other = 0; other < 5; ++other)
      if (other != i) rows[static_cast<std::size_t>(i)].push_back({other, 0.25});
  pairs.design.ties[0] = LabelGraph(rows);
  EXPECT_TRUE(align_variants(alike.design, true, alike.state));
  EXPECT_TRUE(align_variants(pairs.design, true, pairs.state));
  for (std::size_t i = 0; i < 5; ++i)
    EXPECT_EQ(alike.state.components[0][i], pairs.state.components[0][i]) << i;
}

}  // namespace
}  // namespace milcci
