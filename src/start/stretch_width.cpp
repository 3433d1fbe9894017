// Two questions, each answered by what does not depend on offsets of channels:
//
// How much is noise? With white noise of variance s, half the mean squared difference of values h
// time points apart is s + V(h), where V is of the signal and V(0) = 0. Of a slow signal, V(2) is
// about 2 V(1) if it is rough and 4 V(1) if it is smooth, so 2 (s + V(1)) - (s + V(2)) is s or
// less. Noise that is itself smooth counts as signal, and a fast signal as noise.
//
// How long does the signal last? Noise is each channel's own, so what two channels have in common
// is signal, fast or slow. S_w is the covariance of the channels' means over w time points. Its
// entries off the diagonal stay as they are while the signal is slow, and shrink once w is too
// long.
#include "start/stretch_width.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "start/stretches.hpp"
#include "util/ordered_sum.hpp"

namespace milcci {
namespace {

constexpr Index kMaxWidth = 32;
// The sample: blocks of consecutive time points, about so many in all, of at most so many channels.
constexpr Index kBlock = 4 * kMaxWidth, kFewTimes = 8192, kMaxChannels = 64;
// Covariances under noise that is r times the signal are taken from r times as many, up to this.
constexpr double kMostSamples = 8;
// The share of the covariances between channels that must be left.
constexpr double kKept = 0.7;

// Blocks and channels are evenly spread over the data. NaN = missing.
struct Sample {
  std::vector<Matrix> blocks;
  Index n_channels = 0;
  int threads = 1;
};

Sample take_sample(const TrialData& data, double n_wanted, int threads) {
  const Index channel_step = (data.n_channels() + kMaxChannels - 1) / kMaxChannels;
  Sample sample{
      .blocks = {}, .n_channels = (data.n_channels() + channel_step - 1) / channel_step, .threads = threads};
  Index n_times = 0;
  for (std::size_t m = 0; m < data.n_trials(); ++m) n_times += data.n_times(m);
  // Multiples of the golden ratio fall evenly on [0, 1), in step with nothing in the data.
  const double share = n_wanted / static_cast<double>(n_times);
  double next = 0.0;
  TrialBuffer buffer;
  for (std::size_t m = 0; m < data.n_trials(); ++m) {
    std::vector<Stretch> chosen;
    for (const Stretch& stretch : stretches(data, m, kBlock)) {
      next += std::numbers::phi - 1.0;
      if (next - std::floor(next) < share) chosen.push_back(stretch);
    }
    if (chosen.empty()) continue;
    data.stored(m, buffer).visit([&](const auto& y) {
      const auto channels = Eigen::seqN(0, sample.n_channels, channel_step);
      for (const auto& [begin, length] : chosen)
        sample.blocks.emplace_back(y(channels, Eigen::seqN(begin, length)).template cast<double>());
    });
  }
  return sample;
}

// Sum and number of those that are not NaN.
struct Sum {
  double value = 0.0, count = 0.0;

  template <class Values>
  static Sum of(const Values& x) {
    const auto is_observed = x == x;
    return {is_observed.select(x, 0.0).sum(), static_cast<double>(is_observed.count())};
  }
  void add(const Sum& other) {
    value += other.value;
    count += other.count;
  }
  double mean() const { return count > 0 ? value / count : 0.0; }
};

struct Powers {
  double noise = 0.0, signal = 0.0;
};

Powers powers(const Sample& sample) {
  struct Part {
    Sum lag1, lag2;
    std::vector<Sum> values, squares;  // per channel
  };
  const auto n_channels = static_cast<std::size_t>(sample.n_channels);
  const Part nothing{{}, {}, std::vector<Sum>(n_channels), std::vector<Sum>(n_channels)};
  Part all = nothing;
  const auto make = [&](std::size_t b, int, Part& part) {
    const Matrix& y = sample.blocks[b];
    const auto squared_steps = [&](Index lag) {
      const Index n = std::max(Index{0}, y.cols() - lag);
      const Eigen::ArrayXXd steps = 0.5 * (y.rightCols(n) - y.leftCols(n)).array().square();
      return Sum::of(steps);
    };
    part.lag1 = squared_steps(1);
    part.lag2 = squared_steps(2);
    for (std::size_t n = 0; n < n_channels; ++n) {
      const Eigen::ArrayXd channel = y.row(static_cast<Index>(n));
      part.values[n] = Sum::of(channel);
      part.squares[n] = Sum::of(channel.square().eval());
    }
  };
  const auto add = [&](std::size_t, const Part& part) {
    all.lag1.add(part.lag1);
    all.lag2.add(part.lag2);
    for (std::size_t n = 0; n < n_channels; ++n) {
      all.values[n].add(part.values[n]);
      all.squares[n].add(part.squares[n]);
    }
  };
  sum_over_blocks(sample.blocks.size(), sample.threads, nothing, make, add);
  Sum variance;
  for (std::size_t n = 0; n < n_channels; ++n)
    variance.add({all.squares[n].value - all.values[n].value * all.values[n].mean(), all.squares[n].count});
  if (all.lag2.count == 0) return {};
  const double noise = std::max(0.0, 2.0 * all.lag1.mean() - all.lag2.mean());
  return {.noise = noise, .signal = std::max(0.0, variance.mean() - noise)};
}

// S_w of either half of the data, of which only the lower triangle is filled.
struct Covariances {
  Matrix halves[2];
};

// Missing entries count as zero at every width, so that S_w lacks the same share at all of them.
Covariances covariances(const Sample& sample, Index width) {
  struct Part {
    Matrix S;
    Index n_means = 0;
  };
  const Part nothing{Matrix::Zero(sample.n_channels, sample.n_channels), 0};
  Part halves[] = {nothing, nothing};
  const auto make = [&](std::size_t b, int, Part& part) {
    Matrix y = sample.blocks[b];
    for (Index n = 0; n < y.rows(); ++n) {
      const double mean = Sum::of(y.row(n).array()).mean();
      for (Index t = 0; t < y.cols(); ++t) y(n, t) = std::isnan(y(n, t)) ? 0.0 : y(n, t) - mean;
    }
    part.n_means = y.cols() / width;
    Matrix means(y.rows(), part.n_means);
    for (Index i = 0; i < part.n_means; ++i) means.col(i) = y.middleCols(i * width, width).rowwise().mean();
    part.S.setZero();
    if (part.n_means > 0) part.S.selfadjointView<Eigen::Lower>().rankUpdate(means);  // Eigen divides by it
  };
  const auto add = [&](std::size_t b, const Part& part) {
    halves[b % 2].S += part.S;
    halves[b % 2].n_means += part.n_means;
  };
  sum_over_blocks(sample.blocks.size(), sample.threads, nothing, make, add);
  for (Part& half : halves) half.S /= static_cast<double>(std::max(Index{1}, half.n_means));
  return {{halves[0].S, halves[1].S}};
}

// Products of covariances between channels, summed. One factor is of either half, because the noise
// of a square would not average out.
double in_common(const Covariances& x, const Covariances& y) {
  const auto between_channels = [](const Matrix& a, const Matrix& b) {
    return a.cwiseProduct(b).sum() - a.diagonal().dot(b.diagonal());
  };
  return between_channels(x.halves[0], y.halves[1]) + between_channels(x.halves[1], y.halves[0]);
}

}  // namespace

Index stretch_width(const TrialData& data, int threads) {
  const auto [noise, signal] = powers(take_sample(data, kFewTimes, threads));
  Index width = 1;
  while (width < kMaxWidth && noise > signal * static_cast<double>(width)) width *= 2;
  if (width == 1) return 1;
  const double n_samples = signal > 0 ? std::min(noise / signal, kMostSamples) : kMostSamples;
  const Sample sample = take_sample(data, n_samples * kFewTimes, threads);
  const Covariances at_once = covariances(sample, 1);
  const double enough = kKept * std::max(0.0, in_common(at_once, at_once));
  while (width > 1 && in_common(at_once, covariances(sample, width)) <= enough) width /= 2;
  return width;
}

}  // namespace milcci
