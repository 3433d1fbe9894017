#include "data/channel_sample.hpp"

#include <algorithm>
#include <cmath>

#include "util/percentile.hpp"

namespace milcci {

Matrix some_times(const TrialData& data) {
  constexpr Index kMostTimes = 4096, kMostValues = 1 << 22;
  Index n_times = 0;
  for (std::size_t m = 0; m < data.n_trials(); ++m) n_times += data.n_times(m);
  const Index wanted = std::min(kMostTimes, std::max(Index{64}, kMostValues / data.n_channels()));
  const Index step = std::max(Index{1}, n_times / wanted);
  Matrix sample(data.n_channels(), (n_times + step - 1) / step);
  TrialBuffer buffer;
  // One of every `step`, now early and now late, so that trials as long as a step show more than one of their
  // time points.
  constexpr double kGolden = 0.6180339887498949;
  const auto position = [&](Index column) {
    const double late = static_cast<double>(column) * kGolden;
    const auto within = static_cast<Index>((late - std::floor(late)) * static_cast<double>(step));
    return std::min(column * step + within, n_times - 1);
  };
  Index first = 0, column = 0;  // of the trial
  for (std::size_t m = 0; m < data.n_trials(); ++m) {
    const Index T = data.n_times(m);
    if (column < sample.cols() && position(column) < first + T) {
      const auto y = data.stored(m, buffer).in_double(buffer);
      for (; column < sample.cols() && position(column) < first + T; ++column)
        sample.col(column) = y.col(position(column) - first);
    }
    first += T;
  }
  return sample;
}

double quantile(const Eigen::Ref<const Eigen::RowVectorXd, 0, Eigen::InnerStride<>>& channel, double share) {
  std::vector<double> values;
  for (const double value : channel)
    if (!std::isnan(value)) values.push_back(value);
  return values.empty() ? 0.0 : percentile(std::move(values), share);
}

}  // namespace milcci
