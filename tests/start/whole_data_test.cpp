// What the whole data decide: between answers, and whether dropped components are needed after all.
#include "start/whole_data.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/known_search.hpp"

namespace milcci {
namespace {

using testing::KnownSearch;

struct Deciding {
  KnownSearch known;
  TrialData data{known.trials};
  WholeProblem whole{data, known.fine, known.options};

  Answer answer(const Components& components, double behind, double similarity) const {
    Answer result;
    result.settled = known.candidate(components, 0);
    result.settled.record.behind = behind;
    result.settled.record.similarity = similarity;
    result.is_dropped.assign(4, false);
    return result;
  }
  // One component of `difficulty` is a copy of the other.
  Components wrong() const {
    Components components = known.truth;
    for (Matrix& variant : components[0]) variant.col(1) = variant.col(0);
    return components;
  }
  Components without(Index j) const {
    Components components = known.truth;
    set_component(known.problem.design, j, Vector::Zero(30), components);
    return components;
  }
  bool decides_against_the_first(double behind, double similarity, bool has_dropped = false) {
    std::vector<Answer> answers{answer(wrong(), 0, 1), answer(known.truth, behind, similarity)};
    answers[1].is_dropped[0] = has_dropped;
    return &decide_on_data(whole, known.progress, answers) == &answers[1];
  }
};

TEST(WholeData, DecideBetweenAnswersThatDifferAndAreClose) {
  Deciding deciding;
  EXPECT_TRUE(deciding.decides_against_the_first(0.05, 0.7));
  EXPECT_FALSE(deciding.decides_against_the_first(0.2, 0.7));         // has lost already
  EXPECT_FALSE(deciding.decides_against_the_first(0.05, 0.99));       // the same answer
  EXPECT_FALSE(deciding.decides_against_the_first(0.05, 0.7, true));  // of fewer components
}

TEST(WholeData, LeaveTheFirstAnswerWhereItFitsBest) {
  Deciding deciding;
  std::vector<Answer> answers{deciding.answer(deciding.known.truth, 0, 1),
                              deciding.answer(deciding.wrong(), 0.05, 0.7)};
  EXPECT_EQ(&decide_on_data(deciding.whole, deciding.known.progress, answers), &answers[0]);
}

TEST(WholeData, ReviveAComponentThatIsNeeded) {
  const Deciding deciding;
  for (const Index j : {0, 3}) {
    Answer answer = deciding.answer(deciding.without(j), 0, 1);
    answer.settled = deciding.known.candidate(answer.settled.state.components, 30);
    answer.is_dropped[static_cast<std::size_t>(j)] = true;
    const Vector gain = revive(deciding.known.problem, deciding.whole, patience(Effort::normal), 1, answer);
    EXPECT_EQ(n_dropped(answer), 0);
    EXPECT_TRUE(std::isnan(gain(j)));
    EXPECT_TRUE(answer.is_examined);
    const Components& found = answer.settled.state.components;
    EXPECT_GT(similarity(deciding.known.problem.design, deciding.known.truth, found).minCoeff(), 0.95);
  }
}

// Without it R2 is lower by more than this, but not by as much as is asked for.
TEST(WholeData, TellHowLittleAComponentWouldAdd) {
  Deciding deciding;
  deciding.known.problem.options.redundancy = 0.9;
  Answer answer = deciding.answer(deciding.without(3), 0, 1);
  answer.settled = deciding.known.candidate(answer.settled.state.components, 30);
  answer.is_dropped[3] = true;
  const Components before = answer.settled.state.components;
  const Vector gain = revive(deciding.known.problem, deciding.whole, patience(Effort::normal), 1, answer);
  EXPECT_EQ(n_dropped(answer), 1);
  EXPECT_EQ(answer.settled.state.components, before);
  EXPECT_GT(gain(3), 0.001);
  EXPECT_LT(gain(3), 0.9);
  for (const Index j : {0, 1, 2}) EXPECT_TRUE(std::isnan(gain(j)));  // alive
}

TEST(WholeData, ReviveNothingWhereAllIsToBeKept) {
  Deciding deciding;
  deciding.known.problem.options.redundancy = 0;
  Answer answer = deciding.answer(deciding.without(3), 0, 1);
  const Components before = answer.settled.state.components;
  revive(deciding.known.problem, deciding.whole, patience(Effort::normal), 1, answer);
  EXPECT_EQ(answer.settled.state.components, before);
}

}  // namespace
}  // namespace milcci
