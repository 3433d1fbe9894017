#include "fit/first_frame.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "data/channel_sample.hpp"
#include "util/percentile.hpp"

namespace milcci {

namespace {

// Every channel at unit variance, about its mean. Missing entries are as the mean.
Matrix standardised(Matrix sample) {
  for (Index n = 0; n < sample.rows(); ++n) {
    const auto is_observed = !sample.row(n).array().isNaN();
    const double count = std::max(1.0, static_cast<double>(is_observed.count()));
    const double mean = is_observed.select(sample.row(n).array(), 0.0).sum() / count;
    sample.row(n) = is_observed.select(sample.row(n).array() - mean, 0.0).eval();
    if (const double size = sample.row(n).norm(); size > 0)
      sample.row(n) *= std::sqrt(static_cast<double>(sample.cols())) / size;
  }
  return sample;
}

// Whether channels have no more in common than noise has: the largest eigenvalue of the correlations of N
// channels over T time points is then about (1 + sqrt(N / T))^2.
bool shares_nothing(const TrialData& data) {
  constexpr double kAboveNoise = 1.1;
  const Matrix Y = standardised(some_times(data));
  const double edge = std::sqrt(static_cast<double>(Y.rows())) + std::sqrt(static_cast<double>(Y.cols()));
  const Matrix gram = Y.rows() <= Y.cols() ? Matrix(Y * Y.transpose()) : Matrix(Y.transpose() * Y);
  return Eigen::SelfAdjointEigenSolver<Matrix>(gram, Eigen::EigenvaluesOnly).eigenvalues().maxCoeff() <
         kAboveNoise * edge * edge;
}

// As if all of the variance were noise.
Vector weights_of_deviations(const ChannelSums& sums, const Vector& mean) {
  constexpr double kLeast = 0.1;  // of the usual deviation
  const Vector deviation =
      (sums.squares.array() / sums.count.array().max(1.0) - mean.array().square()).max(0.0).sqrt();
  const double usual = percentile({deviation.begin(), deviation.end()}, 0.5);
  if (!(usual > 0)) return {};
  return usual / deviation.array().max(kLeast * usual);
}

}  // namespace

Frame first_frame(const TrialData& data, const FitOptions& options) {
  Frame frame;
  if (!has_offset(options)) return frame;
  const ChannelSums& sums = data.channel_sums();
  const Vector mean = sums.sum.array() / sums.count.array().max(1.0);
  if (options.nonnegative == NonNegative::none || options.nonnegative == NonNegative::components) {
    frame.offset = mean;
    // Loud channels would be described one by one.
    if (has_noise_levels(options) && shares_nothing(data)) frame.weight = weights_of_deviations(sums, mean);
    return frame;
  }
  constexpr double kFar = 3.0, kBelowZero = 0.1, kLow = 0.02;
  Vector offset = Vector::Zero(data.n_channels());
  Matrix sample;
  for (Index n = 0; n < data.n_channels(); ++n) {
    if (!(sums.count(n) > 1)) continue;
    const double deviation = std::sqrt(std::max(0.0, sums.squares(n) / sums.count(n) - mean(n) * mean(n)));
    const bool is_negative = mean(n) < -kBelowZero * deviation;   // only a baseline can make it so
    if (!is_negative && !(mean(n) > kFar * deviation)) continue;  // cannot have a baseline that far
    if (sample.size() == 0) sample = some_times(data);
    const double low = quantile(sample.row(n), kLow);
    if (is_negative || low > kFar * deviation) offset(n) = low;
  }
  if ((offset.array() != 0).any()) frame.offset = offset;
  return frame;
}

}  // namespace milcci
