// Moves between categories and regrowth: what they mend, and what they leave alone.
#include "start/moves.hpp"

#include <gtest/gtest.h>

#include "support/known_search.hpp"

namespace milcci {
namespace {

using testing::KnownSearch;

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

double worst_similarity(const KnownSearch& known, const Candidate& candidate) {
  return similarity(known.problem.design, known.truth, candidate.state.components).minCoeff();
}

TEST(Moves, AreAllSwapsBetweenCategoriesAndARegrowthOfEveryLivingComponent) {
  const KnownSearch known(1);  // 2 and 3 components, the last one dead
  const Candidate candidate = known.candidate(known.truth, 0);
  int n_swaps = 0, n_regrowths = 0;
  for (const Move& move : possible_moves(known.problem, candidate)) {
    EXPECT_NE(move.first, 4);
    EXPECT_NE(move.second, 4);
    if (move.second < 0) {
      ++n_regrowths;
      continue;
    }
    ++n_swaps;
    EXPECT_LT(move.first, 2);
    EXPECT_GE(move.second, 2);
  }
  EXPECT_EQ(n_swaps, 4);
  EXPECT_EQ(n_regrowths, 4);
}

TEST(Moves, FindTheRightCategories) {
  const KnownSearch known;
  for (const Index a : {0, 1})
    for (const Index b : {0, 1}) {
      Candidate candidate = known.candidate(exchanged(known.truth, a, b), 60);
      const double before = candidate.record.objective;
      ASSERT_LT(worst_similarity(known, candidate), 0.9);
      improve_by_moves(known.problem, 6, 1, candidate);
      EXPECT_LT(candidate.record.objective, 0.7 * before);
      EXPECT_GT(worst_similarity(known, candidate), 0.98);
    }
}

TEST(Moves, PartTwoComponentsThatOneHasAbsorbed) {
  const KnownSearch known;
  // The first component of `choice` holds both; the second is a copy of one of `difficulty`.
  Components components = known.truth;
  for (std::size_t i = 0; i < components[1].size(); ++i) {
    Matrix& variant = components[1][i];
    variant.col(0) = (variant.col(0) + variant.col(1)).normalized();
    variant.col(1) = components[0][0].col(0);
  }
  Candidate candidate = known.candidate(components, 60);
  ASSERT_LT(worst_similarity(known, candidate), 0.9);
  improve_by_moves(known.problem, 6, 1, candidate);
  EXPECT_GT(worst_similarity(known, candidate), 0.98);
}

TEST(Moves, LeaveTheRightAnswerAloneAndTellOfThoseNextToIt) {
  const KnownSearch known;
  Candidate candidate = known.candidate(known.truth, 60);
  const double before = candidate.record.objective;
  const std::vector<Neighbour> neighbours = improve_by_moves(known.problem, 6, 1, candidate);
  EXPECT_LE(candidate.record.objective, before);
  EXPECT_GT(worst_similarity(known, candidate), 0.98);
  ASSERT_FALSE(neighbours.empty());
  for (const Neighbour& neighbour : neighbours)
    EXPECT_GT(neighbour.candidate.record.objective, 0.999 * candidate.record.objective);
}

TEST(Moves, AreNoMoreThanAllowed) {
  const KnownSearch known;
  Candidate candidate = known.candidate(exchanged(known.truth, 0, 0), 0);
  const Components before = candidate.state.components;
  EXPECT_TRUE(improve_by_moves(known.problem, 0, 1, candidate).empty());
  EXPECT_EQ(candidate.state.components, before);
}

TEST(Moves, AreTheSameForAnyNumberOfThreads) {
  const KnownSearch known;
  const Candidate wrong = known.candidate(exchanged(known.truth, 0, 1), 10);
  Candidate one = wrong, three = wrong;
  improve_by_moves(known.problem, 6, 1, one);
  improve_by_moves(known.problem, 6, 3, three);
  EXPECT_EQ(one.state.components, three.state.components);
}

TEST(Moves, PursuedNeighboursThatAreBetterTakeTheCandidatesPlace) {
  const KnownSearch known;
  Candidate wrong = known.candidate(exchanged(known.truth, 0, 1), 60);
  const Components before = wrong.state.components;
  std::vector<Neighbour> neighbours{{{0, 3}, known.candidate(known.truth, 60)}};
  pursue_all(known.problem, 1, neighbours, wrong);
  EXPECT_GT(worst_similarity(known, wrong), 0.98);
  ASSERT_EQ(neighbours.size(), 1u);
  EXPECT_EQ(neighbours[0].candidate.state.components, before);
}

}  // namespace
}  // namespace milcci
