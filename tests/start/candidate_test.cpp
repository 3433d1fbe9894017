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
  const KnownSearch known;
  Candidate candidate = known.candidate(known.truth);
  const Components before = candidate.state.components;
  EXPECT_FALSE(drop_redundant(known.problem, 1e-3, 30, 1, candidate));
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
