// Time, values and gaps.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>

#include "check/stages.hpp"

namespace milcci::check_stages {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::size_t size(Index n) {
  return static_cast<std::size_t>(n);
}

// The channels while their values go by. The moments are about the first value, so that an offset costs no
// digits.
struct ChannelScan {
  Eigen::ArrayXd minimum, maximum, first, sum, squares, n;

  explicit ChannelScan(Index n_channels)
      : minimum(Eigen::ArrayXd::Constant(n_channels, kInfinity)),
        maximum(Eigen::ArrayXd::Constant(n_channels, -kInfinity)),
        first(Eigen::ArrayXd::Zero(n_channels)),
        sum(first),
        squares(first),
        n(first) {}

  void take(const Eigen::Ref<const Matrix>& y) {
    if (has_gaps(y)) return take_with_gaps(y);
    first = (n == 0).select(y.col(0).array(), first);
    for (Index t = 0; t < y.cols(); ++t) {
      const auto value = y.col(t).array();
      minimum = minimum.min(value), maximum = maximum.max(value);
      sum += value - first, squares += (value - first).square();
    }
    n += static_cast<double>(y.cols());
  }
  bool is_constant(Index channel) const { return minimum(channel) == maximum(channel); }
  double deviation(Index channel) const {
    const double mean = sum(channel) / n(channel);
    return std::sqrt(std::max(0.0, squares(channel) / n(channel) - mean * mean));
  }

 private:
  void take_with_gaps(const Eigen::Ref<const Matrix>& y) {
    for (Index t = 0; t < y.cols(); ++t)
      for (Index channel = 0; channel < y.rows(); ++channel) {
        const double value = y(channel, t);
        if (std::isnan(value)) continue;
        if (n(channel) == 0) first(channel) = value;
        minimum(channel) = std::min(minimum(channel), value);
        maximum(channel) = std::max(maximum(channel), value);
        sum(channel) += value - first(channel), squares(channel) += std::pow(value - first(channel), 2);
        n(channel) += 1;
      }
  }
};

bool is_same_channel(const TrialSource& trials, Index a, Index b) {
  TrialBuffer buffer;
  for (std::size_t m = 0; m < trials.n_trials(); ++m) {
    const auto y = trials.doubles(m, buffer);
    for (Index t = 0; t < y.cols(); ++t)
      if (y(a, t) != y(b, t) && !(std::isnan(y(a, t)) && std::isnan(y(b, t)))) return false;
  }
  return true;
}

// Groups of equal channels. Equal sums find candidates, the values decide.
std::vector<std::vector<std::string>> find_duplicates(const TrialSource& trials, const ChannelScan& scan) {
  std::map<std::array<double, 5>, std::vector<Index>> by_sums;
  for (Index n = 0; n < trials.n_channels(); ++n)
    if (scan.minimum(n) < scan.maximum(n))
      by_sums[{scan.minimum(n), scan.maximum(n), scan.sum(n), scan.squares(n), scan.n(n)}].push_back(n);
  std::map<Index, std::vector<std::string>> groups;  // by their first channel
  for (const auto& [sums, channels] : by_sums)
    for (std::size_t i = 1; i < channels.size(); ++i) {
      if (!is_same_channel(trials, channels[0], channels[i])) continue;
      std::vector<std::string>& group = groups[channels[0]];
      if (group.empty()) group.push_back(trials.channel_names()[size(channels[0])]);
      group.push_back(trials.channel_names()[size(channels[i])]);
    }
  std::vector<std::vector<std::string>> out;
  for (auto& [first, group] : groups) out.push_back(std::move(group));
  return out;
}

}  // namespace

TimeCheck look_at_times(const TrialSource& trials) {
  TimeCheck out;
  out.has_times = !trials.times().empty();
  out.min_length = std::numeric_limits<Index>::max();
  for (std::size_t m = 0; m < trials.n_trials(); ++m) {
    out.min_length = std::min(out.min_length, trials.n_times(m));
    out.max_length = std::max(out.max_length, trials.n_times(m));
    out.n_samples += trials.n_times(m);
  }
  out.last = static_cast<double>(out.max_length - 1);
  if (!out.has_times) return out;
  out.first = kInfinity, out.last = -kInfinity;
  double min_step = kInfinity, max_step = 0;
  for (const Vector& time : trials.times()) {
    out.first = std::min(out.first, time(0)), out.last = std::max(out.last, time(time.size() - 1));
    for (Index t = 1; t < time.size(); ++t) {
      min_step = std::min(min_step, time(t) - time(t - 1));
      max_step = std::max(max_step, time(t) - time(t - 1));
    }
  }
  if (max_step > 0) out.min_step = min_step, out.max_step = max_step;
  return out;
}

namespace {

// Whether a channel has two different values within one trial.
std::vector<bool> find_changing(const TrialSource& trials) {
  std::vector<bool> is_changing(size(trials.n_channels()), false);
  TrialBuffer buffer;
  for (std::size_t m = 0; m < trials.n_trials(); ++m) {
    const auto y = trials.doubles(m, buffer);
    for (Index n = 0; n < y.rows(); ++n)
      for (Index t = 1; t < y.cols() && !is_changing[size(n)]; ++t)
        is_changing[size(n)] = y(n, t) < y(n, t - 1) || y(n, t) > y(n, t - 1);
  }
  return is_changing;
}

}  // namespace

ValueCheck look_at_values(const TrialSource& trials) {
  ChannelScan scan(trials.n_channels());
  std::size_t n_zero = 0, n_missing = 0, n_all = 0;
  double squares = 0, squares_below = 0;
  bool are_counts = true, has_long_trials = false;
  Matrix known;
  TrialBuffer buffer;
  for (std::size_t m = 0; m < trials.n_trials(); ++m) {
    const auto y = trials.doubles(m, buffer);
    has_long_trials = has_long_trials || y.cols() > 2;
    are_counts =
        are_counts && (y.array().isNaN() || (y.array() >= 0.0 && y.array() == y.array().floor())).all();
    scan.take(y);
    n_zero += size((y.array() == 0.0).count());
    if (has_gaps(y)) {
      n_missing += size(y.array().isNaN().count());
      known = y.array().isNaN().select(0.0, y);
      squares += known.squaredNorm(), squares_below += known.cwiseMin(0.0).squaredNorm();
    } else {
      squares += y.squaredNorm(), squares_below += y.cwiseMin(0.0).squaredNorm();
    }
    n_all += size(y.size());
  }
  ValueCheck out;
  out.zero_share = static_cast<double>(n_zero) / static_cast<double>(n_all);
  out.missing_share = static_cast<double>(n_missing) / static_cast<double>(n_all);
  out.are_counts = are_counts;
  out.minimum = kInfinity, out.maximum = -kInfinity;
  out.negative_energy = squares > 0 ? squares_below / squares : 0;
  double smallest = kInfinity, largest = 0, sum = 0;
  Vector deviations = Vector::Zero(trials.n_channels());
  const std::vector<bool> is_changing = find_changing(trials);
  for (Index n = 0; n < trials.n_channels(); ++n) {
    const std::string& name = trials.channel_names()[size(n)];
    out.minimum = std::min(out.minimum, scan.minimum(n)),
    out.maximum = std::max(out.maximum, scan.maximum(n));
    sum += scan.sum(n) + scan.n(n) * scan.first(n);
    if (scan.n(n) == 0) {
      out.never_observed.push_back(name);
    } else if (scan.is_constant(n)) {
      out.constant.push_back(name);
    } else if (has_long_trials && !is_changing[size(n)] &&
               scan.n(n) > static_cast<double>(trials.n_trials())) {
      out.constant_in_trials.push_back(name);
    } else {
      deviations(n) = scan.deviation(n);
      smallest = std::min(smallest, deviations(n));
      if (deviations(n) > largest) largest = deviations(n), out.largest_channel = name;
    }
  }
  out.mean = sum / static_cast<double>(std::max<std::size_t>(1, n_all - n_missing));
  if (largest > 0) out.largest_share = largest * largest / deviations.squaredNorm();
  if (largest > 0 && smallest > 0) out.scale_ratio = largest / smallest;
  out.duplicates = find_duplicates(trials, scan);
  look_at_shape(trials, deviations, out);
  look_for_sentinel(trials, out);
  return out;
}

GapCheck look_at_gaps(const TrialSource& trials) {
  GapCheck out;
  std::vector<std::size_t> n_missing(size(trials.n_channels()), 0);
  Index n_samples = 0;
  TrialBuffer buffer;
  for (std::size_t m = 0; m < trials.n_trials(); ++m) {
    const auto y = trials.doubles(m, buffer);
    const auto is_missing = y.array().isNaN();
    const Index n_times = trials.n_times(m), n_channels = trials.n_channels();
    n_samples += n_times;
    if (!has_gaps(y)) continue;
    Index n_in_trial = 0;
    const Eigen::Array<Index, Eigen::Dynamic, 1> of_channel = is_missing.rowwise().count();
    for (Index n = 0; n < n_channels; ++n) {
      n_in_trial += of_channel(n);
      n_missing[size(n)] += size(of_channel(n));
      out.n_empty_pairs += of_channel(n) == n_times;
    }
    if (n_in_trial == 0) continue;  // infinite values
    ++out.n_trials;
    out.n_empty_times += size((is_missing.colwise().count() == n_channels).count());
    const double share = static_cast<double>(n_in_trial) / static_cast<double>(n_times * n_channels);
    if (share > out.worst_trial_share) out.worst_trial = m, out.worst_trial_share = share;
  }
  for (std::size_t n = 0; n < n_missing.size(); ++n) {
    if (n_missing[n] == 0) continue;
    ++out.n_channels;
    const double share = static_cast<double>(n_missing[n]) / static_cast<double>(n_samples);
    if (share > out.worst_channel_share)
      out.worst_channel = trials.channel_names()[n], out.worst_channel_share = share;
  }
  return out;
}

std::vector<Unseen> find_unseen(const TrialSource& trials, const std::vector<Category>& categories) {
  using Flags = Eigen::Array<bool, Eigen::Dynamic, 1>;
  std::vector<Flags> is_seen;  // per trial
  Flags ever = Flags::Constant(trials.n_channels(), false);
  TrialBuffer buffer;
  for (std::size_t m = 0; m < trials.n_trials(); ++m) {
    const auto y = trials.doubles(m, buffer);
    if (has_gaps(y))
      is_seen.emplace_back(!y.array().isNaN().rowwise().all());
    else
      is_seen.push_back(Flags::Constant(trials.n_channels(), true));
    ever = ever || is_seen.back();
  }
  std::vector<Unseen> out;
  for (const Category& category : categories) {
    std::vector<Flags> in_option(size(category.n_options()), Flags::Constant(trials.n_channels(), false));
    for (std::size_t m = 0; m < trials.n_trials(); ++m) {
      Flags& seen = in_option[size(category.option_of_trial[m])];
      seen = seen || is_seen[m];
    }
    for (std::size_t i = 0; i < in_option.size(); ++i)
      for (Index n = 0; n < trials.n_channels(); ++n)
        if (ever(n) && !in_option[i](n))
          out.push_back({trials.channel_names()[size(n)], category.spec.name, category.options[i]});
  }
  return out;
}

}  // namespace milcci::check_stages

namespace milcci {

ValueCheck check_values(const TrialSource& trials) {
  ValueCheck out = check_stages::look_at_values(trials);
  check_stages::look_for_negative_channels(trials, out);
  return out;
}

}  // namespace milcci
