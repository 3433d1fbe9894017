// Scale moved from components to traces: what the model says stays, in space and in time.
#include "loop/normalise.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/loop_problem.hpp"
#include "support/tolerances.hpp"

namespace milcci {
namespace {

// Components of any length with one dead variant, random traces and transitions.
struct Unscaled : testing::LoopProblem {
  explicit Unscaled(std::size_t n_trials = 14) : LoopProblem({.n_trials = n_trials, .seed = 4}) {
    Random random(5, 5);
    for (const Matrix& y : trials.values) {
      state.traces.push_back(random.normal(y.cols(), design.n_components()));
      state.transitions.push_back(random.normal(design.n_components(), design.n_components()));
    }
    for (auto& variants : state.components)
      for (Matrix& a : variants)
        for (Index j = 0; j < a.cols(); ++j) a.col(j) *= random.uniform(0.1, 5.0);
    state.components[0][1].col(1).setZero();
  }
  std::size_t label(std::size_t m) const { return static_cast<std::size_t>(design.label_of_trial[m]); }
};

class Normalise : public ::testing::TestWithParam<Scale> {
 protected:
  Unscaled problem_;
  const State before_ = problem_.state;
};

TEST_P(Normalise, GivesEveryVariantItsSizeAndLeavesDeadOnesDead) {
  normalise(problem_.design, GetParam(), problem_.state);
  for (const auto& [k, i] : problem_.design.variants)
    for (Index j = 0; j < problem_.design.n_components(k); ++j) {
      const auto a = problem_.state.components[k][i].col(j);
      const double size = GetParam() == Scale::length_one ? a.norm() : a.lpNorm<1>();
      EXPECT_NEAR(size, before_.components[k][i].col(j).isZero(0.0) ? 0.0 : 1.0, testing::kExact);
    }
}

TEST_P(Normalise, KeepsTheFit) {
  normalise(problem_.design, GetParam(), problem_.state);
  for (std::size_t m = 0; m < before_.traces.size(); ++m) {
    const std::size_t l = problem_.label(m);
    const Matrix said = loading(problem_.design, before_.components, l) * before_.traces[m].transpose();
    const Matrix now =
        loading(problem_.design, problem_.state.components, l) * problem_.state.traces[m].transpose();
    EXPECT_LT((now - said).norm(), testing::kExact * said.norm());
  }
}

// phi_t - W phi_{t-1}, trace by trace, grows by what the trace itself grows by.
TEST_P(Normalise, TurnsTheTransitionsWithTheTraces) {
  for (Matrix& phi : problem_.state.traces) phi.col(1).setZero();  // so that the dead one foretold nothing
  const State before = problem_.state;
  Components scaled = before.components;
  const std::vector<Matrix> size = normalise_components(problem_.design, GetParam(), scaled);
  normalise(problem_.design, GetParam(), problem_.state);
  for (std::size_t m = 0; m < before.traces.size(); ++m) {
    const Vector factor = sizes_of_label(problem_.design, size, problem_.label(m));
    const Matrix foretold = before.traces[m] * before.transitions[m].transpose() * factor.asDiagonal();
    const Matrix now = problem_.state.traces[m] * problem_.state.transitions[m].transpose();
    for (Index j = 0; j < factor.size(); ++j)
      EXPECT_LT((now.col(j) - foretold.col(j)).norm(), testing::kSolve * (1 + foretold.norm()));
  }
}

TEST_P(Normalise, GivesADeadTraceTheTransitionOfTheIdentity) {
  normalise(problem_.design, GetParam(), problem_.state);
  int n_dead = 0;
  for (std::size_t m = 0; m < before_.traces.size(); ++m) {
    if (problem_.design.labels[problem_.label(m)][0] != 1) continue;
    const Matrix& W = problem_.state.transitions[m];
    EXPECT_EQ(W.row(1), Matrix::Identity(3, 3).row(1));
    EXPECT_EQ(W.col(1), Matrix::Identity(3, 3).col(1));
    EXPECT_TRUE(problem_.state.traces[m].col(1).isZero(0.0));
    ++n_dead;
  }
  EXPECT_GT(n_dead, 0);
}

TEST_P(Normalise, ReturnsTheSizesItDividedBy) {
  Components scaled = before_.components;
  const std::vector<Matrix> size = normalise_components(problem_.design, GetParam(), scaled);
  for (const auto& [k, i] : problem_.design.variants) {
    const Matrix back = scaled[k][i] * size[k].col(static_cast<Index>(i)).asDiagonal();
    EXPECT_LT((back - before_.components[k][i]).norm(), testing::kExact * (1 + back.norm()));
  }
}

TEST_P(Normalise, GivesTheSameBitsForAnyNumberOfThreads) {
  normalise(problem_.design, GetParam(), problem_.state);
  for (const int threads : {2, 3, 7}) {
    State state = before_;
    normalise(problem_.design, GetParam(), state, threads);
    EXPECT_EQ(state.components, problem_.state.components);
    EXPECT_EQ(state.traces, problem_.state.traces);
    EXPECT_EQ(state.transitions, problem_.state.transitions);
  }
}

INSTANTIATE_TEST_SUITE_P(Scales, Normalise, ::testing::Values(Scale::length_one, Scale::sum_one),
                         [](const auto& info) {
                           return info.param == Scale::length_one ? "LengthOne" : "SumOne";
                         });

}  // namespace
}  // namespace milcci
