// Components are put in the order of their traces where memberships do not tell it, and nowhere else.
#include "start/align_by_traces.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "label_graphs/categories.hpp"
#include "util/columns.hpp"
#include "util/random.hpp"

namespace milcci {
namespace {

constexpr int kOptions = 3, kTrials = 24;
constexpr Index kChannels = 60;

// One category of independent variants. Component j's trace is a wave of its own in all trials;
// those past `n_waves` do something else in every trial.
struct Strangers {
  Design design;
  State state;

  explicit Strangers(Index p, Index n_waves) {
    Trials trials;
    LabelColumn::Integers side;
    Random random(11, 0);
    for (int m = 0; m < kTrials; ++m) {
      const Index n_times = 40 + m;
      trials.values.push_back(random.normal(kChannels, n_times));
      side.push_back(m % kOptions);
      Matrix traces = 0.2 * random.normal(n_times, p);
      for (Index j = 0; j < p; ++j)
        for (Index t = 0; t < n_times; ++t)
          traces(t, j) +=
              j < n_waves ? std::sin(static_cast<double>((j + 2) * t * 3) / static_cast<double>(n_times - 1))
                          : random.normal();
      state.traces.push_back(traces);
    }
    for (int n = 0; n < kChannels; ++n) trials.channel_names.push_back(fmt::format("c{}", n));
    trials.labels = {{"side", side}};
    design = make_design(resolve_categories({{.name = "side", .n_components = static_cast<int>(p)}}, trials),
                         trials.n_trials());
    state.components.emplace_back();
    for (int i = 0; i < kOptions; ++i) {
      state.components[0].push_back(random.normal(kChannels, p));
      normalise_columns(state.components[0].back());
    }
  }

  int option(std::size_t m) const {
    return design.labels[static_cast<std::size_t>(design.label_of_trial[m])][0];
  }
  void trade(int option_, Index a, Index b) {
    auto& variant = state.components[0][static_cast<std::size_t>(option_)];
    variant.col(a).swap(variant.col(b));
    for (std::size_t m = 0; m < state.traces.size(); ++m)
      if (option(m) == option_) state.traces[m].col(a).swap(state.traces[m].col(b));
  }
  void turn(int option_, Index j) {
    state.components[0][static_cast<std::size_t>(option_)].col(j) *= -1.0;
    for (std::size_t m = 0; m < state.traces.size(); ++m)
      if (option(m) == option_) state.traces[m].col(j) *= -1.0;
  }
};

void expect_same(const State& a, const State& b) {
  EXPECT_EQ(a.components, b.components);
  EXPECT_EQ(a.traces, b.traces);
}

TEST(AlignByTraces, UndoesTradesThatMembershipsDoNotTell) {
  Strangers problem(3, 3);
  const State right = problem.state;
  EXPECT_FALSE(align_by_traces(problem.design, false, problem.state));
  expect_same(problem.state, right);
  problem.trade(1, 0, 2);
  problem.trade(2, 0, 1);
  problem.trade(2, 1, 2);
  EXPECT_TRUE(align_by_traces(problem.design, false, problem.state));
  expect_same(problem.state, right);
  EXPECT_TRUE(do_traces_tell(problem.design, false, problem.state, 0));
}

TEST(AlignByTraces, TurnsSignsOnlyWhereTheyAreFree) {
  Strangers problem(3, 3);
  const State right = problem.state;
  problem.turn(2, 1);
  const State turned = problem.state;
  align_by_traces(problem.design, false, problem.state);
  expect_same(problem.state, turned);
  EXPECT_TRUE(align_by_traces(problem.design, true, problem.state));
  expect_same(problem.state, right);
}

TEST(AlignByTraces, ToldByAllOthersTheLastComponentIsTold) {
  Strangers problem(3, 2);
  const State right = problem.state;
  problem.trade(1, 0, 2);
  EXPECT_TRUE(align_by_traces(problem.design, false, problem.state));
  expect_same(problem.state, right);
  EXPECT_TRUE(do_traces_tell(problem.design, false, problem.state, 0));
}

TEST(AlignByTraces, LeavesComponentsAloneThatNothingIsToldOf) {
  Strangers problem(4, 2);
  const State right = problem.state;
  problem.trade(1, 0, 1);
  EXPECT_TRUE(align_by_traces(problem.design, false, problem.state));
  expect_same(problem.state, right);
  EXPECT_FALSE(do_traces_tell(problem.design, false, problem.state, 0));
}

TEST(AlignByTraces, LeavesTheOrderAloneWhereTracesAreAmbiguous) {
  Strangers without_mean(3, 0), alike(3, 3);
  for (Matrix& traces : alike.state.traces)
    for (Index j = 1; j < 3; ++j) traces.col(j) = 0.1 * traces.col(j) + traces.col(0);
  for (Strangers* problem : {&without_mean, &alike}) {
    problem->trade(1, 0, 2);
    const State before = problem->state;
    EXPECT_FALSE(align_by_traces(problem->design, false, problem->state));
    expect_same(problem->state, before);
    EXPECT_FALSE(do_traces_tell(problem->design, false, problem->state, 0));
  }
}

TEST(AlignByTraces, LeavesTheOrderAloneWhereMembershipsTellIt) {
  Strangers problem(3, 3);
  problem.trade(1, 0, 2);
  for (Matrix& variant : problem.state.components[0]) variant = problem.state.components[0][0];
  const State before = problem.state;
  EXPECT_FALSE(align_by_traces(problem.design, false, problem.state));
  expect_same(problem.state, before);
}

TEST(AlignByTraces, TakesASingleTrialAsNoEvidence) {
  Strangers problem(2, 2);
  std::vector<Matrix>& traces = problem.state.traces;
  for (std::size_t m = 0; m < traces.size(); ++m)  // option 1 has one trial left
    if (problem.option(m) == 1 && m > 1) problem.design.label_of_trial[m] = problem.design.label_of_trial[0];
  problem.trade(1, 0, 1);
  const State before = problem.state;
  EXPECT_FALSE(align_by_traces(problem.design, false, problem.state));
  expect_same(problem.state, before);
}

}  // namespace
}  // namespace milcci
