// Which of two answers is better, and how they are ranked.
#include "start/answers.hpp"

#include <gtest/gtest.h>

#include "support/known_search.hpp"

namespace milcci {
namespace {

using testing::KnownSearch;

// With this F and with `lost` of the redundancy more squared error than none.
Answer answer(const KnownSearch& known, double F, double lost, std::initializer_list<Index> dead = {}) {
  Answer result;
  result.settled.state.components = known.truth;
  result.settled.record.objective = F;
  result.squared_error = 10 + lost * kDefaultRedundancy * known.problem.data.variation();
  result.is_dropped.assign(4, false);
  for (const Index j : dead) {
    set_component(known.problem.design, j, Vector::Zero(30), result.settled.state.components);
    result.is_dropped[static_cast<std::size_t>(j)] = true;
  }
  return result;
}

TEST(Answers, WithLowerFAreBetter) {
  const KnownSearch known;
  EXPECT_TRUE(is_better(known.problem, answer(known, 1, 0), answer(known, 2, 0)));
  EXPECT_FALSE(is_better(known.problem, answer(known, 2, 0), answer(known, 1, 0)));
  EXPECT_TRUE(is_better(known.problem, answer(known, 1, 5), answer(known, 2, 0)));  // errors do not count
}

TEST(Answers, WithFewerComponentsAreBetterIfTheyFitAboutAsWell) {
  const KnownSearch known;
  const Answer all = answer(known, 1, 0);
  EXPECT_TRUE(is_better(known.problem, answer(known, 2, 0.9, {1}), all));
  EXPECT_FALSE(is_better(known.problem, all, answer(known, 2, 0.9, {1})));
  EXPECT_FALSE(is_better(known.problem, answer(known, 2, 1.1, {1}), all));
  EXPECT_TRUE(is_better(known.problem, all, answer(known, 2, 1.1, {1})));
  EXPECT_TRUE(is_better(known.problem, answer(known, 0.9, 1.1, {1}), all));  // by F, then
}

TEST(Answers, AreRankedByFWithTheBestFirst) {
  const KnownSearch known;
  std::vector<Answer> answers{answer(known, 3, 0), answer(known, 1, 0), answer(known, 2, 0.5, {0})};
  rank(known.problem, answers);
  std::vector<double> F;
  for (const Answer& a : answers) F.push_back(a.settled.record.objective);
  EXPECT_EQ(F, (std::vector<double>{2, 1, 3}));
  EXPECT_EQ(answers[0].settled.record.behind, 0.0);
  EXPECT_DOUBLE_EQ(answers[2].settled.record.behind, 0.5);
  EXPECT_EQ(answers[0].settled.record.similarity, 1.0);
  EXPECT_LT(answers[1].settled.record.similarity, 0.8);  // it has one component more
}

// Each is within the redundancy of the one before, but the last one has lost almost twice as much.
TEST(Answers, LoseNoMoreThanTheRedundancyHoweverManyThereAre) {
  const KnownSearch known;
  std::vector<Answer> answers{answer(known, 1, 0), answer(known, 2, 0.9, {0}), answer(known, 3, 1.8, {0, 1})};
  rank(known.problem, answers);
  EXPECT_EQ(n_dropped(answers[0]), 1);
}

TEST(Answers, AreConfirmedByStartsThatFoundTheirParts) {
  const KnownSearch known;
  const Patience normal = patience(Effort::normal);
  const auto start_without = [&](std::initializer_list<Index> lost) {
    return answer(known, 1, 0, lost).settled;
  };
  Answers answers{.all = {answer(known, 1, 0)},
                  .starts = {start_without({0}), start_without({1}), start_without({})}};
  EXPECT_FALSE(is_confirmed(known.problem, normal, answers));  // found once
  answers.all[0].times_found = 2;
  EXPECT_TRUE(is_confirmed(known.problem, normal, answers));
  answers.starts[2] = start_without({0});  // now the second start alone has it
  EXPECT_FALSE(is_confirmed(known.problem, normal, answers));
  answers.all[0] = answer(known, 1, 0, {0});  // which does not matter where it is dead
  answers.all[0].times_found = 2;
  EXPECT_TRUE(is_confirmed(known.problem, normal, answers));
}

TEST(Answers, KeepTheNeighboursOfTheBestOneOnly) {
  KnownSearch known;
  known.problem.options.restarts = 4;
  known.problem.options.candidates = 4;
  const Answers answers = find_answers(known.problem, patience(Effort::quick), 1);
  for (std::size_t i = 1; i < answers.all.size(); ++i) EXPECT_TRUE(answers.all[i].neighbours.empty());
}

TEST(Answers, AreExaminedIfMovesEndedByThemselves) {
  const KnownSearch known;
  Answer right;
  right.settled = known.candidate(known.truth, 60);
  examine(known.problem, patience(Effort::normal), 1, right);
  EXPECT_TRUE(right.is_examined);
  EXPECT_FALSE(right.neighbours.empty());
  Patience none = patience(Effort::normal);
  none.move_rounds = 0;
  examine(known.problem, none, 1, right);
  EXPECT_FALSE(right.is_examined);
}

}  // namespace
}  // namespace milcci
