// What F charges components for, against its formula pair by pair.
#include "loop/penalty_values.hpp"

#include <gtest/gtest.h>

#include "label_graphs/categories.hpp"
#include "loop/objective.hpp"
#include "loop/penalties.hpp"
#include "loop/traces.hpp"
#include "support/random_problem.hpp"
#include "support/tolerances.hpp"

namespace milcci {
namespace {

TEST(PenaltyValues, AreSparsityAndConsistencyOfTheObjective) {
  const Trials trials = testing::random_trials({.seed = 4});
  FitOptions options = testing::two_categories();
  options.consistency = 0.7;
  const Design design = make_design(resolve_categories(options.categories, trials), trials.n_trials());
  State state;
  Random random(4, 1);
  for (std::size_t k = 0; k < design.n_categories(); ++k) {
    state.components.emplace_back();
    for (int i = 0; i < design.n_options(k); ++i) {
      state.components[k].push_back(random.normal(9, design.n_components(k)));
      state.components[k].back().colwise().normalize();
    }
  }
  Penalties penalties;
  const Statistics statistics = update_traces(TrialData(trials), design, penalties, {}, state);
  set_component_penalties(options, 0.3, design, statistics, state.components, penalties);

  double sparsity = 0, consistency = 0;
  for (std::size_t k = 0; k < design.n_categories(); ++k) {
    const Matrix graph = design.categories[k].graph.dense();
    for (int i = 0; i < design.n_options(k); ++i) {
      const Matrix& a = state.components[k][static_cast<std::size_t>(i)];
      for (Index j = 0; j < a.cols(); ++j) {
        sparsity += penalties.gamma1[k](j, i) * a.col(j).lpNorm<1>();
        for (int other = 0; other < i; ++other)
          consistency +=
              penalties.gamma2[k](j) * 0.5 * (graph(i, other) + graph(other, i)) *
              (a.col(j) - state.components[k][static_cast<std::size_t>(other)].col(j)).squaredNorm();
      }
    }
  }
  ASSERT_GT(consistency, 0);
  for (const int threads : {1, 3}) {
    const Objective terms =
        objective_of_pass(penalties, statistics, penalty_values_of(design, state.components, threads));
    EXPECT_NEAR(terms.sparsity, sparsity, testing::kSolve * sparsity);
    EXPECT_NEAR(terms.consistency, consistency, testing::kSolve * consistency);
    const Objective anywhere = objective(design, penalties, statistics, state.components, {}, threads);
    EXPECT_NEAR(anywhere.total(), terms.total(), testing::kSolve * terms.total());
  }
}

TEST(PenaltyValues, OfOptionsThatAreAllAlikeAreThoseOfTheirPairs) {
  constexpr int kOptions = 7;
  Category category;
  category.spec.n_components = 3;
  category.options.resize(kOptions);
  for (int i = 0; i < kOptions; ++i) category.option_of_trial.push_back(i);
  category.graph = LabelGraph::constant(kOptions, 0.3);
  Design alike = make_design({category}, kOptions), pairs = alike;
  std::vector<std::vector<LabelGraph::Neighbour>> rows(kOptions);
  for (int i = 0; i < kOptions; ++i)
    for (int other = 0; other < kOptions; ++other)
      if (other != i) rows[static_cast<std::size_t>(i)].push_back({other, 0.3});
  pairs.ties[0] = LabelGraph(rows);
  Random random(6, 1);
  Components components(1);
  const Matrix shared = random.normal(9, 3);
  for (int i = 0; i < kOptions; ++i) components[0].push_back(shared + 1e-4 * random.normal(9, 3));
  const Matrix expected = penalty_values_of(pairs, components, 1).distances[0];
  for (const int threads : {1, 3})
    EXPECT_LT((penalty_values_of(alike, components, threads).distances[0] - expected).norm(),
              testing::kSolve * expected.norm());
}

}  // namespace
}  // namespace milcci
