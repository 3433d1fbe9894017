// From what components and traces make to what a recording shows of it: noise, a baseline, counts, outliers.
//
//   y = clean + noise,   y = y + baseline,   y = Poisson(rate proportional to y),   y = size y for a few
//
// each if asked for. What is known of them goes to the truth, in units of the values.
#include <algorithm>
#include <cmath>

#include "simulate/stages.hpp"

namespace milcci::simulation {
namespace {

double n_entries(const std::vector<Matrix>& values) {
  double n = 0;
  for (const Matrix& trial : values) n += static_cast<double>(trial.size());
  return n;
}

double mean_of(const std::vector<Matrix>& values) {
  double sum = 0;
  for (const Matrix& trial : values) sum += trial.sum();
  return sum / n_entries(values);
}

double standard_deviation(const std::vector<Matrix>& values) {
  const double mean = mean_of(values);
  double squares = 0;
  for (const Matrix& trial : values) squares += (trial.array() - mean).square().sum();
  return std::sqrt(squares / n_entries(values));
}

// Counts keep every channel's mean rate: chance alone. Other values keep nothing.
void remove_signal(bool is_rate, std::vector<Matrix>& values) {
  Vector level = Vector::Zero(values.front().rows());
  double n_times = 0;
  for (const Matrix& trial : values) {
    level += trial.rowwise().sum();
    n_times += static_cast<double>(trial.cols());
  }
  level *= is_rate ? 1.0 / n_times : 0.0;
  for (Matrix& trial : values) trial.colwise() = level;
}

// Log-normal, with a mean square of one.
Vector draw_levels(const SimulateOptions& options) {
  if (options.noise_spread == 0) return Vector::Ones(options.n_channels);
  Random random = random_for(options.seed, Stream::noise_levels);
  const Vector levels = (options.noise_spread * random.normal(options.n_channels, 1)).array().exp();
  return levels / std::sqrt(levels.squaredNorm() / static_cast<double>(levels.size()));
}

// Standard normal at every time point, correlated over time if smoothed. Smoothing reaches beyond the ends of
// the trial, so that the ends are like the middle.
Matrix draw_noise(double smoothing, Index n_channels, Index n_times, Random random) {
  if (smoothing == 0) return random.normal(n_channels, n_times);
  constexpr double kReach = 5;  // in sigmas, as far as `prepare` smooths
  const auto reach = static_cast<Index>(std::ceil(kReach * smoothing));
  Vector kernel(2 * reach + 1);
  for (Index d = -reach; d <= reach; ++d) {
    const double x = static_cast<double>(d) / smoothing;
    kernel(d + reach) = std::exp(-0.5 * x * x);
  }
  kernel.normalize();
  const Matrix white = random.normal(n_channels, n_times + 2 * reach);
  Matrix noise(n_channels, n_times);
  for (Index t = 0; t < n_times; ++t) noise.col(t) = white.middleCols(t, kernel.size()) * kernel;
  return noise;
}

Vector add_noise(const SimulateOptions& options, double deviation, std::vector<Matrix>& values) {
  const Vector levels = options.noise * deviation * draw_levels(options);
  for (std::size_t m = 0; m < values.size(); ++m)
    values[m] += levels.asDiagonal() * draw_noise(options.noise_smoothing, values[m].rows(), values[m].cols(),
                                                  random_for(options.seed, Stream::noise, 0, m));
  return levels;
}

Vector add_baseline(const SimulateOptions& options, double deviation, std::vector<Matrix>& values) {
  Random random = random_for(options.seed, Stream::baseline);
  Vector baseline(options.n_channels);
  for (double& level : baseline) {
    level = options.baseline * deviation * random.uniform(0.5, 1.5);
    if (options.is_signed && random.uniform() < 0.5) level = -level;
  }
  for (Matrix& trial : values) trial.colwise() += baseline;
  return baseline;
}

// By inversion, in pieces of means that exp can hold: one uniform number each, and as many steps as counts.
double poisson(double mean, Random& random) {
  constexpr double kPiece = 100;
  double count = 0;
  while (mean > 0) {
    const double piece = std::min(mean, kPiece);
    mean -= piece;
    double left = random.uniform(), share = std::exp(-piece);
    // Beyond this no share is above the rounding of what is left.
    for (double n = 1; left >= share && n < 3 * kPiece; ++n) {
      left -= share;
      share *= piece / n;
      ++count;
    }
  }
  return count;
}

void draw_counts(const SimulateOptions& options, std::vector<Matrix>& values, Truth& truth) {
  const double mean = mean_of(values), factor = mean > 0 ? options.counts / mean : 0.0;
  for (std::size_t m = 0; m < values.size(); ++m) {
    Random random = random_for(options.seed, Stream::counts, 0, m);
    for (Index e = 0; e < values[m].size(); ++e)
      values[m].data()[e] = poisson(factor * values[m].data()[e], random);
  }
  for (Matrix& trial : truth.traces) trial *= factor;
  truth.offset *= factor;
}

void multiply_outliers(const SimulateOptions& options, std::vector<Matrix>& values) {
  for (std::size_t m = 0; m < values.size(); ++m) {
    Random random = random_for(options.seed, Stream::outliers, 0, m);
    for (Index e = 0; e < values[m].size(); ++e)
      if (random.uniform() < options.outliers) values[m].data()[e] *= options.outlier_size;
  }
}

}  // namespace

void observe(const SimulateOptions& options, std::vector<Matrix>& values, Truth& truth) {
  const double deviation = standard_deviation(values);
  if (options.pure_noise) remove_signal(options.counts > 0, values);
  if (options.noise > 0) truth.noise = add_noise(options, deviation, values);
  if (options.baseline > 0) truth.offset = add_baseline(options, deviation, values);
  if (options.counts > 0) draw_counts(options, values, truth);
  if (options.outliers > 0) multiply_outliers(options, values);
}

}  // namespace milcci::simulation
