// What other answers say of an answer's components.
#include "start/certainty.hpp"

#include <gtest/gtest.h>

#include "support/known_search.hpp"

namespace milcci {
namespace {

using testing::KnownSearch;

Rival rival(std::initializer_list<double> similarity) {
  Rival result;
  result.similarity = Eigen::Map<const Vector>(similarity.begin(), static_cast<Index>(similarity.size()));
  return result;
}

TEST(Certainty, IsFirmWithoutRivals) {
  EXPECT_EQ(judge_components(2, {}), (std::vector{Certainty::firm, Certainty::firm}));
}

TEST(Certainty, FollowsFromHowManyRivalsDoWithoutTheComponent) {
  const std::vector<Rival> rivals = {rival({0.99, 0.5, 0.99}), rival({0.95, 0.2, 0.4}),
                                     rival({1, 0.1, 0.91})};
  EXPECT_EQ(judge_components(3, rivals),
            (std::vector{Certainty::firm, Certainty::unstable, Certainty::alternative}));
  EXPECT_EQ(judge_components(3, {rivals[0]}),  // one rival alone is an alternative
            (std::vector{Certainty::firm, Certainty::alternative, Certainty::firm}));
}

// Two components of `difficulty` become one and the same under every option.
Components with_a_copy(Components components) {
  for (Matrix& variant : components[0]) variant.col(1) = variant.col(0);
  return components;
}

TEST(Rivals, AreAnswersThatDifferAndAreAboutAsGood) {
  const KnownSearch known;
  const Candidate winner = known.candidate(known.truth);
  Candidate other = known.candidate(with_a_copy(known.truth), 0);
  other.record.objective = 1.005 * winner.record.objective;  // as if the data could not tell
  const std::vector<Rival> rivals = find_rivals(known.problem, winner, {winner, other, other});
  ASSERT_EQ(rivals.size(), 1u);  // not the winner itself, and each answer once
  EXPECT_NEAR(rivals[0].behind, 0.005, 1e-9);
  EXPECT_LT(rivals[0].similarity.head(2).minCoeff(), 0.9);
  EXPECT_GT(rivals[0].similarity.tail(2).minCoeff(), 0.9);
}

TEST(Rivals, AreNotAnswersThatDoMuchWorse) {
  const KnownSearch known;
  const Candidate winner = known.candidate(known.truth, 60);
  Candidate other = known.candidate(with_a_copy(known.truth), 0);
  other.record.objective = 3 * winner.record.objective;
  EXPECT_TRUE(find_rivals(known.problem, winner, {other}).empty());
}

TEST(Rivals, HaveTheirComponentsInTheWinnersPlaces) {
  const KnownSearch known;
  const Candidate winner = known.candidate(known.truth);
  Components turned = with_a_copy(known.truth);
  for (Matrix& variant : turned[1]) variant.col(0).swap(variant.col(1));
  Candidate other = known.candidate(turned, 0);
  other.record.objective = winner.record.objective;
  const std::vector<Rival> rivals = find_rivals(known.problem, winner, {other});
  ASSERT_EQ(rivals.size(), 1u);
  for (Index j = 0; j < 2; ++j)
    EXPECT_GT(rivals[0].components[1][0].col(j).dot(winner.state.components[1][0].col(j)), 0.9);
}

}  // namespace
}  // namespace milcci
