#include "loop/huber.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "data/channel_sample.hpp"
#include "util/parallel.hpp"

namespace milcci {

HuberTargets huber_targets(const TrialData& data, const Design& design, const State& state,
                           double noise_level, int threads) {
  const double c = kHuberWidth * noise_level;
  const Frame& frame = data.frame();
  std::vector<Matrix> targets(data.n_trials());
  Vector charge_of_trial(static_cast<Index>(data.n_trials()));
  parallel_for(design.blocks.size(), threads, [&](std::size_t b, int) {
    const Design::Block& block = design.blocks[b];
    const Matrix A = loading(design, state.components, static_cast<std::size_t>(block.label));
    TrialBuffer buffer;
    for (const std::size_t m : block.trials) {
      Matrix model = A * state.traces[m].transpose();
      Matrix target = data.stored(m, buffer).in_double(buffer);
      double charge = 0;
      for (Index t = 0; t < target.cols(); ++t)
        for (Index n = 0; n < target.rows(); ++n) {
          const double w = frame.weight_of(n), b_n = frame.offset_of(n);
          const double residual = (target(n, t) - b_n) * w - model(n, t);
          const double kept = std::clamp(residual, -c, c);  // NaN, of a missing entry, stays
          if (!(kept != residual) || std::isnan(residual)) continue;
          charge += 2.0 * c * std::abs(residual - kept);
          target(n, t) = b_n + (model(n, t) + kept) / w;
        }
      charge_of_trial(static_cast<Index>(m)) = charge;
      targets[m] = std::move(target);
    }
  });
  return {data.with_values(std::move(targets), threads), charge_of_trial.sum()};
}

TrialData within_usual_range(const TrialData& data, int threads) {
  // Between which most values lie. Others may be half as far away as these are from each other: what the
  // search sees of an outlier should not be worth a component.
  constexpr double kLow = 0.05, kMargin = 0.5;
  const Matrix sample = some_times(data);
  Vector least(data.n_channels()), most(data.n_channels());
  for (Index n = 0; n < data.n_channels(); ++n) {
    const double low = quantile(sample.row(n), kLow), high = quantile(sample.row(n), 1.0 - kLow);
    const bool has_range = high > low;  // else the channel is nearly always the same, and events are rare
    least(n) = has_range ? low - kMargin * (high - low) : -std::numeric_limits<double>::infinity();
    most(n) = has_range ? high + kMargin * (high - low) : std::numeric_limits<double>::infinity();
  }
  std::vector<Matrix> targets(data.n_trials());
  parallel_for(data.n_trials(), threads, [&](std::size_t m, int) {
    TrialBuffer buffer;
    Matrix target = data.stored(m, buffer).in_double(buffer);
    for (Index t = 0; t < target.cols(); ++t)
      for (Index n = 0; n < target.rows(); ++n) {
        if (target(n, t) < least(n)) target(n, t) = least(n);
        if (target(n, t) > most(n)) target(n, t) = most(n);
      }
    targets[m] = std::move(target);
  });
  return data.with_values(std::move(targets), threads);
}

}  // namespace milcci
