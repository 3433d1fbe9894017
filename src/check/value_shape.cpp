// How the values of a channel are distributed: outliers, baselines, and what is below zero.
//
// An outlier is told by its neighbours in time: it differs from the median of the three by more than six
// times what is usual, and the usual is the median deviation of a value from the mean of its two neighbours.
// A signal that is large for a while is none. Where most values are the same as their neighbours, as in
// counts with few events, nothing is usual and nothing is told.
//
// Medians need the values at hand. So they are of a sample: time points at equal steps over all trials.
#include <algorithm>
#include <cmath>
#include <limits>

#include "check/stages.hpp"
#include "data/negative_signal.hpp"
#include "util/percentile.hpp"

namespace milcci::check_stages {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr Index kSampledValues = 400'000, kLeastTimes = 200;
constexpr double kOutlier = 6;               // usual deviations
constexpr double kFarFromZero = 2;           // standard deviations
constexpr double kEdge = 0.01;               // share of values that may be nearer to zero
constexpr double kNormalDeviation = 1.4826;  // of a normal distribution over its median absolute value

// N x sampled time points: values, and those before and after them; NaN where there is none.
struct Sample {
  Matrix before, here, after;
};

Sample draw_sample(const TrialSource& trials) {
  Index n_all = 0;
  for (std::size_t m = 0; m < trials.n_trials(); ++m) n_all += trials.n_times(m);
  const Index N = trials.n_channels();
  const Index step = std::max<Index>(1, n_all / std::max(kLeastTimes, kSampledValues / N));
  const Index n_sampled = (n_all + step - 1) / step;
  Sample sample{Matrix::Constant(N, n_sampled, kNaN), Matrix(N, n_sampled),
                Matrix::Constant(N, n_sampled, kNaN)};
  TrialBuffer buffer;
  for (Index first = 0, next = 0, s = 0, m = 0; m < static_cast<Index>(trials.n_trials()); ++m) {
    const auto y = trials.doubles(static_cast<std::size_t>(m), buffer);
    for (; next < first + y.cols(); next += step, ++s) {
      const Index t = next - first;
      sample.here.col(s) = y.col(t);
      if (t > 0) sample.before.col(s) = y.col(t - 1);
      if (t + 1 < y.cols()) sample.after.col(s) = y.col(t + 1);
    }
    first += y.cols();
  }
  return sample;
}

double median_of_three(double a, double b, double c) {
  return std::max(std::min(a, b), std::min(std::max(a, b), c));
}

// Sums over the sample.
struct Outliers {
  double n = 0, n_all = 0, squares = 0, all_squares = 0;
};

void look_for_outliers(const Sample& sample, Index n, Outliers& outliers) {
  std::vector<double> from_neighbours, from_median;
  double sum = 0, squares = 0, n_values = 0;
  for (Index s = 0; s < sample.here.cols(); ++s) {
    const double before = sample.before(n, s), here = sample.here(n, s), after = sample.after(n, s);
    if (std::isnan(before) || std::isnan(here) || std::isnan(after)) continue;
    from_neighbours.push_back(std::abs(here - 0.5 * (before + after)));
    from_median.push_back(std::abs(here - median_of_three(before, here, after)));
    sum += here, squares += here * here, n_values += 1;
  }
  if (from_neighbours.empty()) return;
  outliers.n_all += n_values;
  outliers.all_squares += std::max(0.0, squares - sum * sum / n_values);
  // Half of the variance of noise is added by the two neighbours.
  const double usual = kNormalDeviation / std::sqrt(1.5) * percentile(from_neighbours, 0.5);
  if (usual == 0) return;
  for (const double away : from_median)
    if (away > kOutlier * usual) outliers.n += 1, outliers.squares += away * away;
}

// How far all but a few values of a channel are from zero, on the same side of it.
double distance_from_zero(const Sample& sample, Index n) {
  std::vector<double> values;
  for (Index s = 0; s < sample.here.cols(); ++s)
    if (!std::isnan(sample.here(n, s))) values.push_back(sample.here(n, s));
  if (values.empty()) return 0;
  return std::max(percentile(values, kEdge), -percentile(values, 1 - kEdge));
}

}  // namespace

void look_at_shape(const TrialSource& trials, const Vector& deviations, ValueCheck& out) {
  const Sample sample = draw_sample(trials);
  const auto name = [&](Index n) { return trials.channel_names()[static_cast<std::size_t>(n)]; };
  Outliers outliers;
  for (Index n = 0; n < trials.n_channels(); ++n) {
    if (!(deviations(n) > 0)) continue;
    look_for_outliers(sample, n, outliers);
    const double distance = distance_from_zero(sample, n) / deviations(n);
    if (distance > kFarFromZero) out.with_baseline.push_back(name(n));
    if (distance > out.farthest) out.farthest = distance, out.farthest_channel = name(n);
  }
  if (outliers.n > 0 && outliers.all_squares > 0) {
    out.outlier_share = outliers.n / outliers.n_all;
    out.outlier_energy = std::min(1.0, outliers.squares / outliers.all_squares);
  }
}

void look_for_negative_channels(const TrialSource& trials, ValueCheck& out) {
  if (!(out.minimum < 0)) return;
  for (const Index n : find_negative_channels(trials))
    out.negative.push_back(trials.channel_names()[static_cast<std::size_t>(n)]);
}

}  // namespace milcci::check_stages
