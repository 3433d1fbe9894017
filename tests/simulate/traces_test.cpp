// True traces are samples of the process they claim to be, shared by the trials that share an option.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "milcci/simulate.hpp"
#include "support/truth_model.hpp"

namespace milcci {
namespace {

double correlation(const Vector& a, const Vector& b) {
  const Vector x = a.array() - a.mean(), y = b.array() - b.mean();
  return x.dot(y) / (x.norm() * y.norm());
}

SimulateOptions small() {
  SimulateOptions options;
  options.n_channels = 20;
  options.n_trials = 60;
  options.min_length = options.max_length = 100;
  return options;
}

double percentile98(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const double rank = 0.98 * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(rank);
  return values[below] + (rank - static_cast<double>(below)) * (values[below + 1] - values[below]);
}

// Mean correlation between the traces of one component in pairs of trials, apart for pairs that share the
// option of the category at `k` and pairs that do not.
std::pair<double, double> mean_correlations(const Trials& trials, Index component, std::size_t k) {
  const auto option = true_option_of_trial(trials, trials.truth->categories[k]);
  double sum[2] = {0, 0}, n[2] = {0, 0};
  for (std::size_t a = 0; a < trials.n_trials(); ++a)
    for (std::size_t b = 0; b < a; ++b) {
      const bool is_shared = option[a] == option[b];
      sum[is_shared] += correlation(trials.truth->traces[a].row(component).transpose(),
                                    trials.truth->traces[b].row(component).transpose());
      n[is_shared] += 1;
    }
  return {sum[1] / n[1], sum[0] / n[0]};
}

TEST(SimulatedTraces, HaveTheCovarianceOfTheirKernel) {
  SimulateOptions options;
  options.categories = {{"fixed", 1, 1, CategoryKind::fixed}};
  options.n_channels = 2;
  options.n_trials = 20000;
  options.min_length = options.max_length = 11;
  options.n_free_traces = 1;
  options.is_signed = true;
  options.amplitude_min = options.amplitude_max = 0.7;
  options.length_scale_min = options.length_scale_max = 0.15;
  const Trials trials = simulate(options);
  Matrix covariance = Matrix::Zero(11, 11);
  for (const Matrix& trace : trials.truth->traces) covariance += trace.transpose() * trace;
  covariance /= covariance.diagonal().mean();  // traces were scaled to the memberships' percentile
  for (Index s = 0; s < 11; ++s)
    for (Index t = 0; t < 11; ++t) {
      const double distance = 0.1 * static_cast<double>(s - t) / 0.15;
      EXPECT_NEAR(covariance(s, t), std::exp(-0.5 * distance * distance), 0.05);
    }
}

TEST(SimulatedTraces, AreAlikeInTrialsThatShareTheOptionTheyFollow) {
  SimulateOptions options = small();
  options.shift = Shift::none;
  const Trials trials = simulate(options);
  // Components 1 and 2 follow choice, component 3 follows difficulty (see src/simulate/traces.cpp).
  const std::vector<std::pair<Index, std::size_t>> follows{{1, 1}, {2, 1}, {3, 0}};
  for (const auto& [component, k] : follows) {
    const auto [shared, other] = mean_correlations(trials, component, k);
    EXPECT_GT(shared, 0.75) << "component " << component;
    EXPECT_LT(other, 0.6) << "component " << component;
  }
}

// The mean trace of one component over the trials of each option of the category at `k`.
std::vector<Vector> mean_by_option(const Trials& trials, Index component, std::size_t k) {
  const auto option = true_option_of_trial(trials, trials.truth->categories[k]);
  std::vector<Vector> mean(trials.truth->categories[k].variants.size());
  for (std::size_t m = 0; m < trials.n_trials(); ++m) {
    const Vector trace = trials.truth->traces[m].row(component).transpose();
    Vector& sum = mean[static_cast<std::size_t>(option[m])];
    if (sum.size() == 0) sum.setZero(trace.size());
    sum += trace;
  }
  return mean;  // correlations do not ask for the number of trials
}

TEST(SimulatedTraces, ShareTheirMeanOverAllOptionsIfAsked) {
  SimulateOptions options = small();
  options.perturbation = 0;
  const Trials by_label = simulate(options);
  options.traces = MeanTraces::shared;
  const Trials shared = simulate(options);
  for (Index component = 1; component < 4; ++component)  // the first one is free
    for (std::size_t k = 0; k < 2; ++k) {
      const auto means = mean_by_option(shared, component, k);
      for (std::size_t i = 1; i < means.size(); ++i)
        EXPECT_GT(correlation(means[0], means[i]), 0.999) << "component " << component << ", option " << i;
    }
  const auto means = mean_by_option(by_label, 2, 1);  // follows its own category
  EXPECT_LT(correlation(means[0], means[1]), 0.6);
}

TEST(SimulatedTraces, OfTheFirstComponentsAreNewInEveryTrial) {
  SimulateOptions options = small();
  options.n_free_traces = 2;
  const Trials trials = simulate(options);
  for (Index component = 0; component < 2; ++component)
    for (std::size_t k = 0; k < 2; ++k) EXPECT_LT(mean_correlations(trials, component, k).first, 0.3);
}

TEST(SimulatedTraces, WithoutPerturbationRepeatWithinAnOption) {
  SimulateOptions options = small();
  options.perturbation = 0;
  const Trials trials = simulate(options);
  EXPECT_GT(mean_correlations(trials, 1, 1).first, 0.999);  // all but the white noise
}

TEST(SimulatedTraces, OfUnequalLengthsShareOneMean) {
  SimulateOptions options = small();
  options.perturbation = 0;
  options.min_length = 51;
  options.max_length = 101;
  options.shift = Shift::none;
  const Trials trials = simulate(options);
  const auto choice = true_option_of_trial(trials, trials.truth->categories[1]);
  const auto at_middle = [&](std::size_t m) {
    const auto trace = trials.truth->traces[m].row(1);
    return 0.5 * (trace((trace.size() - 1) / 2) + trace(trace.size() / 2));
  };
  for (std::size_t m = 1; m < trials.n_trials(); ++m)
    if (choice[m] == choice[0]) {
      EXPECT_NEAR(at_middle(m), at_middle(0), 0.02);
      EXPECT_NEAR(trials.truth->traces[m](1, 0), trials.truth->traces[0](1, 0), 0.002);
    }
}

TEST(SimulatedTraces, TouchZeroInEveryTrialWhenEachIsShifted) {
  const Trials trials = simulate(small());
  for (const Matrix& trial : trials.truth->traces)
    for (Index p = 0; p < trial.rows(); ++p) EXPECT_EQ(trial.row(p).minCoeff(), 0.0);
  for (const Matrix& trial : trials.values) EXPECT_GE(trial.minCoeff(), 0.0);
}

TEST(SimulatedTraces, TouchZeroOnceWhenTheComponentIsShifted) {
  SimulateOptions options = small();
  options.shift = Shift::component;
  const Trials trials = simulate(options);
  for (Index p = 0; p < 4; ++p) {
    int n_zero = 0;
    for (const Matrix& trial : trials.truth->traces) {
      EXPECT_GE(trial.row(p).minCoeff(), 0.0);
      n_zero += static_cast<int>((trial.row(p).array() == 0.0).count());
    }
    EXPECT_EQ(n_zero, 1);
  }
}

TEST(SimulatedTraces, HaveBothSignsWhenNotShiftedOrSigned) {
  SimulateOptions unshifted = small(), is_signed = small();
  unshifted.shift = Shift::none;
  is_signed.is_signed = true;
  for (const auto& options : {unshifted, is_signed}) {
    double low = 0, high = 0;
    const Trials trials = simulate(options);
    for (const Matrix& trial : trials.truth->traces) {
      low = std::min(low, trial.minCoeff());
      high = std::max(high, trial.maxCoeff());
    }
    EXPECT_LT(low, -0.3);
    EXPECT_GT(high, 0.3);
  }
}

TEST(SimulatedTraces, HaveThe98thPercentileOfTheirComponent) {
  const Trials trials = simulate(small());
  Index position = 0;
  for (const CategoryComponents& category : trials.truth->categories)
    for (Index j = 0; j < category.n_components(); ++j, ++position) {
      std::vector<double> memberships, activity;
      for (const Matrix& variant : category.variants)
        for (Index n = 0; n < variant.rows(); ++n) memberships.push_back(variant(n, j));
      for (const Matrix& trial : trials.truth->traces)
        for (Index t = 0; t < trial.cols(); ++t) activity.push_back(trial(position, t));
      EXPECT_NEAR(percentile98(activity), percentile98(memberships), 1e-12);
    }
}

}  // namespace
}  // namespace milcci
