// Each update lowers what it minimises, under every switch, judged from the data and not from its own sums.
#include <gtest/gtest.h>

#include <cmath>

#include "loop/components.hpp"
#include "loop/decorrelation.hpp"
#include "loop/normalise.hpp"
#include "loop/penalties.hpp"
#include "loop/traces.hpp"
#include "support/loop_problem.hpp"
#include "support/tolerances.hpp"

namespace milcci {
namespace {

class Updates : public ::testing::TestWithParam<std::tuple<std::size_t, double>> {
 protected:
  testing::LoopProblem problem_{
      {.missing = std::get<1>(GetParam()), .has_times = std::get<1>(GetParam()) > 0, .seed = 2},
      testing::every_switch()[std::get<0>(GetParam())]};
  Penalties penalties_ = trace_penalties(problem_.options, problem_.data, problem_.design.n_components());
  bool is_dynamic_ = problem_.options.prior == TracePrior::lds;
  TraceOptions trace_options_{.is_nonnegative = problem_.has_nonnegative_traces(),
                              .prior = problem_.options.prior,
                              .dynamics_iterations = problem_.options.dynamics_iterations};

  // Traces and transitions that have nothing to do with the data.
  void scatter_traces() {
    Random random(3, 1);
    State& state = problem_.state;
    state.traces.clear();
    for (const Matrix& y : problem_.trials.values) {
      Matrix phi = random.normal(y.cols(), problem_.design.n_components());
      if (problem_.has_nonnegative_traces()) phi = phi.cwiseAbs();
      state.traces.push_back(phi);
      if (is_dynamic_)
        state.transitions.push_back(Matrix::Identity(phi.cols(), phi.cols()) +
                                    0.1 * random.normal(phi.cols(), phi.cols()));
    }
    if (is_dynamic_) set_transition_penalties(problem_.options, state, penalties_);
  }

  // All of F that depends on traces, trial by trial and entry by entry.
  double trace_value() const {
    double value = 0;
    for (std::size_t m = 0; m < problem_.trials.n_trials(); ++m) {
      const Matrix& phi = problem_.state.traces[m];
      const Matrix A = loading(problem_.design, problem_.state.components,
                               static_cast<std::size_t>(problem_.design.label_of_trial[m]));
      const Matrix model = A * phi.transpose();
      for (Index e = 0; e < model.size(); ++e) {
        const double y = problem_.trials.values[m].data()[e];
        const double target = problem_.options.transform == Transform::tanh ? std::tanh(y) : y;
        value += std::isnan(y) ? penalties_.missing * std::pow(model.data()[e], 2)
                               : std::pow(target - model.data()[e], 2);
      }
      value += penalties_.ridge(0) * phi.squaredNorm();
      const Matrix W = is_dynamic_ ? problem_.state.transitions[m] : Matrix::Identity(phi.cols(), phi.cols());
      const Vector& weights = problem_.data.step_weights(m);
      for (Index t = 1; t < phi.rows(); ++t)
        value += penalties_.gamma3(0) * (is_dynamic_ || weights.size() == 0 ? 1.0 : weights(t - 1)) *
                 (phi.row(t).transpose() - W * phi.row(t - 1).transpose()).squaredNorm();
      const auto trial = static_cast<Index>(m);
      if (penalties_.gamma4.size() > 0)
        value += penalties_.gamma4(trial) * total_correlation(phi, problem_.has_nonnegative_traces());
      if (is_dynamic_)
        value += penalties_.gamma3(0) * penalties_.gamma5(trial) *
                 (W - Matrix::Identity(phi.cols(), phi.cols())).squaredNorm();
    }
    return value;
  }
};

TEST_P(Updates, OfTracesLowerFAtFixedComponents) {
  scatter_traces();
  double before = trace_value();
  for (int pass = 0; pass < 4; ++pass) {
    const Statistics sums =
        update_traces(problem_.data, problem_.design, penalties_, trace_options_, problem_.state);
    const double after = trace_value();
    EXPECT_LE(after, before * (1 + testing::kExact)) << "pass " << pass;
    if (pass == 0) {
      EXPECT_LT(after, 0.9 * before);
    }
    EXPECT_NEAR(sums.objective.total(), after, testing::kSolve * after);
    before = after;
  }
}

TEST_P(Updates, OfComponentsLowerTheirSurrogateCategoryByCategory) {
  scatter_traces();
  const Design& design = problem_.design;
  const Statistics sums = update_traces(problem_.data, design, penalties_, trace_options_, problem_.state);
  set_component_penalties(problem_.options, problem_.options.sparsity.value_or(kDefaultSparsity), design,
                          sums, problem_.state.components, penalties_);
  const Rows rows{0, problem_.trials.n_channels()};
  std::vector<CategorySums> of_category;
  for (std::size_t k = 0; k < design.n_categories(); ++k)
    of_category.push_back(sum_category(design, penalties_, sums, k));
  const std::vector<Matrix> pull =
      pulls_of_length(penalties_, of_category, penalty_values_of(design, problem_.state.components, 1));
  std::vector<Matrix> components;
  for (const auto& variants : problem_.state.components) components.push_back(side_by_side(variants, rows));
  const std::vector<Matrix> linear = linear_terms(design, sums, pull, rows, components);
  ComponentOptions options;
  options.lasso.is_nonnegative = problem_.has_nonnegative_components();
  for (int round = 0; round < 3; ++round)
    for (std::size_t k = 0; k < design.n_categories(); ++k) {
      CategoryProblem category = category_problem(design, penalties_, sums, of_category[k], rows, k);
      subtract_others(design, of_category[k], linear[k], components, k, category);
      const double before = category_value(category, design.ties[k], components[k]);
      solve_category(category, of_category[k].pulls, options, components[k]);
      const double after = category_value(category, design.ties[k], components[k]);
      EXPECT_LE(after, before + testing::kExact * std::abs(before))
          << "round " << round << ", category " << k;
      if (round == 0) {
        EXPECT_LT(after, before - 1e-3 * std::abs(before));
      }
    }
}

TEST_P(Updates, OfTheScaleKeepTheFit) {
  scatter_traces();
  Random random(5, 1);
  for (auto& variants : problem_.state.components)
    for (Matrix& a : variants)
      for (Index j = 0; j < a.cols(); ++j) a.col(j) *= random.uniform(0.2, 3.0);
  penalties_.gamma3 = penalties_.ridge = 0;  // of the traces alone, which are longer or shorter now
  const double before = trace_value();
  normalise(problem_.design, Scale::length_one, problem_.state);
  EXPECT_NEAR(trace_value(), before, testing::kSolve * before);
}

INSTANTIATE_TEST_SUITE_P(Options, Updates,
                         ::testing::Combine(::testing::Range<std::size_t>(0, testing::every_switch().size()),
                                            ::testing::Values(0.0, 0.2)));

}  // namespace
}  // namespace milcci
