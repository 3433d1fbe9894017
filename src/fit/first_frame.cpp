#include "fit/first_frame.hpp"

#include <algorithm>
#include <cmath>

#include "util/percentile.hpp"

namespace milcci {
namespace {

// Time points evenly spread over the trials, as the fit sees them: a few thousand, fewer of many channels.
Matrix some_times(const TrialSource& trials, Transform transform) {
  constexpr Index kMostTimes = 4096, kMostValues = 1 << 22;
  Index n_times = 0;
  for (std::size_t m = 0; m < trials.n_trials(); ++m) n_times += trials.n_times(m);
  const Index wanted = std::min(kMostTimes, std::max(Index{64}, kMostValues / trials.n_channels()));
  const Index step = std::max(Index{1}, n_times / wanted);
  Matrix sample(trials.n_channels(), (n_times + step - 1) / step);
  TrialBuffer buffer;
  Index next = 0, column = 0;
  for (std::size_t m = 0; m < trials.n_trials(); ++m) {
    const Index T = trials.n_times(m);
    if (next < T) {
      const auto y = trials.doubles(m, buffer);
      for (; next < T; next += step) sample.col(column++) = y.col(next);
    }
    next -= T;
  }
  if (transform == Transform::tanh) sample = sample.array().tanh();
  return sample;
}

// The value below which 2 % of the observed ones lie.
double low_value(const Eigen::Ref<const Eigen::RowVectorXd, 0, Eigen::InnerStride<>>& channel) {
  constexpr double kLow = 0.02;
  std::vector<double> values;
  for (const double value : channel)
    if (!std::isnan(value)) values.push_back(value);
  return values.empty() ? 0.0 : percentile(std::move(values), kLow);
}

}  // namespace

Frame first_frame(const TrialSource& trials, const TrialData& data, const FitOptions& options) {
  Frame frame;
  if (!has_offset(options)) return frame;
  const ChannelSums& sums = data.channel_sums();
  const Vector mean = sums.sum.array() / sums.count.array().max(1.0);
  if (options.nonnegative == NonNegative::none || options.nonnegative == NonNegative::components) {
    frame.offset = mean;
    return frame;
  }
  constexpr double kFar = 3.0, kBelowZero = 0.1;
  Vector offset = Vector::Zero(data.n_channels());
  Matrix sample;
  for (Index n = 0; n < data.n_channels(); ++n) {
    if (!(sums.count(n) > 1)) continue;
    const double deviation = std::sqrt(std::max(0.0, sums.squares(n) / sums.count(n) - mean(n) * mean(n)));
    const bool is_negative = mean(n) < -kBelowZero * deviation;   // only a baseline can make it so
    if (!is_negative && !(mean(n) > kFar * deviation)) continue;  // cannot have a baseline that far
    if (sample.size() == 0) sample = some_times(trials, options.transform);
    const double low = low_value(sample.row(n));
    if (is_negative || low > kFar * deviation) offset(n) = low;
  }
  if ((offset.array() != 0).any()) frame.offset = offset;
  return frame;
}

}  // namespace milcci
