// The canonical form of a fit: order, signs and scale, without a change of what the model says.
#include "fit/canonical.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "loop/explained_energy.hpp"
#include "support/loop_problem.hpp"
#include "support/tolerances.hpp"

namespace milcci {
namespace {

// A random state with traces and transitions, as if fitted.
struct Fitted : testing::LoopProblem {
  Fitted() : LoopProblem({.seed = 31}) {
    Random random(31, 2);
    for (const Matrix& y : trials.values) {
      state.traces.push_back(random.normal(y.cols(), design.n_components()));
      state.transitions.push_back(random.normal(design.n_components(), design.n_components()));
    }
  }
  Matrix reconstruction(std::size_t m, const State& of) const {
    return loading(design, of.components, static_cast<std::size_t>(design.label_of_trial[m])) *
           of.traces[m].transpose();
  }
};

// Squares decide: a few large memberships outweigh many small ones.
double balance(const std::vector<Matrix>& variants, Index j) {
  double sum = 0;
  for (const Matrix& a : variants) sum += a.col(j).cwiseProduct(a.col(j).cwiseAbs()).sum();
  return sum;
}

TEST(Canonical, MakesTheWeightierSignOfEveryComponentPositive) {
  Fitted fitted;
  for (Matrix& a : fitted.state.components[0]) a.col(0) = -a.col(0).cwiseAbs();
  for (Matrix& a : fitted.state.components[1]) a.col(0) = a.col(0).cwiseAbs();
  const State before = fitted.state;
  const std::vector<Index> order = make_canonical(fitted.design, true, fitted.state);
  for (std::size_t k = 0; k < 2; ++k)
    for (Index j = 0; j < fitted.design.n_components(k); ++j)
      EXPECT_GT(balance(fitted.state.components[k], j), 0.0);
  // The component that was all negative is the same one, turned with its trace.
  const Index j = std::find(order.begin(), order.end(), Index{0}) - order.begin();
  const auto label = static_cast<std::size_t>(fitted.design.label_of_trial[0]);
  const auto option = static_cast<std::size_t>(fitted.design.labels[label][0]);
  const Vector old = before.components[0][option].col(0);
  EXPECT_LT((fitted.state.components[0][option].col(j) + old / old.lpNorm<1>()).norm(), testing::kExact);
  EXPECT_LT((fitted.state.traces[0].col(j) + before.traces[0].col(0) * old.lpNorm<1>()).norm(),
            testing::kSolve);
}

TEST(Canonical, LeavesSignsAloneWhereTheyMayNotBeTurned) {
  Fitted fitted;
  for (auto& variants : fitted.state.components)
    for (Matrix& a : variants) a = -a.cwiseAbs();
  make_canonical(fitted.design, false, fitted.state);
  for (const auto& variants : fitted.state.components)
    for (const Matrix& a : variants) EXPECT_LE(a.maxCoeff(), 0.0);
}

TEST(Canonical, OrdersEveryCategoryByEnergyAndTellsTheFormerPositions) {
  Fitted fitted;
  for (Matrix& phi : fitted.state.traces) phi.col(1) *= 5.0;  // the second of the first category
  const Vector energy = explained_energy(fitted.design, fitted.state);
  const std::vector<Index> order = make_canonical(fitted.design, true, fitted.state);
  EXPECT_EQ(order, (std::vector<Index>{1, 0, 2}));
  const Vector after = explained_energy(fitted.design, fitted.state);
  EXPECT_LT((after - energy(order)).norm(), testing::kSolve);
  EXPECT_GE(after(0), after(1));
}

TEST(Canonical, ChangesNothingThatTheModelSays) {
  Fitted fitted;
  for (Matrix& phi : fitted.state.traces) phi.col(1) *= 5.0;
  for (Matrix& a : fitted.state.components[0]) a.col(1) *= -1.0;
  const State before = fitted.state;
  make_canonical(fitted.design, true, fitted.state);
  for (std::size_t m = 0; m < fitted.trials.n_trials(); ++m) {
    const Matrix said = fitted.reconstruction(m, before);
    EXPECT_LT((fitted.reconstruction(m, fitted.state) - said).norm(), testing::kSolve * said.norm());
    // What the dynamics foresee goes through the same turn, order and scale as the traces.
    State foreseen = before, foreseen_after = fitted.state;
    foreseen.traces[m] = before.traces[m] * before.transitions[m].transpose();
    foreseen_after.traces[m] = fitted.state.traces[m] * fitted.state.transitions[m].transpose();
    const Matrix next = fitted.reconstruction(m, foreseen);
    EXPECT_LT((fitted.reconstruction(m, foreseen_after) - next).norm(), testing::kSolve * next.norm());
  }
}

TEST(Canonical, ScalesMembershipsToSumOne) {
  Fitted fitted;
  fitted.state.components[0][1].col(1).setZero();
  make_canonical(fitted.design, true, fitted.state);
  for (const auto& variants : fitted.state.components)
    for (const Matrix& a : variants)
      for (Index j = 0; j < a.cols(); ++j) {
        const double sum = a.col(j).lpNorm<1>();
        EXPECT_TRUE(sum == 0.0 || std::abs(sum - 1.0) < testing::kExact);
      }
}

}  // namespace
}  // namespace milcci
