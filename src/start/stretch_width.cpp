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
#include <utility>
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

// Blocks and channels are evenly spread over the data. They are read anew for every question: loud noise asks
// for more of them than should be kept. NaN = missing.
class Sample {
 public:
  Sample(const TrialData& data, double n_wanted, int threads)
      : data_(data),
        threads_(threads),
        channel_step_((data.n_channels() + kMaxChannels - 1) / kMaxChannels),
        n_channels_((data.n_channels() + channel_step_ - 1) / channel_step_) {
    Index n_times = 0;
    for (std::size_t m = 0; m < data.n_trials(); ++m) n_times += data.n_times(m);
    // Multiples of the golden ratio fall evenly on [0, 1), in step with nothing in the data.
    const double share = n_wanted / static_cast<double>(n_times);
    double next = 0.0;
    std::size_t n_blocks = 0;
    for (std::size_t m = 0; m < data.n_trials(); ++m) {
      OfTrial of_trial{.trial = m, .first = n_blocks, .blocks = {}};
      for (const Stretch& stretch : stretches(data, m, kBlock)) {
        next += std::numbers::phi - 1.0;
        if (next - std::floor(next) < share) of_trial.blocks.push_back(stretch);
      }
      n_blocks += of_trial.blocks.size();
      if (!of_trial.blocks.empty()) trials_.push_back(std::move(of_trial));
    }
  }

  Index n_channels() const { return n_channels_; }

  /// Parts are made of whole trials, by look(number of the block, its values, part), and added in order.
  template <class Part, class Look, class Add>
  void sum(const Part& nothing, const Look& look, const Add& add) const {
    const auto make = [&](std::size_t i, int, Part& part) {
      const OfTrial& chosen = trials_[i];
      part = nothing;
      TrialBuffer buffer;
      data_.stored(chosen.trial, buffer).visit([&](const auto& y) {
        const auto channels = Eigen::seqN(0, n_channels_, channel_step_);
        for (std::size_t b = 0; b < chosen.blocks.size(); ++b) {
          const auto& [begin, length] = chosen.blocks[b];
          const Matrix values = y(channels, Eigen::seqN(begin, length)).template cast<double>();
          look(chosen.first + b, values, part);
        }
      });
    };
    sum_over_blocks(trials_.size(), threads_, nothing, make,
                    [&](std::size_t, const Part& part) { add(part); });
  }

 private:
  struct OfTrial {
    std::size_t trial, first;  // and the number of its first block
    std::vector<Stretch> blocks;
  };

  const TrialData& data_;
  int threads_;
  Index channel_step_, n_channels_;
  std::vector<OfTrial> trials_;
};

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

    void add(const Part& other) {
      lag1.add(other.lag1);
      lag2.add(other.lag2);
      for (std::size_t n = 0; n < values.size(); ++n) {
        values[n].add(other.values[n]);
        squares[n].add(other.squares[n]);
      }
    }
  };
  const auto n_channels = static_cast<std::size_t>(sample.n_channels());
  const Part nothing{{}, {}, std::vector<Sum>(n_channels), std::vector<Sum>(n_channels)};
  Part all = nothing;
  const auto look = [&](std::size_t, const Matrix& y, Part& part) {
    const auto squared_steps = [&](Index lag) {
      const Index n = std::max(Index{0}, y.cols() - lag);
      const Eigen::ArrayXXd steps = 0.5 * (y.rightCols(n) - y.leftCols(n)).array().square();
      return Sum::of(steps);
    };
    part.lag1.add(squared_steps(1));
    part.lag2.add(squared_steps(2));
    for (std::size_t n = 0; n < n_channels; ++n) {
      const Eigen::ArrayXd channel = y.row(static_cast<Index>(n));
      part.values[n].add(Sum::of(channel));
      part.squares[n].add(Sum::of(channel.square().eval()));
    }
  };
  sample.sum(nothing, look, [&](const Part& part) { all.add(part); });
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
    Covariances S;
    Index n_means[2] = {0, 0};
  };
  const Matrix zero = Matrix::Zero(sample.n_channels(), sample.n_channels());
  const Part nothing{.S = {{zero, zero}}};
  Part all = nothing;
  const auto look = [&](std::size_t b, const Matrix& values, Part& part) {
    Matrix y = values;
    for (Index n = 0; n < y.rows(); ++n) {
      const double mean = Sum::of(y.row(n).array()).mean();
      for (Index t = 0; t < y.cols(); ++t) y(n, t) = std::isnan(y(n, t)) ? 0.0 : y(n, t) - mean;
    }
    const Index n_means = y.cols() / width;
    if (n_means == 0) return;  // Eigen divides by it
    Matrix means(y.rows(), n_means);
    for (Index i = 0; i < n_means; ++i) means.col(i) = y.middleCols(i * width, width).rowwise().mean();
    part.S.halves[b % 2].selfadjointView<Eigen::Lower>().rankUpdate(means);
    part.n_means[b % 2] += n_means;
  };
  sample.sum(nothing, look, [&](const Part& part) {
    for (int half = 0; half < 2; ++half) {
      all.S.halves[half] += part.S.halves[half];
      all.n_means[half] += part.n_means[half];
    }
  });
  for (int half = 0; half < 2; ++half)
    all.S.halves[half] /= static_cast<double>(std::max(Index{1}, all.n_means[half]));
  return all.S;
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
  const auto [noise, signal] = powers(Sample(data, kFewTimes, threads));
  Index width = 1;
  while (width < kMaxWidth && noise > signal * static_cast<double>(width)) width *= 2;
  if (width == 1) return 1;
  const double n_samples = signal > 0 ? std::min(noise / signal, kMostSamples) : kMostSamples;
  const Sample sample(data, n_samples * kFewTimes, threads);
  const Covariances at_once = covariances(sample, 1);
  const double enough = kKept * std::max(0.0, in_common(at_once, at_once));
  while (width > 1 && in_common(at_once, covariances(sample, width)) <= enough) width /= 2;
  return width;
}

}  // namespace milcci
