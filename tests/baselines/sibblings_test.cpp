// SiBBlInGS: each update is compared with what it minimises, solved by brute force.
#include "baselines/sibblings.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "baselines/state_graphs.hpp"
#include "milcci/baselines.hpp"
#include "support/baseline_data.hpp"
#include "support/expect_error.hpp"

namespace milcci {
namespace {

using namespace testing;
using namespace baselines;

TEST(Sibblings, ComponentsSolveTheirProblemAsABruteForceSearchDoes) {
  Random random(3, 0);
  const Matrix Phi = random.normal(2, 40), y = random.normal(1, 40) + Eigen::RowVector2d(1.0, 0.1) * Phi;
  const Matrix G = Phi * Phi.transpose(), R = y * Phi.transpose();
  const Matrix l1 = Eigen::RowVector2d(5, 20);
  const Vector pull = Eigen::Vector2d(3, 4);
  const Matrix others = Eigen::RowVector2d(0.5, -0.2);
  const double total = 0.8;
  Matrix A = Matrix::Zero(1, 2);
  update_state(G, R, l1, pull, total * others, total, A);
  const auto objective = [&](double a, double b) {
    const Eigen::RowVector2d x(a, b);
    return (y - x * Phi).squaredNorm() + 5 * std::abs(a) + 20 * std::abs(b) +
           total * (3 * std::pow(a - 0.5, 2) + 4 * std::pow(b + 0.2, 2));
  };
  double least = std::numeric_limits<double>::infinity();
  for (int i = -1000; i <= 2000; ++i)
    for (int j = -500; j <= 500; ++j) least = std::min(least, objective(1e-3 * i, 1e-3 * j));
  EXPECT_LE(objective(A(0, 0), A(0, 1)), least + 1e-9);
}

TEST(Sibblings, SweepsLowerTheObjectiveOfTracesToItsMinimum) {
  Random random(4, 0);
  const SibblingsKnobs knobs;
  const Index T = 12;
  const Matrix A = random.normal(6, 3).cwiseAbs(), Y = A * random.normal(3, T) + 0.2 * random.normal(6, T);
  const Matrix H = A.transpose() * A, B = A.transpose() * Y;
  Matrix overlap = Matrix::Constant(3, 3, 2.0);
  const auto objective = [&](const Matrix& phi) {
    double sum = (Y - A * phi).squaredNorm();
    for (Index j = 0; j < 3; ++j) {
      const Vector steps = (phi.row(j).tail(T - 1) - phi.row(j).head(T - 1)).transpose();
      sum += H(j, j) * (knobs.smoothness * steps.squaredNorm() + knobs.ridge * phi.row(j).squaredNorm());
      for (Index l = 0; l < j; ++l)
        sum += knobs.decorrelation * overlap(j, l) * std::pow(phi.row(j).dot(phi.row(l)), 2);
    }
    return sum;
  };
  Matrix phi = random.normal(3, T);
  double before = objective(phi);
  for (int sweep = 0; sweep < 500; ++sweep) {
    sweep_traces(knobs, H, B, overlap, phi);
    EXPECT_LE(objective(phi), before + 1e-9);
    before = objective(phi);
  }
  for (Index i = 0; i < phi.size(); ++i)
    for (const double step : {1e-4, -1e-4}) {
      Matrix other = phi;
      other.data()[i] += step;
      EXPECT_GE(objective(other), before - 1e-9);
    }
}

TEST(Sibblings, WeightsAreSmallAmongNeighboursThatBelong) {
  const SibblingsKnobs knobs;
  Matrix graph = Matrix::Zero(3, 3);
  graph(0, 1) = graph(1, 0) = 1;
  const Matrix A = Eigen::Vector3d(1, 0, 0);
  const Matrix weights = sparsity_weights(knobs, graph, A, Vector::Ones(1));
  EXPECT_NEAR(weights(0, 0), knobs.sparsity / (knobs.floor + 1), 1e-12);
  EXPECT_NEAR(weights(1, 0), knobs.sparsity / (knobs.floor + knobs.graph), 1e-12);
  EXPECT_NEAR(weights(2, 0), knobs.sparsity / knobs.floor, 1e-12);
}

TEST(Sibblings, GraphsHaveRowsThatSumToOne) {
  Random random(5, 0);
  const Matrix Y = random.normal(8, 50), other = random.normal(8, 50);
  const Matrix channels = channel_graph(Y * Y.transpose(), 3);
  EXPECT_LT((channels.rowwise().sum().array() - 1).abs().maxCoeff(), 1e-12);
  EXPECT_EQ(channels.diagonal().norm(), 0);
  const Matrix states = state_graph({Y * Y.transpose(), other * other.transpose(), Y * Y.transpose()});
  EXPECT_GT(states(0, 2), states(0, 1));
  EXPECT_LT((states.rowwise().sum().array() - 1).abs().maxCoeff(), 1e-12);
}

TEST(Sibblings, HasComponentsForEveryLabelAndNeedsOne) {
  const Trials trials = low_rank_trials({.noise = 0.1, .is_nonnegative = true});
  const std::vector<CategorySpec> categories = {{.name = "side"}};
  const BaselineFit found = fit_baseline(trials, Baseline::sibblings, {.n_components = 2}, categories);
  EXPECT_EQ(found.model.categories.front().category.options, (std::vector<std::string>{"left", "right"}));
  EXPECT_GT(evaluate(found.model, trials).r2, 0.8);
  EXPECT_FALSE(found.degrees_of_freedom.has_value());
  EXPECT_GT(cosmooth(found, trials).r2, 0.5);
  expect_error(ErrorKind::bad_input, {"states"},
               [&] { fit_baseline(trials, Baseline::sibblings, {.n_components = 2}); });
}

}  // namespace
}  // namespace milcci
