// Time, values and gaps.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>

#include "check/stages.hpp"

namespace milcci::check_stages {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::size_t size(Index n) {
  return static_cast<std::size_t>(n);
}

// A channel while its values go by. The moments are about the first value, so that an offset costs no digits.
struct ChannelScan {
  double minimum = kInfinity, maximum = -kInfinity, first = 0, sum = 0, squares = 0;
  std::size_t n = 0;
  std::uint64_t hash = 1469598103934665603u;

  void take(double value) {
    std::uint64_t bits = 0x7FF8000000000000u;  // one NaN for all
    if (!std::isnan(value)) {
      if (n == 0) first = value;
      const double away = value - first;
      minimum = std::min(minimum, value), maximum = std::max(maximum, value);
      sum += away, squares += away * away, ++n;
      const double plain = value + 0.0;  // -0 is 0
      std::memcpy(&bits, &plain, sizeof bits);
    }
    hash = (hash ^ bits) * 0x9E3779B97F4A7C15u;
    hash ^= hash >> 29;
  }
  double deviation() const {
    const auto count = static_cast<double>(n);
    return std::sqrt(std::max(0.0, squares / count - (sum / count) * (sum / count)));
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

// Groups of equal channels. The hash finds candidates, the values decide.
std::vector<std::vector<std::string>> find_duplicates(const TrialSource& trials,
                                                      const std::vector<ChannelScan>& scans) {
  std::map<std::uint64_t, std::vector<Index>> by_hash;
  for (std::size_t n = 0; n < scans.size(); ++n)
    if (scans[n].minimum < scans[n].maximum) by_hash[scans[n].hash].push_back(static_cast<Index>(n));
  std::map<Index, std::vector<std::string>> groups;  // by their first channel
  for (const auto& [hash, channels] : by_hash)
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

}  // namespace milcci::check_stages

namespace milcci {

ValueCheck check_values(const TrialSource& trials) {
  using namespace check_stages;
  std::vector<ChannelScan> scans(size(trials.n_channels()));
  std::size_t n_zero = 0, n_missing = 0, n_all = 0;
  double squares = 0, squares_below = 0;
  bool are_counts = true, has_long_trials = false;
  TrialBuffer buffer;
  for (std::size_t m = 0; m < trials.n_trials(); ++m) {
    const auto y = trials.doubles(m, buffer);
    has_long_trials = has_long_trials || y.cols() > 2;
    are_counts =
        are_counts && (y.array().isNaN() || (y.array() >= 0.0 && y.array() == y.array().floor())).all();
    for (Index t = 0; t < y.cols(); ++t)
      for (Index n = 0; n < y.rows(); ++n) scans[size(n)].take(y(n, t));
    n_zero += size((y.array() == 0.0).count());
    n_missing += size(y.array().isNaN().count());
    const Matrix known = y.array().isNaN().select(0.0, y);
    squares += known.squaredNorm(), squares_below += known.cwiseMin(0.0).squaredNorm();
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
  for (std::size_t n = 0; n < scans.size(); ++n) {
    const ChannelScan& scan = scans[n];
    out.minimum = std::min(out.minimum, scan.minimum), out.maximum = std::max(out.maximum, scan.maximum);
    sum += scan.sum + static_cast<double>(scan.n) * scan.first;
    if (scan.n == 0) {
      out.never_observed.push_back(trials.channel_names()[n]);
    } else if (scan.minimum == scan.maximum) {
      out.constant.push_back(trials.channel_names()[n]);
    } else if (has_long_trials && !is_changing[n] && scan.n > trials.n_trials()) {
      out.constant_in_trials.push_back(trials.channel_names()[n]);
    } else {
      deviations(static_cast<Index>(n)) = scan.deviation();
      smallest = std::min(smallest, scan.deviation());
      if (scan.deviation() > largest)
        largest = scan.deviation(), out.largest_channel = trials.channel_names()[n];
    }
  }
  out.mean = sum / static_cast<double>(std::max<std::size_t>(1, n_all - n_missing));
  if (largest > 0) out.largest_share = largest * largest / deviations.squaredNorm();
  if (largest > 0 && smallest > 0) out.scale_ratio = largest / smallest;
  out.duplicates = find_duplicates(trials, scans);
  look_at_shape(trials, deviations, out);
  look_for_sentinel(trials, out);
  return out;
}

}  // namespace milcci

namespace milcci::check_stages {

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
    Index n_in_trial = 0;
    const Eigen::Array<Index, Eigen::Dynamic, 1> of_channel = is_missing.rowwise().count();
    for (Index n = 0; n < n_channels; ++n) {
      n_in_trial += of_channel(n);
      n_missing[size(n)] += size(of_channel(n));
      out.n_empty_pairs += of_channel(n) == n_times;
    }
    if (n_in_trial == 0) continue;
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
    is_seen.emplace_back(!trials.doubles(m, buffer).array().isNaN().rowwise().all());
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
