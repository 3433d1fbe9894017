// Every channel is predicted once, from the channels of all other folds, and the predictions are scored by
//
//   R2 = 1 - sum of squared errors / sum of squares about each channel's mean
//
// and of counts y with predicted rates r and the channel's mean rate c
//
//   bits per spike = sum (y log2(r / c) - (r - c) / ln 2) / sum y,   r = max(prediction, c / 100)
//
// which is the Poisson likelihood of the predictions over that of the means. A rate of zero would make any
// spike impossible, and predictions of squared errors may be zero or negative: the floor bounds what one
// spike can cost to log2(100) = 6.6 bits.
#include "evaluate/channel_folds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <utility>

#include "core/field_checks.hpp"
#include "evaluate/scores.hpp"
#include "milcci/error.hpp"
#include "util/random.hpp"

namespace milcci {
namespace {

void check_options(const CoSmoothingOptions& options, Index n_channels) {
  if (n_channels < 2)
    throw Error(ErrorKind::bad_input,
                fmt::format("co-smoothing: the trials have {} channel, expected at least 2; a single channel "
                            "has no other to be predicted from, evaluate without co-smoothing",
                            n_channels));
  std::vector<std::string> problems;
  visit_fields(options, [&](Field field, const auto& value) {
    if (std::string(field.name) == "folds") field.maximum = static_cast<double>(n_channels);
    check_field(fmt::format("co-smoothing of {} channels: ", n_channels), field, value, problems);
  });
  if (!problems.empty()) throw Error(ErrorKind::bad_option, problems.front());
}

// Some channels of one trial as the model describes them; NaN = missing.
Matrix rows_of(const Eigen::Map<const Matrix>& values, const Channels& channels, Transform transform) {
  Matrix rows = values(channels, Eigen::all);
  if (transform == Transform::tanh) rows = rows.array().tanh();
  return rows;
}

// Per channel, over observed entries: spikes, and their mean. Empty if the data are no counts, or none are
// left after the transform.
struct Spikes {
  Vector count, mean;
  bool are_there() const { return count.size() > 0 && count.sum() > 0; }
};

Spikes count_spikes(const TrialSource& trials, Transform transform) {
  if (transform != Transform::none) return {};
  Spikes spikes{Vector::Zero(trials.n_channels()), Vector::Zero(trials.n_channels())};
  Vector n_observed = Vector::Zero(trials.n_channels());
  TrialBuffer buffer;
  for (std::size_t m = 0; m < trials.n_trials(); ++m) {
    const auto y = trials.doubles(m, buffer);
    const auto is_observed = !y.array().isNaN();
    if ((is_observed && !(y.array() >= 0.0 && y.array() == y.array().floor())).any()) return {};
    spikes.count += is_observed.select(y, 0.0).rowwise().sum();
    n_observed += is_observed.cast<double>().rowwise().sum().matrix();
  }
  spikes.mean = spikes.count.array() / n_observed.array().max(1.0);
  return spikes;
}

// Per channel: squared errors of the predictions and, of counts, the bits that they tell.
struct Sums {
  Vector squares, bits;
};

double bits_of(const Matrix& counts, const Matrix& predictions, Index row, double mean) {
  constexpr double kFloor = 0.01;  // of the channel's mean rate
  double bits = 0;
  for (Index t = 0; t < counts.cols(); ++t) {
    if (std::isnan(counts(row, t))) continue;
    const double rate = std::max(predictions(row, t), kFloor * mean);
    if (counts(row, t) > 0) bits += counts(row, t) * std::log2(rate / mean);
    bits -= (rate - mean) / std::numbers::ln2;
  }
  return bits;
}

// Adds what comes of the predictions of the channels `out`.
void score_fold(const TrialSource& trials, const Channels& out, const PredictTrial& predict,
                const Spikes& spikes, Transform transform, Sums& sums) {
  TrialBuffer buffer;
  for (std::size_t m = 0; m < trials.n_trials(); ++m) {
    const Matrix values = rows_of(trials.doubles(m, buffer), out, transform);
    const Matrix predictions = predict(m);
    sums.squares(out) += squares_of_rows(values - predictions);
    if (!spikes.are_there()) continue;
    for (std::size_t i = 0; i < out.size(); ++i)
      sums.bits(out[i]) += bits_of(values, predictions, static_cast<Index>(i), spikes.mean(out[i]));
  }
}

}  // namespace

std::vector<int> deal_channels(Index n_channels, const CoSmoothingOptions& options) {
  std::vector<std::size_t> order(static_cast<std::size_t>(n_channels));
  std::iota(order.begin(), order.end(), std::size_t{0});
  Random random(options.seed, 0);
  for (std::size_t last = order.size() - 1; last > 0; --last)
    std::swap(order[last], order[static_cast<std::size_t>(random.below(static_cast<Index>(last) + 1))]);
  std::vector<int> fold_of_channel(order.size());
  for (std::size_t position = 0; position < order.size(); ++position)
    fold_of_channel[order[position]] = static_cast<int>(position % static_cast<std::size_t>(options.folds));
  return fold_of_channel;
}

CoSmoothing predict_channels(const Model& model, Transform transform, const TrialSource& trials,
                             const CoSmoothingOptions& options, const PredictFold& predict) {
  check_options(options, trials.n_channels());
  CoSmoothing result;
  result.folds = options.folds;
  result.seed = options.seed;
  const std::vector<int> fold_of_channel = deal_channels(trials.n_channels(), options);

  const Spikes spikes = count_spikes(trials, transform);
  Sums sums{Vector::Zero(trials.n_channels()), Vector::Zero(trials.n_channels())};
  for (int fold = 0; fold < options.folds; ++fold) {
    Channels in, out;
    for (Index n = 0; n < trials.n_channels(); ++n)
      (fold_of_channel[static_cast<std::size_t>(n)] == fold ? out : in).push_back(n);
    score_fold(trials, out, predict(in, out), spikes, transform, sums);
  }

  const Vector& error = sums.squares;
  const Vector variation = square_tables(model, trials).variation.rowwise().sum();
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  // As for R2: what never changes leaves nothing to predict.
  const auto r2_of = [](double squares, double about_mean) {
    return about_mean > 0 ? 1.0 - squares / about_mean : kNone;
  };
  result.r2 = r2_of(error.sum(), variation.sum());
  for (Index n = 0; n < trials.n_channels(); ++n) {
    const auto position = static_cast<std::size_t>(n);
    const double bits = spikes.are_there() && spikes.count(n) > 0 ? sums.bits(n) / spikes.count(n) : kNone;
    result.channels.push_back(
        {trials.channel_names()[position], fold_of_channel[position], r2_of(error(n), variation(n)), bits});
  }
  if (spikes.are_there()) result.bits_per_spike = sums.bits.sum() / spikes.count.sum();
  return result;
}

}  // namespace milcci
