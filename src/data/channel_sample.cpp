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
  Index next = 0, column = 0;
  for (std::size_t m = 0; m < data.n_trials(); ++m) {
    const Index T = data.n_times(m);
    if (next < T) {
      const auto y = data.stored(m, buffer).in_double(buffer);
      for (; next < T; next += step) sample.col(column++) = y.col(next);
    }
    next -= T;
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
