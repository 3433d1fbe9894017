// Data in a frame, penalties of every component's own, and the uncertainty of the traces, each against the
// plain formula.
#include "loop/calibration.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "loop/alternate.hpp"
#include "loop/penalties.hpp"
#include "loop/residuals.hpp"
#include "loop/traces.hpp"
#include "support/loop_problem.hpp"
#include "support/tolerances.hpp"

namespace milcci {
namespace {

Frame random_frame(Index n_channels) {
  Random random(3, 9);
  return {.offset = random.normal(n_channels, 1).col(0),
          .weight = random.normal(n_channels, 1).col(0).cwiseAbs().array() + 0.5};
}

Trials in_frame(Trials trials, const Frame& frame) {
  for (Matrix& y : trials.values) {
    y.colwise() -= frame.offset;
    y.array().colwise() *= frame.weight.array();
  }
  return trials;
}

class InAFrame : public ::testing::TestWithParam<std::tuple<double, double>> {};

// What a pass makes of stored data is what it makes of data that were brought into the frame before.
TEST_P(InAFrame, APassIsThatOfDataBroughtThereBefore) {
  const auto [missing, gamma3] = GetParam();
  for (const bool is_nonnegative : {false, true}) {
    testing::LoopProblem problem({.missing = missing, .seed = 4});
    const Frame frame = random_frame(problem.data.n_channels());
    TrialData framed = problem.data;
    framed.set_frame(frame);
    const TrialData moved(in_frame(problem.trials, frame));
    EXPECT_NEAR(framed.energy() / moved.energy(), 1.0, testing::kSolve);
    EXPECT_NEAR(framed.variation() / moved.variation(), 1.0, testing::kSolve);

    Penalties penalties;
    penalties.gamma3 = gamma3;
    penalties.ridge = 0.1;
    const TraceOptions options{.is_nonnegative = is_nonnegative, .chain = {1e-12, 2000}};
    State a = problem.state, b = problem.state;
    const Statistics found = update_traces(framed, problem.design, penalties, options, a),
                     expected = update_traces(moved, problem.design, penalties, options, b);
    EXPECT_NEAR(found.objective.total() / expected.objective.total(), 1.0, testing::kSolve);
    for (std::size_t m = 0; m < a.traces.size(); ++m)
      EXPECT_LE((a.traces[m] - b.traces[m]).norm(), testing::kIterated * b.traces[m].norm());
    for (std::size_t l = 0; l < found.labels.size(); ++l)
      EXPECT_LE((found.labels[l].C - expected.labels[l].C).norm(),
                testing::kIterated * expected.labels[l].C.norm());
    const ChannelResiduals left = channel_residuals(framed, problem.design, a, 2);
    EXPECT_NEAR(left.squares.sum() / expected.objective.fit, 1.0, testing::kIterated);
    const ChannelResiduals from_sums = channel_residuals(framed, problem.design, a, found, 2);
    EXPECT_LE((from_sums.squares - left.squares).norm(), testing::kIterated * left.squares.norm());
    EXPECT_LE((from_sums.sum - left.sum).norm(), testing::kIterated * left.squares.norm());
    EXPECT_LE((from_sums.lags - left.lags).norm(), testing::kIterated * left.lags.norm());
  }
}

INSTANTIATE_TEST_SUITE_P(Passes, InAFrame,
                         ::testing::Combine(::testing::Values(0.0, 0.2), ::testing::Values(0.0, 0.7)));

// C of trials without gaps is brought into the frame at the end, that of the others is there from the start.
TEST(FramedPass, TellsTrialsWithGapsFromOthersOfTheirLabel) {
  testing::LoopProblem problem({.n_trials = 24, .seed = 4});
  std::vector<bool> has_other(problem.design.labels.size(), false);
  for (std::size_t m = 0; m < problem.trials.n_trials(); ++m) {
    const auto label = static_cast<std::size_t>(problem.design.label_of_trial[m]);
    if (has_other[label]) problem.trials.values[m](0, 0) = std::numeric_limits<double>::quiet_NaN();
    has_other[label] = !has_other[label];
  }
  const Frame frame = random_frame(problem.data.n_channels());
  TrialData framed(problem.trials);
  framed.set_frame(frame);
  const TrialData moved(in_frame(problem.trials, frame));
  for (const double gamma3 : {0.0, 0.7}) {
    Penalties penalties;
    penalties.gamma3 = gamma3;
    penalties.ridge = 0.1;
    State a = problem.state, b = problem.state;
    const Statistics found = update_traces(framed, problem.design, penalties, {}, a),
                     expected = update_traces(moved, problem.design, penalties, {}, b);
    EXPECT_NEAR(found.objective.total() / expected.objective.total(), 1.0, testing::kSolve);
    for (std::size_t l = 0; l < found.labels.size(); ++l)
      EXPECT_LE((found.labels[l].C - expected.labels[l].C).norm(),
                testing::kSolve * expected.labels[l].C.norm());
  }
}

// Products that are added up in float have the digits of the values less their offset.
TEST(FramedPass, FloatsFarFromZeroKeepTheirDigits) {
  constexpr double kFarAway = 1e5;
  testing::LoopProblem problem({.n_channels = 37, .min_length = 60, .max_length = 300, .seed = 4});
  Frame frame = random_frame(problem.data.n_channels());
  frame.offset.array() += kFarAway;
  for (Matrix& y : problem.trials.values) y = (y.array() + kFarAway).matrix().cast<float>().cast<double>();
  TrialData framed(problem.trials, Transform::none, Precision::float32);
  framed.set_frame(frame);
  const TrialData moved(in_frame(problem.trials, frame));
  for (const double gamma3 : {0.0, 0.7}) {
    Penalties penalties;
    penalties.gamma3 = gamma3;
    penalties.ridge = 0.1;
    State a = problem.state, b = problem.state;
    const Statistics found = update_traces(framed, problem.design, penalties, {}, a),
                     expected = update_traces(moved, problem.design, penalties, {}, b);
    for (std::size_t l = 0; l < found.labels.size(); ++l)
      EXPECT_LE((found.labels[l].C - expected.labels[l].C).norm(),
                testing::kIterated * expected.labels[l].C.norm());
  }
}

// Half the gradient of F with respect to the traces of one trial, from the data.
Matrix gradient(const Matrix& Y, const Matrix& A, const Matrix& phi, const Vector& ridge,
                const Vector& gamma3) {
  Matrix g = phi * (A.transpose() * A) - Y.transpose() * A + phi * ridge.asDiagonal();
  for (Index t = 0; t + 1 < phi.rows(); ++t) {
    const Eigen::RowVectorXd step = (phi.row(t + 1) - phi.row(t)) * gamma3.asDiagonal();
    g.row(t + 1) += step;
    g.row(t) -= step;
  }
  return g;
}

TEST(PerComponentPenalties, TracesAreOptimalUnderThem) {
  for (const bool is_nonnegative : {false, true}) {
    testing::LoopProblem problem({.seed = 6});
    Penalties penalties;
    penalties.ridge = Vector{{0.1, 2.0, 0.5}};
    penalties.gamma3 = Vector{{3.0, 0.01, 1.0}};
    const TraceOptions options{.is_nonnegative = is_nonnegative, .chain = {1e-13, 5000}};
    const Statistics sums = update_traces(problem.data, problem.design, penalties, options, problem.state);
    double value = 0;
    for (std::size_t m = 0; m < problem.trials.n_trials(); ++m) {
      const Matrix A = loading(problem.design, problem.state.components,
                               static_cast<std::size_t>(problem.design.label_of_trial[m]));
      const Matrix &Y = problem.trials.values[m], &phi = problem.state.traces[m];
      const Matrix g = gradient(Y, A, phi, penalties.ridge.of(3), penalties.gamma3.of(3));
      for (Index i = 0; i < g.size(); ++i) {
        const bool is_at_zero = is_nonnegative && phi.data()[i] <= 0;
        if (is_at_zero)
          EXPECT_GT(g.data()[i], -testing::kIterated);
        else
          EXPECT_NEAR(g.data()[i], 0.0, testing::kIterated);
      }
      value += (Y - A * phi.transpose()).squaredNorm() +
               penalties.ridge.dot(phi.colwise().squaredNorm().transpose());
      for (Index t = 1; t < phi.rows(); ++t)
        value += penalties.gamma3.dot((phi.row(t) - phi.row(t - 1)).cwiseAbs2().transpose());
    }
    EXPECT_NEAR(sums.objective.total() / value, 1.0, testing::kSolve);
  }
}

TEST(Uncertainty, IsTheInverseHessianOfTheFreeTracesSummedOverTime) {
  for (const bool is_nonnegative : {false, true}) {
    testing::LoopProblem problem({.seed = 8});
    Penalties penalties;
    penalties.ridge = Vector{{0.1, 0.4, 0.2}};
    const TraceOptions options{.is_nonnegative = is_nonnegative, .chain = {1e-10, 1000}};
    update_traces(problem.data, problem.design, penalties, options, problem.state);
    const std::vector<Matrix> found =
        uncertainty_per_noise(problem.data, problem.design, penalties, is_nonnegative, problem.state, 2);
    std::vector<Matrix> expected(found.size(), Matrix::Zero(3, 3));
    for (std::size_t m = 0; m < problem.trials.n_trials(); ++m) {
      const auto l = static_cast<std::size_t>(problem.design.label_of_trial[m]);
      const Matrix A = loading(problem.design, problem.state.components, l);
      Matrix K = A.transpose() * A;
      K.diagonal() += penalties.ridge.of(3);
      for (Index t = 0; t < problem.state.traces[m].rows(); ++t) {
        std::vector<Index> free;
        for (Index j = 0; j < 3; ++j)
          if (!is_nonnegative || problem.state.traces[m](t, j) > 0) free.push_back(j);
        if (!free.empty()) expected[l](free, free) += Matrix(K(free, free)).inverse();
      }
    }
    for (std::size_t l = 0; l < found.size(); ++l)
      EXPECT_LT((found[l] - expected[l]).norm(), testing::kSolve * expected[l].norm());
  }
}

// The loop lowers F with the uncertainty in it, and says what it is.
TEST(Uncertainty, IsPartOfTheObjectiveThatTheLoopLowers) {
  testing::LoopProblem problem({.n_trials = 30, .seed = 5});
  const std::size_t n_labels = problem.design.labels.size();
  Random random(2, 2);
  Calibration calibration;
  calibration.noise = 0.1;
  calibration.ridge = Vector::Constant(3, 0.05);
  calibration.smoothness = Vector::Zero(3);
  for (std::size_t l = 0; l < n_labels; ++l) {
    const Matrix root = random.normal(3, 3);
    calibration.uncertainty.push_back(root * root.transpose());
  }
  const Stage stage{.sparsity = 0.01, .max_iterations = 30, .calibration = &calibration};
  std::vector<double> values;
  Monitor watching([&](const IterationRecord& record) {
    values.push_back(record.objective.total());
    return Continue::yes;
  });
  const StageResult found =
      alternate(problem.data, problem.design, problem.options, stage, problem.state, watching);
  for (std::size_t i = 1; i < values.size(); ++i) EXPECT_LE(values[i], values[i - 1] * (1 + 1e-9));
  EXPECT_LT(found.value_by_stage_weights, found.at_start.total());
  double charge = 0;
  for (std::size_t l = 0; l < n_labels; ++l) {
    const Matrix A = loading(problem.design, problem.state.components, l);
    charge += (A.transpose() * A).cwiseProduct(calibration.uncertainty[l]).sum();
  }
  EXPECT_NEAR(found.objective.uncertainty / charge, 1.0, testing::kSolve);
}

}  // namespace
}  // namespace milcci
