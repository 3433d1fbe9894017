// The trace update on random problems, against dense references and its own objective.
#include "loop/traces.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <limits>

#include "label_graphs/categories.hpp"
#include "loop/decorrelation.hpp"
#include "loop/dynamics.hpp"
#include "loop/penalties.hpp"
#include "support/random_problem.hpp"
#include "support/tolerances.hpp"

namespace milcci {
namespace {

using testing::RandomProblem;

struct Setting {
  Trials trials;
  FitOptions options = testing::two_categories();
  TrialData data;
  Design design;
  State state;

  explicit Setting(const RandomProblem& problem)
      : trials(testing::random_trials(problem)),
        data(trials),
        design(make_design(resolve_categories(options.categories, trials), trials.n_trials())) {
    Random random(problem.seed, 77);
    for (std::size_t k = 0; k < design.n_categories(); ++k) {
      std::vector<Matrix> variants;
      for (int i = 0; i < design.n_options(k); ++i) {
        Matrix a = random.normal(problem.n_channels, design.n_components(k)).cwiseAbs();
        a.colwise().normalize();
        variants.push_back(a);
      }
      state.components.push_back(variants);
    }
  }
};

// Everything the objective charges for one trial's traces, from the data themselves.
double trial_value(const Setting& setting, std::size_t m, double gamma3, double gamma4, bool is_nonnegative,
                   const Matrix& phi) {
  const Matrix A = loading(setting.design, setting.state.components,
                           static_cast<std::size_t>(setting.design.label_of_trial[m]));
  const Matrix& Y = setting.trials.values[m];
  double value = gamma4 * total_correlation(phi, is_nonnegative);
  for (Index t = 0; t < Y.cols(); ++t) {
    for (Index n = 0; n < Y.rows(); ++n)
      if (!std::isnan(Y(n, t))) value += std::pow(Y(n, t) - A.row(n).dot(phi.row(t)), 2);
    const double weight =
        setting.data.step_weights(m).size() > 0 && t > 0 ? setting.data.step_weights(m)(t - 1) : 1.0;
    if (t > 0) value += gamma3 * weight * (phi.row(t) - phi.row(t - 1)).squaredNorm();
  }
  return value;
}

class TraceUpdate : public ::testing::TestWithParam<std::tuple<bool, double, double, double, bool>> {};

TEST_P(TraceUpdate, LowersItsObjectiveAndReportsItsTerms) {
  const auto [is_nonnegative, missing, gamma3, gamma4, has_times] = GetParam();
  Setting setting({.missing = missing, .has_times = has_times, .seed = 11});
  Penalties penalties;
  penalties.gamma3 = gamma3;
  if (gamma4 > 0) penalties.gamma4 = Vector::Constant(static_cast<Index>(setting.trials.n_trials()), gamma4);
  const TraceOptions options{.is_nonnegative = is_nonnegative};
  Statistics statistics = update_traces(setting.data, setting.design, penalties, options, setting.state);
  double before = 0;
  for (int round = 0; round < 4; ++round) {
    double value = 0;
    for (std::size_t m = 0; m < setting.trials.n_trials(); ++m)
      value += trial_value(setting, m, gamma3, gamma4, is_nonnegative, setting.state.traces[m]);
    EXPECT_NEAR(statistics.objective.total(), value, testing::kSolve * value);
    if (round > 0) {
      EXPECT_LE(value, before * (1 + testing::kExact));
    }
    before = value;
    statistics = update_traces(setting.data, setting.design, penalties, options, setting.state);
  }
  for (const Matrix& phi : setting.state.traces) EXPECT_TRUE(!is_nonnegative || phi.minCoeff() >= 0.0);
}

INSTANTIATE_TEST_SUITE_P(EveryOptionOnAndOff, TraceUpdate,
                         ::testing::Combine(::testing::Bool(), ::testing::Values(0.0, 0.25),
                                            ::testing::Values(0.0, 3.0), ::testing::Values(0.0, 5.0),
                                            ::testing::Bool()));

TEST(Traces, WithGapsEqualADenseWeightedSolve) {
  Setting setting({.missing = 0.4, .seed = 5});
  Penalties penalties;
  penalties.gamma3 = 2.0;
  update_traces(setting.data, setting.design, penalties, {}, setting.state);
  const Index P = setting.design.n_components();
  for (std::size_t m = 0; m < setting.trials.n_trials(); ++m) {
    const Matrix A = loading(setting.design, setting.state.components,
                             static_cast<std::size_t>(setting.design.label_of_trial[m]));
    const Matrix& Y = setting.trials.values[m];
    const Index T = Y.cols();
    Matrix M = Matrix::Zero(T * P, T * P);
    Vector b = Vector::Zero(T * P);
    for (Index t = 0; t < T; ++t) {
      for (Index n = 0; n < Y.rows(); ++n) {
        if (std::isnan(Y(n, t))) continue;
        M.block(t * P, t * P, P, P) += A.row(n).transpose() * A.row(n);
        b.segment(t * P, P) += Y(n, t) * A.row(n).transpose();
      }
      if (t == 0) continue;
      Matrix D = Matrix::Zero(P, T * P);
      D.middleCols(t * P, P).setIdentity();
      D.middleCols((t - 1) * P, P) = -Matrix::Identity(P, P);
      M += 2.0 * D.transpose() * D;
    }
    const Vector x = M.ldlt().solve(b);
    for (Index t = 0; t < T; ++t)
      EXPECT_LT((setting.state.traces[m].row(t).transpose() - x.segment(t * P, P)).norm(),
                testing::kSolve * x.norm());
  }
}

// A component of two channels, both missing at once: nothing is known of its trace there, and rounding errors
// must not pretend otherwise.
TEST(Traces, AreZeroWhereNoChannelOfTheirComponentIsObserved) {
  for (const bool is_nonnegative : {false, true}) {
    Setting setting({.seed = 15});
    for (Matrix& variant : setting.state.components[1]) {
      variant.setZero();
      variant(2, 0) = 1.0 / std::sqrt(3.0);
      variant(5, 0) = std::sqrt(2.0 / 3.0);
    }
    for (Matrix& y : setting.trials.values)
      for (const Index t : {1, 2, 4}) y(2, t) = y(5, t) = std::numeric_limits<double>::quiet_NaN();
    setting.data = TrialData(setting.trials);
    const Statistics statistics =
        update_traces(setting.data, setting.design, {}, {.is_nonnegative = is_nonnegative}, setting.state);
    double value = 0;
    for (std::size_t m = 0; m < setting.trials.n_trials(); ++m) {
      value += trial_value(setting, m, 0, 0, is_nonnegative, setting.state.traces[m]);
      for (const Index t : {1, 2, 4}) EXPECT_EQ(setting.state.traces[m](t, 2), 0.0);
    }
    EXPECT_NEAR(statistics.objective.fit, value, testing::kSolve * value);
  }
}

// Not nearly zero: a component update divides such traces by each other.
TEST(Traces, OfDeadComponentsAreExactlyZero) {
  for (const double missing : {0.0, 0.3})
    for (const double gamma3 : {0.0, 2.0})
      for (const bool is_nonnegative : {false, true}) {
        Setting setting({.missing = missing, .seed = 15});
        for (Matrix& variant : setting.state.components[0]) variant.col(1).setZero();
        Penalties penalties;
        penalties.gamma3 = gamma3;
        const Statistics statistics = update_traces(setting.data, setting.design, penalties,
                                                    {.is_nonnegative = is_nonnegative}, setting.state);
        for (const Matrix& phi : setting.state.traces) EXPECT_TRUE(phi.col(1).isZero(0.0));
        for (const LabelSums& sums : statistics.labels) EXPECT_TRUE(sums.C.col(1).isZero(0.0));
      }
}

TEST(Traces, LeaveTheSumsOfTheirLabels) {
  Setting setting({.missing = 0.2, .seed = 6});
  const Statistics statistics = update_traces(setting.data, setting.design, {}, {}, setting.state);
  for (std::size_t l = 0; l < setting.design.labels.size(); ++l) {
    Matrix C = Matrix::Zero(9, 3), G_of_channel_4 = Matrix::Zero(3, 3);
    for (std::size_t m = 0; m < setting.trials.n_trials(); ++m) {
      if (setting.design.label_of_trial[m] != static_cast<int>(l)) continue;
      const Matrix& Y = setting.trials.values[m];
      const Matrix& phi = setting.state.traces[m];
      C += Y.array().isNaN().select(0.0, Y).matrix() * phi;
      for (Index t = 0; t < Y.cols(); ++t)
        if (!std::isnan(Y(4, t))) G_of_channel_4 += phi.row(t).transpose() * phi.row(t);
    }
    const LabelSums& sums = statistics.labels[l];
    EXPECT_LT((sums.C - C).norm(), testing::kSolve * C.norm());
    for (Index j = 0; j < 3; ++j)
      for (Index i = 0; i < 3; ++i)
        EXPECT_NEAR(sums.G(j, i) - sums.missing(packed_index(j, i), 4), G_of_channel_4(j, i),
                    testing::kSolve * G_of_channel_4.norm());
  }
}

TEST(Traces, AreTheSameBitsForAnyNumberOfThreads) {
  Setting one({.missing = 0.1}), three({.missing = 0.1});
  const Statistics a =
      update_traces(one.data, one.design, {}, {.is_nonnegative = true, .threads = 1}, one.state);
  const Statistics b =
      update_traces(three.data, three.design, {}, {.is_nonnegative = true, .threads = 3}, three.state);
  for (std::size_t l = 0; l < a.labels.size(); ++l) EXPECT_EQ(a.labels[l].C, b.labels[l].C);
  for (std::size_t m = 0; m < one.state.traces.size(); ++m)
    EXPECT_EQ(one.state.traces[m], three.state.traces[m]);
}

class Dynamics : public ::testing::TestWithParam<bool> {};

TEST_P(Dynamics, AlternatingTracesAndTransitionsLowersTheObjective) {
  Setting setting({.min_length = 12, .max_length = 20, .seed = 8});
  Penalties penalties;
  penalties.gamma3 = 2.0;
  const TraceOptions options{
      .is_nonnegative = GetParam(), .prior = TracePrior::lds, .dynamics_iterations = 1};
  update_traces(setting.data, setting.design, penalties, options, setting.state);
  ASSERT_EQ(setting.state.transitions.size(), setting.trials.n_trials());
  penalties.gamma5 = Vector::Constant(static_cast<Index>(setting.trials.n_trials()), 0.7);
  double before = 1e300;
  for (int round = 0; round < 10; ++round) {
    const Statistics statistics =
        update_traces(setting.data, setting.design, penalties, options, setting.state);
    EXPECT_LE(statistics.objective.total(), before * (1 + testing::kSolve));
    before = statistics.objective.total();
    EXPECT_GT(statistics.objective.transition, 0.0);
  }
}
INSTANTIATE_TEST_SUITE_P(Signs, Dynamics, ::testing::Bool());

TEST(Dynamics, TransitionIsTheMinimiserOfItsLeastSquaresProblem) {
  Random random(4, 4);
  const Matrix phi = random.normal(30, 3);
  const double gamma5 = 0.9;
  const Matrix W = best_transition(phi, gamma5);
  const Matrix residual = phi.bottomRows(29) - phi.topRows(29) * W.transpose();
  const Matrix gradient = -residual.transpose() * phi.topRows(29) + gamma5 * (W - Matrix::Identity(3, 3));
  EXPECT_LT(gradient.norm(), testing::kSolve);
}

TEST(Dynamics, RecoversTheTransitionThatMadeTheTraces) {
  Matrix W(2, 2);
  W << 0.95, -0.3, 0.3, 0.95;
  Matrix phi(60, 2);
  phi.row(0) << 1.0, 0.0;
  for (Index t = 1; t < 60; ++t) phi.row(t) = (W * phi.row(t - 1).transpose()).transpose();
  EXPECT_LT((best_transition(phi, 0.0) - W).norm(), testing::kSolve);
}

}  // namespace
}  // namespace milcci
