// SiBBlInGS: each update is compared with what it minimises, solved by brute force.
#include "baselines/sibblings.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cstdlib>

#include "baselines/state_graphs.hpp"
#include "milcci/baselines.hpp"
#include "milcci/recipes.hpp"
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
  EXPECT_NEAR(objective(phi),
              (Y - A * phi).squaredNorm() + trace_penalties(knobs, H.diagonal(), overlap, phi), 1e-9);
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
  const Matrix weights = sparsity_weights(knobs, graph.sparseView(), A, 1.0);
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
  const std::vector<Matrix> products = {Y * Y.transpose(), other * other.transpose(), Y * Y.transpose()};
  Matrix inner(3, 3);
  for (std::size_t d = 0; d < 3; ++d)
    for (std::size_t e = 0; e < 3; ++e)
      inner(static_cast<Index>(d), static_cast<Index>(e)) = products[d].cwiseProduct(products[e]).sum();
  const Matrix states = state_graph(inner);
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

// A trial for every state, of noise: nothing that components of several states could agree on.
Trials noise_in_every_state(Index n_channels, Index length, std::size_t n_states) {
  Trials trials = low_rank_trials(
      {.n_channels = n_channels, .n_trials = n_states, .length = length, .noise = 1, .is_nonnegative = true});
  LabelColumn::Texts states;
  for (std::size_t m = 0; m < n_states; ++m) states.push_back(fmt::format("s{}", m));
  trials.labels = {{"state", states}};
  return trials;
}

TEST(Sibblings, DescribesNoiseInEveryStateBetterThanNothingDoes) {
  const Trials trials = noise_in_every_state(20, 15, 12);
  const std::vector<CategorySpec> categories = {{.name = "state"}};
  for (const std::uint64_t seed : {1u, 2u, 3u, 4u}) {
    const BaselineFit found = fit_baseline(trials, Baseline::sibblings,
                                           {.n_components = 8, .seed = seed, .restarts = 1}, categories);
    EXPECT_GT(evaluate(found.model, trials).r2, 0.3) << "seed " << seed;
    EXPECT_LT(found.iterations, 1000) << "seed " << seed;
  }
}

TEST(Sibblings, DescribesTheElectionsFromEveryStart) {
  const char* data = std::getenv("MILCCI_SHARED_DATA");
  if (!data) GTEST_SKIP() << "needs MILCCI_SHARED_DATA";
  const Trials trials = read_elections(std::string(data) + "/elections").trials;
  const std::vector<CategorySpec> categories = {{.name = "party"}, {.name = "office"}};
  for (const std::uint64_t seed : {1234u, 1235u, 1236u}) {
    const BaselineFit found = fit_baseline(trials, Baseline::sibblings,
                                           {.n_components = 8, .seed = seed, .restarts = 1}, categories);
    EXPECT_GT(evaluate(found.model, trials).r2, 0.94) << "seed " << seed;
  }
}

TEST(Sibblings, KeepsTheIterateWithTheLeastObjectiveAndEndsByItsTolerance) {
  const Trials trials = noise_in_every_state(12, 10, 5);
  const std::vector<CategorySpec> categories = {{.name = "state"}};
  const auto fit = [&](double tolerance) {
    return fit_baseline(trials, Baseline::sibblings,
                        {.n_components = 4, .restarts = 1, .tolerance = tolerance}, categories);
  };
  const BaselineFit all = fit(1e-6);
  const double least = *std::min_element(all.objective.begin(), all.objective.end());
  EXPECT_GT(all.objective.back(), least);
  EXPECT_LT(squared_error(all.model, trials), least);
  EXPECT_LT(fit(0.5).iterations, all.iterations);
}

TEST(Sibblings, RefusesAnErrorAboveThatOfNoComponents) {
  EXPECT_NO_THROW(refuse_divergence(1, 1));
  expect_error(ErrorKind::numerical, {"diverged", "2.5 times"}, [] { refuse_divergence(2.5, 1); });
}

TEST(Sibblings, GivesTheStartIfTimeIsOverBeforeItsGraphsAreDone) {
  const Trials trials = noise_in_every_state(12, 10, 5);
  int asked = 0;
  BaselineOptions options{.n_components = 2, .restarts = 1};
  options.should_stop = [&] { return ++asked > 52; };  // in the graphs of the second state or a later one
  const BaselineFit found = fit_baseline(trials, Baseline::sibblings, options, {{.name = "state"}});
  EXPECT_EQ(found.reason, StopReason::interrupted);
  EXPECT_EQ(found.iterations, 0);
  EXPECT_LE(asked, 55);
  EXPECT_GT(evaluate(found.model, trials).r2, 0);
  ASSERT_FALSE(found.notes.empty());
  EXPECT_NE(found.notes.front().find("alike in all states"), std::string::npos);
}

}  // namespace
}  // namespace milcci
