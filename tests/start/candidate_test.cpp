// One candidate of the search: what it is dealt, what swaps mend, what it can do without.
#include "start/candidate.hpp"

#include <gtest/gtest.h>

#include "label_graphs/categories.hpp"
#include "loop/alternate.hpp"
#include "start/binned_design.hpp"
#include "start/dictionary.hpp"
#include "start/given_start.hpp"
#include "support/simulated_fit.hpp"
#include "support/tolerances.hpp"

namespace milcci {
namespace {

// A search over simulated trials whose components are known. `n_surplus` more are asked for in `choice`.
struct Known {
  Trials trials;
  FitOptions options;
  Design fine;
  ProgressCallback silent;
  SearchProgress progress{silent, 1};
  SearchProblem problem;
  Components truth;  // at length one; surplus components are zero

  explicit Known(int n_surplus = 0)
      : trials(simulate(testing::small_paper())),
        options(with_surplus(n_surplus)),
        fine(make_design(resolve_categories(options.categories, trials), trials.n_trials())),
        problem(make_problem()) {
    Start start = trials.truth->categories;
    for (Matrix& variant : start[1].variants) {
      variant.conservativeResize(Eigen::NoChange, 2 + n_surplus);
      variant.rightCols(n_surplus).setZero();
    }
    std::vector<std::string> warnings;
    truth = components_from(start, problem.design, trials.n_channels(), options, warnings);
  }

  Candidate candidate(const Components& components, int iterations = 30) const {
    Candidate result;
    result.state.components = components;
    continue_candidate(problem, options.sparsity, iterations, result);
    return result;
  }

 private:
  static FitOptions with_surplus(int n_surplus) {
    FitOptions options = testing::options_for(testing::small_paper());
    options.categories[1].n_components += n_surplus;
    options.threads = 1;
    return options;
  }
  SearchProblem make_problem() {
    TrialData pooled = TrialData(trials).pooled(fine.label_of_trial, 1024, 1);
    Moments moments(pooled);
    return {std::move(pooled), one_trial_per_label(fine), std::move(moments), options, progress};
  }
};

// Component a of the first category and b of the second change places, without their variants.
Components exchanged(const Components& truth, Index a, Index b) {
  Vector first = Vector::Zero(truth[0][0].rows()), second = first;
  for (const Matrix& variant : truth[0]) first += variant.col(a);
  for (const Matrix& variant : truth[1]) second += variant.col(b);
  Components components = truth;
  for (Matrix& variant : components[0]) variant.col(a) = second.normalized();
  for (Matrix& variant : components[1]) variant.col(b) = first.normalized();
  return components;
}

TEST(Candidate, FindsTheRightCategoriesBySwaps) {
  const Known known;
  for (const Index a : {0, 1})
    for (const Index b : {0, 1}) {
      Candidate candidate = known.candidate(exchanged(known.truth, a, b), 0);
      const double before = candidate.record.objective;
      ASSERT_LT(similarity(known.problem.design, known.truth, candidate.state.components).minCoeff(), 0.9);
      try_swaps(known.problem, 6, 60, candidate);
      EXPECT_LT(candidate.record.objective, 0.5 * before);
      EXPECT_GT(similarity(known.problem.design, known.truth, candidate.state.components).minCoeff(), 0.98);
    }
}

TEST(Candidate, IsLeftAloneBySwapsWhereItsCategoriesAreRight) {
  const Known known;
  Candidate candidate = known.candidate(known.truth);
  const double before = candidate.record.objective;
  try_swaps(known.problem, 6, 60, candidate);
  EXPECT_LE(candidate.record.objective, before);
  EXPECT_GT(similarity(known.problem.design, known.truth, candidate.state.components).minCoeff(), 0.98);
}

TEST(Candidate, MakesNoMoreSwapsThanItMay) {
  const Known known;
  Candidate candidate = known.candidate(exchanged(known.truth, 0, 0), 0);
  const Components before = candidate.state.components;
  try_swaps(known.problem, 0, 60, candidate);
  EXPECT_EQ(candidate.state.components, before);
}

TEST(Candidate, LetsGoOfACopyAndOfNothingElse) {
  const Known known(1);
  Components split = known.truth;
  for (Matrix& variant : split[1]) variant.col(2) = variant.col(0);
  Candidate candidate = known.candidate(split);
  EXPECT_TRUE(drop_redundant(known.problem, 1e-3, 30, 1, candidate));
  int n_dead = 0;
  for (const auto& variants : candidate.state.components)
    for (Index j = 0; j < variants[0].cols(); ++j) {
      bool is_dead = true;
      for (const Matrix& a : variants) is_dead &= a.col(j).isZero(0.0);
      n_dead += is_dead;
    }
  EXPECT_EQ(n_dead, 1);
  EXPECT_GT(similarity(known.problem.design, known.truth, candidate.state.components).minCoeff(), 0.98);
}

TEST(Candidate, KeepsComponentsItNeeds) {
  const Known known;
  Candidate candidate = known.candidate(known.truth);
  const Components before = candidate.state.components;
  EXPECT_FALSE(drop_redundant(known.problem, 1e-3, 30, 1, candidate));
  EXPECT_EQ(candidate.state.components, before);
}

TEST(Candidate, GainsMostByVariantsAlongTheCategoryOfEachComponent) {
  const Known known;
  Candidate candidate = known.candidate(known.truth);
  Monitor monitor;
  Statistics sums = alternate(known.problem.data, known.problem.design, known.problem.options,
                              {.max_iterations = 0}, candidate.state, monitor)
                        .statistics;
  const Matrix gain = own_gains(known.problem.design, std::move(sums), candidate.state.components);
  for (Index j = 0; j < 2; ++j) EXPECT_GT(gain(j, 0), gain(j, 1));
  for (Index j = 2; j < 4; ++j) EXPECT_GT(gain(j, 1), gain(j, 0));
}

TEST(Candidate, IsTheSameFromTheSameStreamAndAnotherFromTheNext) {
  const Known known;
  const Candidate a = first_candidate(known.problem, 3, 5), b = first_candidate(known.problem, 3, 5),
                  c = first_candidate(known.problem, 4, 5);
  EXPECT_EQ(a.state.components, b.state.components);
  EXPECT_NE(a.state.components, c.state.components);
  EXPECT_EQ(a.record.stream, 3u);
  EXPECT_GT(a.record.objective, 0.0);
}

TEST(Similarity, IgnoresTheOrderWithinACategoryAndTakesDeadForDead) {
  const Known known(1);
  Components turned = known.truth;
  for (Matrix& variant : turned[0]) variant.col(0).swap(variant.col(1));
  for (Matrix& variant : turned[1]) variant.col(2).swap(variant.col(0));
  const Vector same = similarity(known.problem.design, known.truth, turned);
  EXPECT_EQ(same.size(), 5);
  EXPECT_GT(same.minCoeff(), 1.0 - testing::kSolve);
  for (Matrix& variant : turned[1]) variant.col(0) = variant.col(1);  // no dead one any more
  EXPECT_LT(similarity(known.problem.design, known.truth, turned).minCoeff(), testing::kSolve);
}

}  // namespace
}  // namespace milcci
