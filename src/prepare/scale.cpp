// Values scaled. Missing values stay missing and count nowhere.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "milcci/error.hpp"
#include "prepare/steps.hpp"
#include "util/percentile.hpp"

namespace milcci::prepare_steps {

namespace {

template <class Function>
void for_each_value(Trials& trials, Index channel, std::size_t trial, const Function& function) {
  Matrix& values = trials.values[trial];
  for (Index t = 0; t < values.cols(); ++t)
    if (!std::isnan(values(channel, t))) function(values(channel, t));
}

void check_above(const Trials& trials, std::size_t m, Index n, double value, double least,
                 const char* method) {
  if (value >= least) return;
  throw Error(ErrorKind::bad_input,
              fmt::format("`scale` = {}: trial {}, channel '{}' has the value {}, must be {} or more", method,
                          m + 1, trials.channel_names[static_cast<std::size_t>(n)], value, least));
}

void apply_pointwise(Trials& trials, ScaleMethod method) {
  for (std::size_t m = 0; m < trials.n_trials(); ++m)
    for (Index n = 0; n < trials.n_channels(); ++n)
      for_each_value(trials, n, m, [&](double& value) {
        if (method == ScaleMethod::sqrt) {
          check_above(trials, m, n, value, 0, "sqrt");
          value = std::sqrt(value);
        } else if (method == ScaleMethod::log1p) {
          check_above(trials, m, n, value, 0, "log1p");
          value = std::log1p(value);
        } else {
          value = std::tanh(value);
        }
      });
}

// value -> (value - shift) / divisor.
struct Scaling {
  double shift = 0, divisor = 1;
  bool is_constant = false;
};

Scaling zscore_of(const std::vector<double>& values) {
  double sum = 0, squares = 0;
  for (const double value : values) sum += value;
  const double mean = sum / static_cast<double>(values.size());
  for (const double value : values) squares += (value - mean) * (value - mean);
  return {mean, std::sqrt(squares / static_cast<double>(values.size())), false};
}

// The paper divides by the percentile of the values as they are, not of those above the minimum.
Scaling range_of(const std::vector<double>& values, const std::string& group) {
  const double low = *std::min_element(values.begin(), values.end()), high = percentile(values, 0.99);
  if (high <= 0)
    throw Error(ErrorKind::bad_input,
                fmt::format("`scale` = range: the 99th percentile of {} is {}, must be above "
                            "0; take another scaling, such as zscore",
                            group, high));
  return {low, high, false};
}

Scaling scaling_of(const std::vector<double>& values, ScaleMethod method, const std::string& group) {
  if (values.empty()) return {};
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  if (*low == *high) return {*low, 1, true};
  return method == ScaleMethod::zscore ? zscore_of(values) : range_of(values, group);
}

// Names of the groups, and the group of every trial; the scope `channel` is not among these.
struct TrialGroups {
  std::vector<std::string> names;
  std::vector<std::size_t> of_trial;
};

TrialGroups groups_of_trials(const Trials& trials, const ScaleStep& step) {
  if (step.scope != ScaleScope::label)
    return {{"all values"}, std::vector<std::size_t>(trials.n_trials(), 0)};
  const LabelColumn& column = find_column(trials, "scale", step.column);
  std::map<std::string, std::size_t> known;
  TrialGroups groups;
  for (std::size_t m = 0; m < trials.n_trials(); ++m) {
    if (column.is_missing(m))
      throw Error(
          ErrorKind::bad_input,
          fmt::format("`scale` = {}: trial {} has no {}; leave such trials out with `drop_trials` = {}",
                      to_text(step), m + 1, step.column, step.column));
    const auto [place, is_new] = known.emplace(column.text(m), groups.names.size());
    if (is_new) groups.names.push_back(fmt::format("{} {}", step.column, column.text(m)));
    groups.of_trial.push_back(place->second);
  }
  return groups;
}

}  // namespace

std::string scale(Trials& trials, const ScaleStep& step) {
  const bool has_truth = trials.truth.has_value();
  trials.truth.reset();
  std::string note = fmt::format("scaled: {}", to_text(step));
  if (has_truth) note += "; the truth left out, it does not describe scaled values";
  if (step.method < ScaleMethod::zscore) {
    apply_pointwise(trials, step.method);
    return note;
  }
  const bool is_per_channel = step.scope == ScaleScope::channel;
  const TrialGroups by_trial = groups_of_trials(trials, step);
  const auto n_channels = static_cast<std::size_t>(trials.n_channels());
  const std::size_t n_groups = is_per_channel ? n_channels : by_trial.names.size();
  std::size_t n_constant = 0;
  // Group by group, so that the values of only one are held twice.
  for (std::size_t g = 0; g < n_groups; ++g) {
    std::vector<double> values;
    const auto for_group = [&](const auto& function) {
      for (std::size_t m = 0; m < trials.n_trials(); ++m)
        for (std::size_t n = 0; n < n_channels; ++n)
          if ((is_per_channel ? n : by_trial.of_trial[m]) == g)
            for_each_value(trials, static_cast<Index>(n), m, function);
    };
    for_group([&](const double& value) { values.push_back(value); });
    const std::string name = is_per_channel ? "channel " + trials.channel_names[g] : by_trial.names[g];
    const Scaling scaling = scaling_of(values, step.method, name);
    n_constant += scaling.is_constant;
    for_group([&](double& value) { value = (value - scaling.shift) / scaling.divisor; });
  }
  note += fmt::format("; {} groups of values", n_groups);
  if (n_constant > 0) note += fmt::format(", {} of them constant and now 0", n_constant);
  return note;
}

}  // namespace milcci::prepare_steps
