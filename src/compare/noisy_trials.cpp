#include "compare/noisy_trials.hpp"

#include <algorithm>
#include <cmath>

#include "util/random.hpp"

namespace milcci {

TrialSource noisy_trials(const TrialSource& trials, double share, std::uint64_t seed) {
  Trials copy;
  copy.channel_names = trials.channel_names();
  copy.channel_groups = trials.channel_groups();
  copy.times = trials.times();
  copy.trial_names = trials.trial_names();
  copy.labels = trials.labels();
  copy.history = trials.history();
  double n = 0, sum = 0, squares = 0, least = 0;
  TrialBuffer buffer;
  for (std::size_t m = 0; m < trials.n_trials(); ++m) {
    copy.values.push_back(trials.doubles(m, buffer));
    const auto is_missing = copy.values.back().array().isNaN();
    const Matrix y = is_missing.select(0.0, copy.values.back());
    n += static_cast<double>(y.size() - is_missing.count());
    sum += y.sum();
    squares += y.squaredNorm();
    least = std::min(least, y.minCoeff());
  }
  const double sd = std::sqrt(std::max(0.0, squares / n - (sum / n) * (sum / n)));
  for (std::size_t m = 0; m < copy.values.size(); ++m) {
    constexpr std::uint64_t kNoise = std::uint64_t{1} << 32;  // not the streams of starts
    Random random(seed, kNoise + m);
    Matrix& y = copy.values[m];
    y += share * sd * random.normal(y.rows(), y.cols());
    if (least >= 0) y = y.array().isNaN().select(y, y.cwiseMax(0.0));
  }
  return TrialSource(std::move(copy));
}

}  // namespace milcci
