// One candidate of the search: what it begins with, and what it can do without.
#include "start/candidate.hpp"

#include <gtest/gtest.h>

#include "loop/alternate.hpp"
#include "support/known_search.hpp"
#include "support/tolerances.hpp"

namespace milcci {
namespace {

using testing::KnownSearch;

TEST(Candidate, LetsGoOfACopyAndOfNothingElse) {
  const KnownSearch known(1);
  Components split = known.truth;
  for (Matrix& variant : split[1]) variant.col(2) = variant.col(0);
  Candidate candidate = known.candidate(split);
  EXPECT_TRUE(drop_redundant(known.problem, 1e-3 * known.problem.data.variation(), 30, 1, candidate));
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
  const KnownSearch known;
  Candidate candidate = known.candidate(known.truth);
  const Components before = candidate.state.components;
  EXPECT_FALSE(drop_redundant(known.problem, 1e-3 * known.problem.data.variation(), 30, 1, candidate));
  EXPECT_EQ(candidate.state.components, before);
}

TEST(Candidate, GainsMostByVariantsAlongTheCategoryOfEachComponent) {
  const KnownSearch known;
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
  const KnownSearch known;
  const Candidate a = first_candidate(known.problem, 3, 5), b = first_candidate(known.problem, 3, 5),
                  c = first_candidate(known.problem, 4, 5);
  EXPECT_EQ(a.state.components, b.state.components);
  EXPECT_NE(a.state.components, c.state.components);
  EXPECT_EQ(a.record.stream, 3u);
  EXPECT_GT(a.record.objective, 0.0);
}

// Two components that nearly cancel, and all signs free: by weights frozen where it began, F would fall
// while it rises by those of the state.
TEST(Candidate, NeverEndsHigherThanItBeganWhereSignsAreFree) {
  KnownSearch known;
  known.problem.options.nonnegative = NonNegative::none;
  for (const Index first : {0, 1}) {
    Candidate candidate = known.candidate(known.truth, 0);
    for (Matrix& variant : candidate.state.components[0]) {
      variant.col(first) = (variant.col(0) + 0.2 * variant.col(1)).normalized();
      variant.col(1 - first) = (variant.col(0) - 0.2 * variant.col(1)).normalized();
    }
    continue_candidate(known.problem, 0.01, 0, candidate);
    for (int round = 0; round < 6; ++round) {
      const double before = candidate.record.objective;
      continue_candidate(known.problem, 0.01, 10, candidate);
      EXPECT_LE(candidate.record.objective, before * (1.0 + testing::kSolve));
    }
  }
}

TEST(Similarity, ComparesOptionByOptionWhereNothingTiesThem) {
  const KnownSearch known;
  Components turned = known.truth;
  turned[0][0].col(0).swap(turned[0][0].col(1));  // under one option
  EXPECT_LT(similarity(known.problem.design, known.truth, turned).minCoeff(), 0.999);
  Design design = known.problem.design;
  design.categories[0].spec.kind = CategoryKind::free;
  EXPECT_GT(similarity(design, known.truth, turned).minCoeff(), 1.0 - testing::kSolve);
}

TEST(Similarity, IgnoresTheOrderWithinACategoryAndTakesDeadForDead) {
  const KnownSearch known(1);
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
