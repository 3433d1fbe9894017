#include "loop/residuals.hpp"

#include <algorithm>

#include "util/ordered_sum.hpp"

namespace milcci {

bool has_measured_lags(std::size_t trial, std::size_t n_trials) {
  constexpr std::size_t kTrials = 32;
  return trial % std::max<std::size_t>(1, n_trials / kTrials) == 0;
}

Vector lagged_products(const Eigen::Ref<const Matrix>& x) {
  Vector sums = Vector::Zero(kLags);
  for (Index h = 0; h < std::min(kLags, x.cols()); ++h)
    sums(h) = x.leftCols(x.cols() - h).cwiseProduct(x.rightCols(x.cols() - h)).sum();
  return sums;
}

namespace {

// Lags of some trials, and of others nothing, need no more than those trials.
Vector lags_of_some(const TrialData& data, const Design& design, const State& state) {
  Vector lags = Vector::Zero(kLags);
  TrialBuffer buffer;
  for (std::size_t m = 0; m < data.n_trials(); ++m) {
    if (!has_measured_lags(m, data.n_trials())) continue;
    const Matrix A = loading(design, state.components, static_cast<std::size_t>(design.label_of_trial[m]));
    Matrix r = data.values(m, buffer);
    r.noalias() -= A * state.traces[m].transpose();
    lags += lagged_products(r);
  }
  return lags;
}

}  // namespace

ChannelResiduals channel_residuals(const TrialData& data, const Design& design, const State& state,
                                   const Statistics& statistics, int threads) {
  constexpr double kDigitsLost = 1e-8;
  const ChannelSums& stored = data.channel_sums();
  const Frame& frame = data.frame();
  if (statistics.labels.empty() || data.has_gaps()) return channel_residuals(data, design, state, threads);
  const Index N = data.n_channels();
  ChannelResiduals result{stored.count, Vector(N), Vector(N), {}};
  double energy = 0;
  for (Index n = 0; n < N; ++n) {
    const double b = frame.offset.size() > 0 ? frame.offset(n) : 0.0, w = frame.weight_of(n);
    result.sum(n) = w * (stored.sum(n) - b * stored.count(n));
    result.squares(n) = w * w * (stored.squares(n) - 2.0 * b * stored.sum(n) + b * b * stored.count(n));
    energy += w * w * stored.squares(n);
  }
  std::vector<Vector> trace_sum(design.labels.size(), Vector::Zero(design.n_components()));
  for (std::size_t m = 0; m < state.traces.size(); ++m)
    trace_sum[static_cast<std::size_t>(design.label_of_trial[m])] +=
        state.traces[m].colwise().sum().transpose();
  for (std::size_t l = 0; l < design.labels.size(); ++l) {
    const Matrix A = loading(design, state.components, l);
    const LabelSums& sums = statistics.labels[l];
    result.sum -= A * trace_sum[l];
    result.squares += (A * sums.G - 2.0 * sums.C).cwiseProduct(A).rowwise().sum();
  }
  if (!(result.squares.minCoeff() > -kDigitsLost * energy) || result.squares.sum() < kDigitsLost * energy)
    return channel_residuals(data, design, state, threads);
  result.squares = result.squares.cwiseMax(0.0);
  result.lags = lags_of_some(data, design, state);
  return result;
}

ChannelResiduals channel_residuals(const TrialData& data, const Design& design, const State& state,
                                   int threads) {
  const Vector zero = Vector::Zero(data.n_channels());
  const ChannelResiduals nothing{zero, zero, zero, Vector::Zero(kLags)};
  ChannelResiduals all = nothing;
  const auto of_block = [&](std::size_t b, int, ChannelResiduals& part) {
    part = nothing;
    const Design::Block& block = design.blocks[b];
    const Matrix A = loading(design, state.components, static_cast<std::size_t>(block.label));
    TrialBuffer buffer;
    for (const std::size_t m : block.trials) {
      Matrix r = data.values(m, buffer);
      r.noalias() -= A * state.traces[m].transpose();
      part.count.array() += static_cast<double>(r.cols());
      if (const Gaps* gaps = data.gaps(m))
        for (Index t = 0; t < r.cols(); ++t)
          for (int g = gaps->first[static_cast<std::size_t>(t)];
               g < gaps->first[static_cast<std::size_t>(t) + 1]; ++g) {
            const int n = gaps->channel[static_cast<std::size_t>(g)];
            r(n, t) = 0.0;
            part.count(n) -= 1.0;
          }
      part.sum += r.rowwise().sum();
      part.squares += r.rowwise().squaredNorm();
      if (has_measured_lags(m, data.n_trials())) part.lags += lagged_products(r);
    }
  };
  sum_over_blocks(design.blocks.size(), threads, nothing, of_block,
                  [&](std::size_t, const ChannelResiduals& part) {
                    all.count += part.count;
                    all.sum += part.sum;
                    all.squares += part.squares;
                    all.lags += part.lags;
                  });
  return all;
}

}  // namespace milcci
