#include "data/check_trials.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <set>
#include <string>

#include "core/some_names.hpp"
#include "milcci/error.hpp"
#include "util/ordered_sum.hpp"

namespace milcci {
namespace {

template <class... Args>
[[noreturn]] void refuse(fmt::format_string<Args...> text, Args&&... args) {
  throw Error(ErrorKind::bad_input, fmt::format(text, std::forward<Args>(args)...));
}

void check_shapes(const TrialSource& trials) {
  if (trials.n_trials() == 0) refuse("there are no trials; at least one is needed");
  const Index n_channels = trials.n_channels();
  if (n_channels == 0) refuse("trial 1 has no channels; at least one is needed");
  for (std::size_t m = 0; m < trials.n_trials(); ++m)
    if (trials.n_times(m) == 0) refuse("trial {} has no time points; drop it", m + 1);
  if (trials.channel_names().size() != static_cast<std::size_t>(n_channels))
    refuse("{} channel names for {} channels", trials.channel_names().size(), n_channels);
  if (!trials.channel_groups().empty() &&
      trials.channel_groups().size() != static_cast<std::size_t>(n_channels))
    refuse("{} channel groups for {} channels; give one per channel or none", trials.channel_groups().size(),
           n_channels);
  if (!trials.trial_names().empty() && trials.trial_names().size() != trials.n_trials())
    refuse("{} trial names for {} trials; give one per trial or none", trials.trial_names().size(),
           trials.n_trials());
  std::set<std::string> names;
  for (const LabelColumn& label : trials.labels()) {
    if (label.size() != trials.n_trials())
      refuse("label column '{}' has {} values for {} trials", label.name, label.size(), trials.n_trials());
    if (!names.insert(label.name).second)
      refuse("there are two label columns '{}', expected one of each name; rename one of them", label.name);
  }
}

void check_times(const TrialSource& trials) {
  if (trials.times().empty()) return;
  if (trials.times().size() != trials.n_trials())
    refuse("time axes for {} of {} trials; give one per trial or none", trials.times().size(),
           trials.n_trials());
  for (std::size_t m = 0; m < trials.n_trials(); ++m) {
    const Vector& time = trials.times()[m];
    if (time.size() != trials.n_times(m))
      refuse("trial {}: {} time stamps for {} time points", m + 1, time.size(), trials.n_times(m));
    for (Index t = 0; t < time.size(); ++t)
      if (!std::isfinite(time(t)) || (t > 0 && time(t) <= time(t - 1)))
        refuse(
            "trial {}: time stamp {} is {}, expected a finite number above the one before; sort the time "
            "points",
            m + 1, t + 1, time(t));
  }
}

// Lowest and highest observed value of every channel; a channel without any has low > high.
struct Ranges {
  Vector low, high;

  explicit Ranges(Index n_channels)
      : low(Vector::Constant(n_channels, std::numeric_limits<double>::infinity())), high(-low) {}
};

// Entry by entry: for trials with missing or infinite entries.
template <class Values>
void take_in_with_care(const TrialSource& trials, std::size_t m, const Values& y, Ranges& ranges) {
  bool has_values = false;
  for (Index t = 0; t < y.cols(); ++t)
    for (Index n = 0; n < y.rows(); ++n) {
      if (std::isinf(y(n, t)))
        refuse(
            "trial {}, channel '{}', time point {}: the value is {}; mark missing entries as NaN and remove "
            "infinite ones",
            m + 1, trials.channel_names()[static_cast<std::size_t>(n)], t + 1, y(n, t));
      if (std::isnan(y(n, t))) continue;
      has_values = true;
      const auto value = static_cast<double>(y(n, t));
      ranges.low(n) = std::min(ranges.low(n), value);
      ranges.high(n) = std::max(ranges.high(n), value);
    }
  if (!has_values) refuse("trial {}: all {} values are missing; drop the trial", m + 1, y.size());
}

template <class Values>
void take_in(const TrialSource& trials, std::size_t m, const Values& y, Ranges& ranges) {
  if (!std::isfinite(y.sum())) return take_in_with_care(trials, m, y, ranges);
  for (Index t = 0; t < y.cols(); ++t) {
    ranges.low = ranges.low.cwiseMin(y.col(t).template cast<double>());
    ranges.high = ranges.high.cwiseMax(y.col(t).template cast<double>());
  }
}

// Of the trials with broken values the first is reported, whatever the number of threads.
Ranges check_values(const TrialSource& trials, int threads) {
  constexpr std::size_t kTrialsPerBlock = 16;
  struct Part {
    Ranges ranges;
    std::optional<Error> error;
  };
  const Part nothing{Ranges(trials.n_channels()), {}};
  Ranges all = nothing.ranges;
  const auto check_block = [&](std::size_t b, int, Part& part) {
    part = nothing;
    TrialBuffer buffer;
    const std::size_t end = std::min(trials.n_trials(), (b + 1) * kTrialsPerBlock);
    try {
      for (std::size_t m = b * kTrialsPerBlock; m < end; ++m)
        trials.values(m, buffer).visit([&](const auto& y) { take_in(trials, m, y, part.ranges); });
    } catch (const Error& error) {
      part.error = error;
    }
  };
  const auto add = [&](std::size_t, const Part& part) {
    if (part.error) throw Error(*part.error);
    all.low = all.low.cwiseMin(part.ranges.low);
    all.high = all.high.cwiseMax(part.ranges.high);
  };
  sum_over_blocks((trials.n_trials() + kTrialsPerBlock - 1) / kTrialsPerBlock, threads, nothing, check_block,
                  add);
  return all;
}

// A fit multiplies squares of the data with one another. Between these bounds it gives the same components in
// any unit; beyond, products overflow or vanish, and it would end without a component and without a word.
void check_size(const Ranges& ranges) {
  double largest = 0;
  for (Index n = 0; n < ranges.low.size(); ++n)
    if (ranges.low(n) <= ranges.high(n))
      largest = std::max({largest, std::abs(ranges.low(n)), std::abs(ranges.high(n))});
  if (largest == 0 || (largest >= kSmallestSize && largest <= kLargestSize)) return;
  refuse(
      "the value farthest from zero is {:.3g}, and must be between {:.0e} and {:.0e} in size; give the data "
      "in "
      "another unit, for example {} {:.0e}",
      largest, kSmallestSize, kLargestSize, largest > 1 ? "divided by" : "multiplied by",
      std::pow(10.0, std::abs(std::floor(std::log10(largest)))));
}

std::vector<std::string> quiet_channels(const TrialSource& trials, const Ranges& ranges) {
  const auto& [low, high] = ranges;
  std::vector<std::string> constant, missing, warnings;
  for (Index n = 0; n < low.size(); ++n) {
    const std::string& name = trials.channel_names()[static_cast<std::size_t>(n)];
    if (low(n) == high(n)) constant.push_back(name);
    if (low(n) > high(n)) missing.push_back(name);
  }
  if (!constant.empty())
    warnings.push_back(fmt::format("channels that never change: {}", some_names(constant)));
  if (!missing.empty())
    warnings.push_back(
        fmt::format("channels that were never observed: {}; their memberships are zero or follow from "
                    "the penalties alone",
                    some_names(missing)));
  return warnings;
}

}  // namespace

std::vector<std::string> check_trials(const TrialSource& trials, int threads, ValueSizes sizes) {
  check_shapes(trials);
  check_times(trials);
  const Ranges ranges = check_values(trials, resolve_threads(threads));
  if (sizes == ValueSizes::of_a_fit) check_size(ranges);
  return quiet_channels(trials, ranges);
}

}  // namespace milcci
