// Free numbers of our own fits: what shrunken and smooth traces are worth.
#include "compare/own_degrees_of_freedom.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <limits>

#include "milcci/fit.hpp"
#include "milcci/simulate.hpp"

namespace milcci {
namespace {

FitOptions two_categories() {
  FitOptions options;
  options.categories = {{.name = "difficulty", .n_components = 2, .kind = CategoryKind::ordinal},
                        {.name = "choice", .n_components = 2}};
  options.restarts = 2;
  options.threads = 1;
  return options;
}

Trials small() {
  return simulate({.n_channels = 20, .n_trials = 40, .min_length = 20, .max_length = 30});
}

double own_count(const Trials& trials, const FitOptions& options) {
  return own_degrees_of_freedom(fit(trials, options), trials).count;
}

TEST(OwnDegreesOfFreedom, FallWithSmoothnessAndRidge) {
  const Trials trials = small();
  for (const NonNegative sign : {NonNegative::none, NonNegative::both})
    for (const PenaltyChoice penalties : {PenaltyChoice::fixed, PenaltyChoice::automatic}) {
      FitOptions options = two_categories();
      options.nonnegative = sign;
      options.penalties = penalties;
      double before = std::numeric_limits<double>::infinity();
      for (const double smoothness : {0.0, 0.1, 10.0, 1000.0}) {
        options.smoothness = smoothness;
        const double count = own_count(trials, options);
        EXPECT_LT(count, 0.95 * before) << smoothness << to_text(sign);
        before = count;
      }
      options.smoothness = 0;
      options.ridge = 1e-6;
      const double free = own_count(trials, options);
      options.ridge = 1;
      EXPECT_LT(own_count(trials, options), 0.8 * free) << to_text(sign);
    }
}

TEST(OwnDegreesOfFreedom, OfUnpenalisedTracesAreTheirValues) {
  Trials trials = small();
  trials.truth.reset();
  FitOptions options = two_categories();
  options.penalties = PenaltyChoice::fixed;
  options.ridge = 1e-9;
  double n_samples = 0;
  for (const Matrix& y : trials.values) n_samples += static_cast<double>(y.cols());
  const auto traces = [&](const Trials& data) {
    const FitResult fitted = fit(data, options);
    double memberships = 0;
    for (const FittedCategory& category : fitted.model.categories)
      for (const Matrix& variant : category.variants)
        for (Index j = 0; j < variant.cols(); ++j)
          memberships += std::max(0.0, static_cast<double>((variant.col(j).array() != 0).count()) - 1);
    return own_degrees_of_freedom(fitted, data).count - memberships;
  };
  EXPECT_NEAR(traces(trials) / (4 * n_samples), 1, 0.01);
  // Of what was never observed, nothing.
  for (Matrix& y : trials.values) {
    const Index T = y.cols();
    y.conservativeResize(Eigen::NoChange, 2 * T);
    y.rightCols(T).setConstant(std::numeric_limits<double>::quiet_NaN());
  }
  EXPECT_NEAR(traces(trials) / (4 * n_samples), 1, 0.01);
}

// Squared steps have the eigenvalues 2 - 2 cos(pi l / T), and the trace of the hat matrix is a sum over them.
TEST(OwnDegreesOfFreedom, OfSmoothTracesAreTheTraceOfTheHatMatrix) {
  const Trials trials = small();
  FitOptions options = two_categories();
  options.penalties = PenaltyChoice::fixed;
  options.smoothness = 3;
  options.ridge = 0.1;
  const FitResult fitted = fit(trials, options);
  double expected = 0;
  for (const FittedCategory& category : fitted.model.categories)
    for (const Matrix& variant : category.variants)
      for (Index j = 0; j < variant.cols(); ++j)
        expected += std::max(0.0, static_cast<double>((variant.col(j).array() != 0).count()) - 1);
  for (std::size_t m = 0; m < fitted.model.n_trials(); ++m) {
    const Matrix A = fitted.model.loading(m).colwise().normalized();
    const Matrix H = A.transpose() * A, identity = Matrix::Identity(4, 4);
    const auto T = static_cast<double>(fitted.model.traces[m].cols());
    for (double l = 0; l < T; ++l) {
      const double step = 2 - 2 * std::cos(M_PI * l / T);
      expected += ((H + (0.1 + 3 * step) * identity).inverse() * H).trace();
    }
  }
  EXPECT_NEAR(own_degrees_of_freedom(fitted, trials).count, expected, 1e-6 * expected);
}

}  // namespace
}  // namespace milcci
