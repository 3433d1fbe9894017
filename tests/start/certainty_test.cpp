// What other answers say of an answer's components.
#include "start/certainty.hpp"

#include <gtest/gtest.h>

#include <cmath>

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

// ||A Phi - A' Phi'|| over all trials.
double distance(const SearchProblem& problem, const State& a, const State& b) {
  double squares = 0;
  for (std::size_t l = 0; l < problem.data.n_trials(); ++l)
    squares += (loading(problem.design, a.components, l) * a.traces[l].transpose() -
                loading(problem.design, b.components, l) * b.traces[l].transpose())
                   .squaredNorm();
  return std::sqrt(squares);
}

// Twice the standard deviation 2 sigma ||D|| of what noise does to the lead, and a hundredth of F.
TEST(Rivals, MayBeBehindByWhatNoiseExplains) {
  const KnownSearch known;
  const Candidate winner = known.candidate(known.truth, 60);
  Candidate other = known.candidate(with_a_copy(known.truth), 0);
  State state = winner.state, other_state = other.state;
  const double squared_error = judge(known.problem, state).objective.fit;
  judge(known.problem, other_state);
  double n_values = 0;
  for (std::size_t l = 0; l < known.problem.data.n_trials(); ++l)
    n_values += 30.0 * static_cast<double>(known.problem.data.n_times(l));
  const double sigma = std::sqrt(squared_error / n_values), F = winner.record.objective;
  const double noise = 4.0 * sigma * distance(known.problem, state, other_state);
  ASSERT_GT(noise, 0.003 * F);  // so that this term is seen
  other.state = other_state;
  other.record.objective = F + 0.01 * F + 0.98 * noise;
  EXPECT_EQ(find_rivals(known.problem, winner, {other}).size(), 1u);
  other.record.objective = F + 0.01 * F + 1.02 * noise;
  EXPECT_EQ(find_rivals(known.problem, winner, {other}).size(), 0u);
}

TEST(Rivals, ComeBestFirst) {
  const KnownSearch known;
  const Candidate winner = known.candidate(known.truth);
  const auto lacking = [&](Index j, double behind) {
    Components components = known.truth;
    set_component(known.problem.design, j, Vector::Zero(30), components);
    Candidate candidate = known.candidate(components, 0);
    candidate.record.objective = (1.0 + behind) * winner.record.objective;
    return candidate;
  };
  const std::vector<Rival> rivals = find_rivals(
      known.problem, winner, {lacking(0, 0.006), lacking(1, 0.002), lacking(2, 0.009), lacking(3, 0.004)});
  ASSERT_EQ(rivals.size(), 4u);
  const Index lacks[] = {1, 3, 0, 2};
  for (std::size_t r = 0; r < 4; ++r) {
    if (r > 0) {
      EXPECT_GT(rivals[r].behind, rivals[r - 1].behind);
    }
    for (Index j = 0; j < 4; ++j) EXPECT_EQ(rivals[r].similarity(j) < 0.9, j == lacks[r]);
  }
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
