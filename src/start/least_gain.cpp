#include "start/least_gain.hpp"

#include <algorithm>
#include <cmath>

namespace milcci {

bool is_judged_by_noise(const FitOptions& options) {
  return options.penalties == PenaltyChoice::automatic && !options.redundancy;
}

double least_gain(const TrialData& data, const FitOptions& options, double squared_error) {
  constexpr double kAboveNoise = 1.15;
  const double of_share = options.redundancy.value_or(kDefaultRedundancy) * data.variation();
  if (!is_judged_by_noise(options)) return of_share;
  const auto N = static_cast<double>(data.n_channels());
  double n_times = 0;
  for (std::size_t m = 0; m < data.n_trials(); ++m) n_times += static_cast<double>(data.n_times(m));
  double n_components = 0;
  for (const CategorySpec& category : options.categories) n_components += category.n_components;
  const double n_observed = data.channel_sums().count.sum();
  const double noise = squared_error / std::max(0.1 * n_observed, n_observed - n_components * n_times);
  const double edge = std::sqrt(N) + std::sqrt(n_times);
  return of_share + kAboveNoise * noise * edge * edge;
}

}  // namespace milcci
