// The component update: optimality of every variant, and agreement with sums over the data themselves.
#include "loop/components.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "label_graphs/categories.hpp"
#include "loop/objective.hpp"
#include "loop/penalties.hpp"
#include "loop/traces.hpp"
#include "support/random_problem.hpp"
#include "support/tolerances.hpp"

namespace milcci {
namespace {

struct Setting {
  Trials trials;
  FitOptions options = testing::two_categories();
  TrialData data;
  Design design;
  State state;
  Penalties penalties;
  Statistics statistics;

  Setting(double missing, bool is_nonnegative, double consistency, std::uint64_t seed)
      : trials(testing::random_trials({.missing = missing, .seed = seed})),
        data(trials),
        design(make_design(resolve_categories(options.categories, trials), trials.n_trials())) {
    Random random(seed, 31);
    for (std::size_t k = 0; k < design.n_categories(); ++k) {
      std::vector<Matrix> variants;
      for (int i = 0; i < design.n_options(k); ++i) {
        Matrix a = random.normal(9, design.n_components(k));
        if (is_nonnegative) a = a.cwiseAbs();
        a.colwise().normalize();
        variants.push_back(a);
      }
      state.components.push_back(variants);
    }
    options.consistency = consistency;
    penalties.gamma3 = 0.5;
    penalties.missing = 0.05;
    statistics = update_traces(data, design, penalties, {.is_nonnegative = is_nonnegative}, state);
    set_component_penalties(options, 0.3, design, statistics, state.components, penalties);
  }
};

// The same graph as a list of all its pairs.
LabelGraph pair_by_pair(const LabelGraph& constant) {
  std::vector<std::vector<LabelGraph::Neighbour>> rows(static_cast<std::size_t>(constant.n_options()));
  for (int i = 0; i < constant.n_options(); ++i)
    for (int other = 0; other < constant.n_options(); ++other)
      if (other != i) rows[static_cast<std::size_t>(i)].push_back({other, constant.weight()});
  return LabelGraph(rows);
}

// Every observed entry, every penalty: what eq. (2) charges, from the data and without any sums.
double value_from_data(const Setting& setting, const Components& components) {
  double value = 0;
  for (std::size_t m = 0; m < setting.trials.n_trials(); ++m) {
    const Matrix A =
        loading(setting.design, components, static_cast<std::size_t>(setting.design.label_of_trial[m]));
    const Matrix residual = setting.trials.values[m] - A * setting.state.traces[m].transpose();
    value += residual.array().isNaN().select(0.0, residual).squaredNorm();
  }
  return value;
}

constexpr Rows kAll{0, 9};

// One category's problem for all channels at once.
CategoryProblem problem_of(const Setting& setting, const Penalties& penalties, std::size_t k) {
  std::vector<CategorySums> sums;
  for (std::size_t c = 0; c < setting.design.n_categories(); ++c)
    sums.push_back(sum_category(setting.design, penalties, setting.statistics, c));
  const std::vector<Matrix> pull =
      pulls_of_length(penalties, sums, penalty_values_of(setting.design, setting.state.components, 1));
  std::vector<Matrix> components;
  for (const auto& variants : setting.state.components) components.push_back(side_by_side(variants, kAll));
  const Matrix linear = linear_terms(setting.design, setting.statistics, pull, kAll, components)[k];
  CategoryProblem problem = category_problem(setting.design, penalties, setting.statistics, sums[k], kAll, k);
  subtract_others(setting.design, sums[k], linear, components, k, problem);
  return problem;
}

class ComponentUpdate : public ::testing::TestWithParam<std::tuple<double, bool, double, int>> {
 protected:
  bool is_nonnegative_ = std::get<1>(GetParam());
  Setting setting_{std::get<0>(GetParam()), is_nonnegative_, std::get<2>(GetParam()),
                   static_cast<std::uint64_t>(std::get<3>(GetParam()))};
  ComponentOptions exact_{
      .lasso = {.is_nonnegative = is_nonnegative_, .tolerance = 1e-13, .max_sweeps = 100000},
      .max_rounds = 100000,
      .tolerance = 1e-12};
};

// Numerical derivatives of the value that the update minimises: zero where a membership is not, and no way
// down from a zero. This does not use the update's own sums.
TEST_P(ComponentUpdate, SatisfiesTheKktConditionsOfEveryVariant) {
  for (std::size_t k = 0; k < setting_.design.n_categories(); ++k) {
    const LabelGraph& ties = setting_.design.ties[k];
    const CategoryProblem problem = problem_of(setting_, setting_.penalties, k);
    Matrix variants = side_by_side(setting_.state.components[k], kAll);
    solve_category(problem, pulls_of_neighbours(problem.gamma2, ties), exact_, variants);
    const double best = category_value(problem, ties, variants);
    for (Index e = 0; e < variants.size(); ++e)
      for (const double step : {1e-4, -1e-4}) {
        Matrix moved = variants;
        moved.data()[e] += step;
        if (is_nonnegative_ && moved.data()[e] < 0) continue;
        EXPECT_GE(category_value(problem, ties, moved), best - testing::kSolve * std::abs(best));
      }
  }
}

// Where members are kept, zeros stay, and the others are as good as they can be with them.
TEST_P(ComponentUpdate, OfMembersLeavesZerosAndIsOptimalForTheOthers) {
  exact_.keeps_members = true;
  for (std::size_t k = 0; k < setting_.design.n_categories(); ++k) {
    const LabelGraph& ties = setting_.design.ties[k];
    const CategoryProblem problem = problem_of(setting_, setting_.penalties, k);
    Matrix variants = side_by_side(setting_.state.components[k], kAll);
    for (Index e = 0; e < variants.size(); e += 3) variants.data()[e] = 0.0;
    solve_category(problem, pulls_of_neighbours(problem.gamma2, ties), exact_, variants);
    const double best = category_value(problem, ties, variants);
    for (Index e = 0; e < variants.size(); ++e) {
      if (e % 3 == 0) {
        EXPECT_EQ(variants.data()[e], 0.0);
      }
      if (variants.data()[e] == 0.0) continue;
      for (const double step : {1e-4, -1e-4}) {
        Matrix moved = variants;
        moved.data()[e] += step;
        EXPECT_GE(category_value(problem, ties, moved), best - testing::kSolve * std::abs(best));
      }
    }
  }
}

TEST_P(ComponentUpdate, OfOptionsThatAreAllAlikeNeedsNoPairs) {
  for (std::size_t k = 0; k < setting_.design.n_categories(); ++k) {
    const LabelGraph alike = LabelGraph::constant(setting_.design.n_options(k), 0.4);
    const LabelGraph pairs = pair_by_pair(alike);
    const CategoryProblem problem = problem_of(setting_, setting_.penalties, k);
    Matrix variants = side_by_side(setting_.state.components[k], kAll), by_pairs = variants;
    const ComponentOptions options{.lasso = exact_.lasso, .max_rounds = 3, .tolerance = 0.0};
    solve_category(problem, pulls_of_neighbours(problem.gamma2, alike), options, variants);
    solve_category(problem, pulls_of_neighbours(problem.gamma2, pairs), options, by_pairs);
    EXPECT_LT((variants - by_pairs).norm(), testing::kSolve * by_pairs.norm());
    const double value = category_value(problem, pairs, by_pairs);
    EXPECT_NEAR(category_value(problem, alike, by_pairs), value, testing::kSolve * std::abs(value));
  }
}

TEST_P(ComponentUpdate, SumsStandForTheDataExactly) {
  const Components& current = setting_.state.components;
  Components other = current;
  for (auto& variants : other)
    for (Matrix& a : variants) a = 0.7 * a.reverse();
  for (const Components& components : {current, other})
    EXPECT_NEAR(objective(setting_.design, setting_.penalties, setting_.statistics, components, {}).fit,
                value_from_data(setting_, components), testing::kSolve * setting_.statistics.energy);
}

// What the components put into missing entries is charged beside the fit, by the pass and from the sums
// alike.
TEST_P(ComponentUpdate, MissingEntriesAreWeakZeros) {
  double squares = 0;
  for (std::size_t m = 0; m < setting_.trials.n_trials(); ++m) {
    const Matrix model = loading(setting_.design, setting_.state.components,
                                 static_cast<std::size_t>(setting_.design.label_of_trial[m])) *
                         setting_.state.traces[m].transpose();
    squares += setting_.trials.values[m].array().isNaN().select(model, 0.0).squaredNorm();
  }
  const Objective by_sums =
      objective(setting_.design, setting_.penalties, setting_.statistics, setting_.state.components, {});
  const double tolerance = testing::kSolve * setting_.statistics.energy;
  EXPECT_NEAR(by_sums.ridge, setting_.penalties.missing * squares, tolerance);
  EXPECT_NEAR(setting_.statistics.objective.ridge, by_sums.ridge, tolerance);
  EXPECT_NEAR(setting_.statistics.objective.fit, by_sums.fit, tolerance);
}

// With linear and ridge terms of the scale removed by hand, the category's value changes as the data's value
// does.
TEST_P(ComponentUpdate, CategoryValueDiffersFromTheFitByThePenaltiesOnly) {
  const std::size_t k = 0;
  Penalties none = setting_.penalties;
  none.gamma3 = none.missing = 0;
  for (Matrix& g : none.gamma1) g.setZero();
  for (Vector& g : none.gamma2) g.setZero();
  const CategoryProblem problem = problem_of(setting_, none, k);
  Components moved = setting_.state.components;
  for (Matrix& a : moved[k]) a = 1.3 * a.reverse();
  const LabelGraph& ties = setting_.design.ties[k];
  const double by_sums = category_value(problem, ties, side_by_side(moved[k], kAll)) -
                         category_value(problem, ties, side_by_side(setting_.state.components[k], kAll));
  const double by_data =
      value_from_data(setting_, moved) - value_from_data(setting_, setting_.state.components);
  EXPECT_NEAR(by_sums, by_data, testing::kSolve * setting_.statistics.energy);
}

// Where the components have length one, what the update minimises falls as steeply as F does, in every
// direction, lengths included: a minimum of F is left alone.
TEST_P(ComponentUpdate, FallsAsSteeplyAsTheObjective) {
  // These variants are so far apart that more consistency than this is a multiple of what the data say.
  const Setting setting(std::get<0>(GetParam()), is_nonnegative_, std::min(0.01, std::get<2>(GetParam())),
                        static_cast<std::uint64_t>(std::get<3>(GetParam())));
  constexpr double kStep = 1e-6;
  Random random(7, 7);
  for (std::size_t k = 0; k < setting.design.n_categories(); ++k) {
    const LabelGraph& ties = setting.design.ties[k];
    const CategoryProblem problem = problem_of(setting, setting.penalties, k);
    Components ahead = setting.state.components, back = ahead;
    for (std::size_t i = 0; i < ahead[k].size(); ++i) {
      const Matrix direction = random.normal(ahead[k][i].rows(), ahead[k][i].cols());
      ahead[k][i] += kStep * direction;
      back[k][i] -= kStep * direction;
    }
    const auto F = [&](const Components& components) {
      return objective(setting.design, setting.penalties, setting.statistics, components, {}).total();
    };
    const double slope = (F(ahead) - F(back)) / (2 * kStep);
    const double slope_of_update = (category_value(problem, ties, side_by_side(ahead[k], kAll)) -
                                    category_value(problem, ties, side_by_side(back[k], kAll))) /
                                   (2 * kStep);
    EXPECT_NEAR(slope_of_update, slope, 1e-5 * (std::abs(slope) + setting.statistics.energy));
  }
}

TEST_P(ComponentUpdate, EveryRoundLowersItsValue) {
  const std::size_t k = 0;
  const LabelGraph& ties = setting_.design.ties[k];
  const CategoryProblem problem = problem_of(setting_, setting_.penalties, k);
  ComponentOptions one = exact_;
  one.max_rounds = 1;
  one.lasso.max_sweeps = 1;
  Matrix variants = side_by_side(setting_.state.components[k], kAll);
  double before = category_value(problem, ties, variants);
  for (int round = 0; round < 10; ++round) {
    solve_category(problem, pulls_of_neighbours(problem.gamma2, ties), one, variants);
    const double value = category_value(problem, ties, variants);
    EXPECT_LE(value, before + testing::kSolve * std::abs(before));
    before = value;
  }
}

TEST_P(ComponentUpdate, LowersTheObjectiveAtLengthOne) {
  const double before =
      objective(setting_.design, setting_.penalties, setting_.statistics, setting_.state.components, {})
          .total();
  const Components& current = setting_.state.components;
  const PenaltyValues penalty_values = penalty_values_of(setting_.design, current, 1);
  for (const int rounds : {1, 2, exact_.max_rounds}) {
    ComponentOptions options = exact_;
    options.max_rounds = rounds;
    const Components after = update_components(setting_.design, setting_.penalties, setting_.statistics,
                                               options, current, penalty_values);
    EXPECT_LT(objective(setting_.design, setting_.penalties, setting_.statistics, after, {}).total(), before)
        << rounds << " rounds";
  }
}

INSTANTIATE_TEST_SUITE_P(Random, ComponentUpdate,
                         ::testing::Combine(::testing::Values(0.0, 0.3), ::testing::Bool(),
                                            ::testing::Values(0.0, 0.1, 10.0), ::testing::Range(1, 4)));

TEST(Components, BecomeEqualVariantsWhenConsistencyIsHuge) {
  for (const bool is_nonnegative : {false, true}) {
    Setting setting(0.0, is_nonnegative, 1e9, 3);
    for (Matrix& g : setting.penalties.gamma1) g.setZero();
    setting.penalties.gamma3 = 0;
    const CategoryProblem problem = problem_of(setting, setting.penalties, 0);
    Matrix variants = side_by_side(setting.state.components[0], kAll);
    solve_category(problem, pulls_of_neighbours(problem.gamma2, setting.design.ties[0]),
                   {.lasso = {.is_nonnegative = is_nonnegative}, .max_rounds = 1000, .tolerance = 1e-12},
                   variants);
    // One matrix for all options: the lasso of the sums over options.
    Matrix G = Matrix::Zero(2, 2), R = Matrix::Zero(9, 2), shared = Matrix::Zero(9, 2);
    for (Index i = 0; i < problem.n_options(); ++i)
      G += problem.G.middleCols(2 * i, 2), R += problem.R.middleCols(2 * i, 2);
    lasso_rows(G, R, Vector::Zero(2), {.is_nonnegative = is_nonnegative, .tolerance = 1e-13}, shared);
    for (Index i = 0; i < problem.n_options(); ++i)
      EXPECT_LT((variants.middleCols(2 * i, 2) - shared).norm(), 1e-5 * shared.norm());
  }
}

// Variants one at a time hardly move where they are tied a thousand times more strongly than the data pull.
TEST(Components, TiedTightlyMoveTogetherInAFewRounds) {
  for (const bool is_nonnegative : {false, true}) {
    const Setting setting(0.0, is_nonnegative, 1e3, 3);
    const LabelGraph& ties = setting.design.ties[0];
    const CategoryProblem problem = problem_of(setting, setting.penalties, 0);
    const Pulls pulls = pulls_of_neighbours(problem.gamma2, ties);
    ComponentOptions options{.lasso = {.is_nonnegative = is_nonnegative, .tolerance = 1e-13},
                             .max_rounds = 3};
    // All variants alike: only a common movement can lower the value.
    Matrix variants = side_by_side(setting.state.components[0], kAll);
    for (Index i = 1; i < problem.n_options(); ++i) variants.middleCols(2 * i, 2) = variants.leftCols(2);
    const double before = category_value(problem, ties, variants);
    Matrix best = variants;
    ComponentOptions exact = options;
    exact.max_rounds = 10000;
    exact.tolerance = 1e-12;
    solve_category(problem, pulls, exact, best);
    const double lowest = category_value(problem, ties, best);
    ASSERT_LT(lowest, before);
    solve_category(problem, pulls, options, variants);
    EXPECT_LT(category_value(problem, ties, variants) - lowest, 0.2 * (before - lowest));
  }
}

TEST(Components, ComeCloserInMoreRoundsOverTheVariantsOfACategory) {
  const Setting setting(0.0, false, 0.05, 2);  // tied, but loosely
  const LabelGraph& ties = setting.design.ties[0];
  const CategoryProblem problem = problem_of(setting, setting.penalties, 0);
  double before = 1e300;
  for (const int rounds : {1, 2, 4}) {
    Matrix variants = side_by_side(setting.state.components[0], kAll);
    solve_category(problem, pulls_of_neighbours(problem.gamma2, ties),
                   {.lasso = {.tolerance = 1e-13, .max_sweeps = 1000}, .max_rounds = rounds, .tolerance = 0},
                   variants);
    const double value = category_value(problem, ties, variants);
    EXPECT_LT(value, before) << rounds << " rounds";
    before = value;
  }
}

// Without ties a category is solved in one go: what is left to gain lies between the categories.
TEST(Components, ComeCloserInMoreRoundsOverTheCategories) {
  const Setting setting(0.0, false, 0.0, 2);
  const PenaltyValues values = penalty_values_of(setting.design, setting.state.components, 1);
  double before = 1e300;
  for (const int rounds : {1, 2, 4}) {
    const Components after = update_components(
        setting.design, setting.penalties, setting.statistics,
        {.lasso = {.tolerance = 1e-13, .max_sweeps = 1000}, .max_rounds = rounds, .tolerance = 0},
        setting.state.components, values);
    const double value = objective(setting.design, setting.penalties, setting.statistics, after, {}).total();
    EXPECT_LT(value, before) << rounds << " rounds";
    before = value;
  }
}

}  // namespace
}  // namespace milcci
