// The objective that a fit reports is F of its model as docs/design.md defines it, and `evaluate`
// finds it again.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "milcci/evaluate.hpp"
#include "milcci/fit.hpp"
#include "support/random_problem.hpp"
#include "support/tolerances.hpp"

namespace milcci {
namespace {

using testing::every_switch;
using testing::random_trials;

// F term by term from its definition, entry by entry, with the weights in its table of units.
class Definition {
 public:
  Definition(const FitResult& fitted, const Trials& trials)
      : model_(fitted.model), options_(fitted.summary.options), trials_(trials) {
    for (std::size_t m = 0; m < model_.n_trials(); ++m) {
      length_.emplace_back(n_components());
      for (Index c = 0; c < n_components(); ++c) length_[m](c) = variant_of(m, c).norm();
      unit_traces_.push_back(length_[m].asDiagonal() * model_.traces[m]);
    }
  }

  Objective objective() const {
    Objective terms;
    for (std::size_t m = 0; m < model_.n_trials(); ++m) {
      add_fit(m, terms);
      add_over_time(m, terms);
      if (options_.gamma4.value_or(options_.decorrelation) > 0) add_decorrelation(m, terms);
    }
    for (Index c = 0; c < n_components(); ++c) add_component(c, terms);
    return terms;
  }

 private:
  Index n_components() const { return model_.n_components(); }
  Matrix variant_of(std::size_t m, Index c) const {
    const auto [k, j] = model_.place(c);
    const FittedCategory& fitted = model_.categories[k];
    return fitted.variants[static_cast<std::size_t>(fitted.category.option_of_trial[m])].col(j);
  }
  double value(std::size_t m, Index n, Index t) const {
    const double y = trials_.values[m](n, t);
    return options_.transform == Transform::tanh ? std::tanh(y) : y;
  }
  double ridge() const { return options_.nonnegative == NonNegative::both ? 1e-6 : 1e-3; }

  void add_fit(std::size_t m, Objective& terms) const {
    const Matrix made = model_.reconstruction(m);
    for (Index t = 0; t < made.cols(); ++t)
      for (Index n = 0; n < made.rows(); ++n) {
        const double y = value(m, n, t), x = made(n, t);
        if (std::isnan(y))
          terms.ridge += options_.missing_weight * x * x;
        else
          terms.fit += (y - x) * (y - x);
      }
    terms.ridge += ridge() * unit_traces_[m].squaredNorm();
  }

  double typical_step() const {
    std::vector<double> steps;
    for (const Vector& time : trials_.times)
      for (Index t = 1; t < time.size(); ++t) steps.push_back(time(t) - time(t - 1));
    std::sort(steps.begin(), steps.end());
    return steps[steps.size() / 2];
  }

  void add_over_time(std::size_t m, Objective& terms) const {
    const bool is_dynamic = options_.prior == TracePrior::lds;
    const double gamma3 = options_.gamma3.value_or(options_.smoothness.value_or(is_dynamic ? 1.0 : 0.0));
    const Matrix& phi = unit_traces_[m];
    Matrix W = Matrix::Identity(phi.rows(), phi.rows());
    for (Index c = 0; is_dynamic && c < phi.rows(); ++c)
      for (Index d = 0; d < phi.rows(); ++d)
        if (length_[m](c) > 0 && length_[m](d) > 0)
          W(c, d) = length_[m](c) * model_.transitions[m](c, d) / length_[m](d);
    for (Index t = 1; t < phi.cols(); ++t) {
      double weight = 1.0;
      if (!trials_.times.empty() && !is_dynamic)
        weight = std::pow(typical_step() / (trials_.times[m](t) - trials_.times[m](t - 1)), 2);
      terms.smoothness += gamma3 * weight * (phi.col(t) - W * phi.col(t - 1)).squaredNorm();
    }
    if (!is_dynamic) return;
    const double pull = options_.transition_pull * phi.squaredNorm() / static_cast<double>(phi.rows());
    terms.transition += gamma3 * pull * (W - Matrix::Identity(W.rows(), W.cols())).squaredNorm();
  }

  void add_decorrelation(std::size_t m, Objective& terms) const {
    const Matrix& phi = unit_traces_[m];
    double energy = 0;
    for (Index t = 0; t < phi.cols(); ++t)
      for (Index n = 0; n < model_.n_channels(); ++n)
        if (!std::isnan(value(m, n, t))) energy += std::pow(value(m, n, t), 2);
    const double pairs = static_cast<double>(phi.rows() * (phi.rows() - 1));
    const double gamma4 = options_.gamma4.value_or(options_.decorrelation * energy / (4 * pairs));
    const bool has_tip =
        options_.nonnegative == NonNegative::none || options_.nonnegative == NonNegative::components;
    for (Index c = 0; c < phi.rows(); ++c)
      for (Index d = 0; d < phi.rows(); ++d) {
        const double norms = phi.row(c).norm() * phi.row(d).norm();
        if (c == d || norms == 0) continue;
        const double cosine = std::abs(phi.row(c).dot(phi.row(d))) / norms;
        terms.decorrelation +=
            gamma4 * (has_tip && cosine < 1e-3 ? (cosine * cosine / 1e-3 + 1e-3) / 2 : cosine);
      }
  }

  void add_component(Index c, Objective& terms) const {
    const auto [k, j] = model_.place(c);
    const FittedCategory& fitted = model_.categories[k];
    const Matrix lambda = fitted.category.graph.dense();
    const std::size_t n_options = fitted.variants.size();
    std::vector<Vector> unit;
    Vector energy = Vector::Zero(static_cast<Index>(n_options));
    for (std::size_t i = 0; i < n_options; ++i) {
      unit.push_back(fitted.variants[i].col(j));
      if (unit[i].norm() > 0) unit[i] /= unit[i].norm();
      for (std::size_t m = 0; m < model_.n_trials(); ++m)
        if (fitted.category.option_of_trial[m] == static_cast<int>(i))
          energy(static_cast<Index>(i)) += unit_traces_[m].row(c).squaredNorm();
    }
    for (std::size_t i = 0; i < n_options; ++i) {
      const auto option = static_cast<Index>(i);
      const double l1 = unit[i].lpNorm<1>();
      const double gamma1 =
          options_.gamma1.value_or(2 * options_.sparsity.value_or(kDefaultSparsity) * energy(option) * l1 /
                                   static_cast<double>(model_.n_channels()));
      terms.sparsity += gamma1 * l1;
      const double gamma2 =
          options_.gamma2.value_or(options_.consistency.value_or(kDefaultConsistency) * energy.mean());
      for (std::size_t other = 0; other < i; ++other) {
        const auto o = static_cast<Index>(other);
        terms.consistency +=
            gamma2 * (lambda(option, o) + lambda(o, option)) / 2 * (unit[i] - unit[other]).squaredNorm();
      }
    }
  }

  const Model& model_;
  const FitOptions& options_;
  const Trials& trials_;
  std::vector<Vector> length_;       ///< of the variants of each trial
  std::vector<Matrix> unit_traces_;  ///< of components of length one
};

void expect_same_terms(const Objective& found, const Objective& expected) {
  const double tolerance = testing::kSolve * expected.total();
  EXPECT_NEAR(found.fit, expected.fit, tolerance);
  EXPECT_NEAR(found.sparsity, expected.sparsity, tolerance);
  EXPECT_NEAR(found.consistency, expected.consistency, tolerance);
  EXPECT_NEAR(found.smoothness, expected.smoothness, tolerance);
  EXPECT_NEAR(found.decorrelation, expected.decorrelation, tolerance);
  EXPECT_NEAR(found.transition, expected.transition, tolerance);
  EXPECT_NEAR(found.ridge, expected.ridge, tolerance);
}

void expect_the_definition(const FitResult& fitted, const Trials& trials) {
  ASSERT_TRUE(fitted.summary.objective);
  const Objective expected = Definition(fitted, trials).objective();
  EXPECT_GT(expected.total(), 0);
  expect_same_terms(*fitted.summary.objective, expected);
  expect_same_terms(*evaluate(fitted, trials).objective, expected);
}

TEST(Objective, OfAFitIsItsDefinitionAndIsFoundAgain) {
  for (const double missing : {0.0, 0.2})
    for (std::size_t s = 0; s < every_switch().size(); ++s) {
      SCOPED_TRACE(::testing::Message() << "switch " << s << ", missing " << missing);
      const Trials trials = random_trials({.missing = missing, .has_times = s % 2 == 0, .seed = s + 1});
      expect_the_definition(fit(trials, every_switch()[s]), trials);
    }
}

TEST(Objective, OfBinnedOptionsAndDeadComponentsIsItsDefinition) {
  const Trials trials = random_trials({.seed = 5});
  FitOptions options = testing::two_categories();
  options.categories[0].bins = 2;
  options.sparsity = 0.3;
  options.prior = TracePrior::lds;
  options.max_iterations = 10;
  Start start = start_of(fit(trials, options).model);
  for (Matrix& variant : start[0].variants) variant.col(1).setZero();
  const FitResult fitted = fit(trials, options, {}, start);
  ASSERT_FALSE(fitted.model.dead_components().empty());
  expect_the_definition(fitted, trials);
}

TEST(Objective, InSinglePrecisionIsFoundAgain) {
  const Trials trials = random_trials({.seed = 2});
  FitOptions options = testing::two_categories();
  options.precision = Precision::float32;
  const FitResult fitted = fit(trials, options);
  expect_same_terms(*evaluate(fitted, trials).objective, *fitted.summary.objective);
}

TEST(Objective, OfTransformedTrialsIsItsDefinition) {
  const Trials trials = random_trials({.seed = 1});
  for (std::size_t s = 0; s < every_switch().size(); ++s) {
    SCOPED_TRACE(s);
    const FitResult fitted = fit(trials, every_switch()[s]);
    Trials fresh = random_trials({.missing = 0.1, .seed = 9});
    std::get<LabelColumn::Texts>(fresh.labels[1].values)[3] = "neither";
    expect_the_definition(transform(fitted, fresh), fresh);
  }
}

TEST(Objective, GrowsWithTheSquareOfTheUnit) {
  Trials trials = random_trials({.missing = 0.1, .seed = 3});
  FitOptions options = testing::two_categories();
  options.nonnegative = NonNegative::both;
  options.smoothness = 0.5;
  options.decorrelation = 0.01;
  const double one = fit(trials, options).summary.objective->total();
  for (Matrix& y : trials.values) y *= 1000.0;
  EXPECT_NEAR(fit(trials, options).summary.objective->total() / one, 1e6, 1.0);
}

TEST(Objective, IsUnknownWithoutTheOptionsOfTheFit) {
  const Trials trials = random_trials({.seed = 3});
  EXPECT_FALSE(evaluate(fit(trials, testing::two_categories()).model, trials).objective);
}

}  // namespace
}  // namespace milcci
