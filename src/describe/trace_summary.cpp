#include "milcci/trace_summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/field_checks.hpp"
#include "core/nearest_name.hpp"
#include "core/shown_name.hpp"
#include "describe/trace_groups.hpp"
#include "milcci/error.hpp"
#include "util/percentile.hpp"
#include "util/random.hpp"

namespace milcci {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// The samples of a group of trials at each point of the grid.
using Samples = std::vector<std::vector<double>>;

Samples collect(const Model& model, const TimeGrid& grid, const std::vector<std::size_t>& trials, Index j) {
  Samples samples(static_cast<std::size_t>(grid.times.size()));
  for (const std::size_t m : trials)
    for (Index t = 0; t < model.traces[m].cols(); ++t)
      samples[static_cast<std::size_t>(grid.place[m][static_cast<std::size_t>(t)])].push_back(
          model.traces[m](j, t));
  return samples;
}

double mean_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return values.empty() ? kNaN : sum / static_cast<double>(values.size());
}

double standard_error_of(const std::vector<double>& values, double mean) {
  if (values.size() < 2) return kNaN;
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  const auto n = static_cast<double>(values.size());
  return std::sqrt(squares / (n - 1.0) / n);
}

// Trapezoids between neighbours on the grid that both have a mean.
double area_under(const Matrix& mean, Index j, const Vector& times) {
  double area = 0;
  for (Index t = 1; t < times.size(); ++t)
    if (std::isfinite(mean(j, t)) && std::isfinite(mean(j, t - 1)))
      area += 0.5 * (mean(j, t) + mean(j, t - 1)) * (times(t) - times(t - 1));
  return area;
}

TraceGroup summarise_group(const Model& model, const TimeGrid& grid, const std::vector<std::size_t>& trials,
                           double interval) {
  const Index P = model.n_components(), T = grid.times.size();
  TraceGroup group{.values = {},
                   .n_trials = trials.size(),
                   .n = std::vector<Index>(static_cast<std::size_t>(T), 0),
                   .mean = Matrix::Constant(P, T, kNaN),
                   .low = Matrix::Constant(P, T, kNaN),
                   .high = Matrix::Constant(P, T, kNaN),
                   .standard_error = Matrix::Constant(P, T, kNaN),
                   .peak = Vector::Constant(P, kNaN),
                   .time_of_peak = Vector::Constant(P, kNaN),
                   .area = Vector::Zero(P)};
  for (Index j = 0; j < P; ++j) {
    const Samples samples = collect(model, grid, trials, j);
    for (Index t = 0; t < T; ++t) {
      const std::vector<double>& here = samples[static_cast<std::size_t>(t)];
      group.n[static_cast<std::size_t>(t)] = static_cast<Index>(here.size());
      if (here.empty()) continue;
      const double mean = group.mean(j, t) = mean_of(here);
      group.standard_error(j, t) = standard_error_of(here, mean);
      group.low(j, t) = percentile(here, 0.5 - 0.5 * interval);
      group.high(j, t) = percentile(here, 0.5 + 0.5 * interval);
      if (!(std::abs(mean) <= std::abs(group.peak(j))))
        group.peak(j) = mean, group.time_of_peak(j) = grid.times(t);
    }
    group.area(j) = area_under(group.mean, j, grid.times);
  }
  return group;
}

// Sums of the traces of one component over trials, at each point of the grid.
struct Sums {
  Vector sum, count;
};

// (mean of the first) - (mean of the rest), NaN where either has no sample.
Vector difference_of(const Sums& first, const Sums& all) {
  const Eigen::ArrayXd rest = all.count.array() - first.count.array();
  const Eigen::ArrayXd difference =
      first.sum.array() / first.count.array() - (all.sum - first.sum).array() / rest;
  return (first.count.array() > 0 && rest > 0).select(difference, kNaN);
}

class Shuffles {
 public:
  Shuffles(const Model& model, const TimeGrid& grid, std::vector<std::size_t> first,
           const std::vector<std::size_t>& second, const TraceSummaryOptions& options)
      : model_(model), grid_(grid), n_first_(first.size()), options_(options), trials_(std::move(first)) {
    trials_.insert(trials_.end(), second.begin(), second.end());
  }

  /// Of one component, into its row. The random numbers are the same for all components.
  void compare(Index j, TraceDifference& out) const {
    const Index T = grid_.times.size();
    const auto n = static_cast<std::size_t>(options_.permutations);
    const Sums all = sum_over(trials_, trials_.size(), j);
    const Vector observed = difference_of(sum_over(trials_, n_first_, j), all);
    Matrix by_chance(T, static_cast<Index>(n));
    Random random(options_.seed, 0);
    std::vector<std::size_t> order = trials_;
    for (std::size_t s = 0; s < n; ++s) {
      for (std::size_t i = 0; i < n_first_; ++i)  // only the first places matter
        std::swap(order[i],
                  order[i + static_cast<std::size_t>(random.below(static_cast<Index>(order.size() - i)))]);
      by_chance.col(static_cast<Index>(s)) = difference_of(sum_over(order, n_first_, j), all);
    }
    const Vector spread = spread_of(by_chance);
    std::vector<double> largest(n);
    for (std::size_t s = 0; s < n; ++s) largest[s] = in_spreads(by_chance.col(static_cast<Index>(s)), spread);
    const double seen = in_spreads(observed, spread);
    const auto n_as_large =
        std::ranges::count_if(largest, [&](double x) { return x >= seen * (1.0 - 1e-12); });
    out.p(j) = (1.0 + static_cast<double>(n_as_large)) / (1.0 + static_cast<double>(n));
    out.difference.row(j) = observed.transpose();
    out.band.row(j) = (percentile(largest, 0.95) * spread).transpose();
  }

 private:
  Sums sum_over(const std::vector<std::size_t>& trials, std::size_t n, Index j) const {
    Sums sums{Vector::Zero(grid_.times.size()), Vector::Zero(grid_.times.size())};
    for (std::size_t i = 0; i < n; ++i)
      for (Index t = 0; t < model_.traces[trials[i]].cols(); ++t) {
        const Index at = grid_.place[trials[i]][static_cast<std::size_t>(t)];
        sums.sum(at) += model_.traces[trials[i]](j, t), sums.count(at) += 1;
      }
    return sums;
  }
  // Root mean square at each point of the grid.
  static Vector spread_of(const Matrix& by_chance) {
    Vector spread(by_chance.rows());
    for (Index t = 0; t < by_chance.rows(); ++t) {
      double squares = 0, n = 0;
      for (const double x : by_chance.row(t))
        if (std::isfinite(x)) squares += x * x, n += 1;
      spread(t) = n > 0 ? std::sqrt(squares / n) : kNaN;
    }
    return spread;
  }
  static double in_spreads(const Vector& difference, const Vector& spread) {
    double largest = 0;
    for (Index t = 0; t < difference.size(); ++t)
      if (spread(t) > 0 && std::isfinite(difference(t)))
        largest = std::max(largest, std::abs(difference(t)) / spread(t));
    return largest;
  }

  const Model& model_;
  const TimeGrid& grid_;
  std::size_t n_first_;
  const TraceSummaryOptions& options_;
  std::vector<std::size_t> trials_;  // of the first value, then of the second
};

std::size_t find_group(const Grouping& grouping, const std::string& label, const std::string& value) {
  std::vector<std::string> known;
  for (std::size_t g = 0; g < grouping.values.size(); ++g) {
    if (grouping.values[g].front() == value) return g;
    known.push_back(grouping.values[g].front());
  }
  throw Error(ErrorKind::bad_option, fmt::format("no trial has the {} {}{}", shown_name(label),
                                                 shown_name(value), suggestion(value, known)));
}

void check(const TraceSummaryOptions& options) {
  const std::vector<std::string> problems = range_violations(options);
  if (!problems.empty()) throw Error(ErrorKind::bad_option, fmt::format("{}", fmt::join(problems, "; ")));
  if (options.between.empty()) return;
  if (options.between.size() != 2 || options.between[0] == options.between[1])
    throw Error(ErrorKind::bad_option,
                fmt::format("`between` has {} values, must be two different ones", options.between.size()));
  if (options.by.size() != 1)
    throw Error(ErrorKind::bad_option,
                fmt::format("`between` compares two values of one label, `by` has {}", options.by.size()));
}

std::vector<TraceSummary::Component> components_of(const Model& model, const std::vector<std::string>& by) {
  std::vector<TraceSummary::Component> components;
  const std::vector<Index> dead = model.dead_components();
  for (const FittedCategory& fitted : model.categories) {
    const std::string& name = fitted.category.spec.name;
    for (Index j = 0; j < fitted.n_components(); ++j) {
      const auto position = static_cast<Index>(components.size());
      components.push_back({name, j, std::ranges::find(dead, position) != dead.end(),
                            std::ranges::find(by, name) != by.end()});
    }
  }
  return components;
}

}  // namespace

TraceSummary summarise_traces(const Model& model, const TraceSummaryOptions& options) {
  check(options);
  const Grouping grouping = group_trials(model, options.by);
  const TimeGrid grid = make_time_grid(model);
  std::vector<std::vector<std::size_t>> trials(grouping.values.size());
  TraceSummary summary{.options = options,
                       .times = grid.times,
                       .is_from_start = grid.is_from_start,
                       .n_left_out = 0,
                       .groups = {},
                       .difference = {},
                       .components = components_of(model, options.by)};
  for (std::size_t m = 0; m < model.n_trials(); ++m) {
    if (grouping.of_trial[m] < 0)
      ++summary.n_left_out;
    else
      trials[static_cast<std::size_t>(grouping.of_trial[m])].push_back(m);
  }
  for (std::size_t g = 0; g < trials.size(); ++g) {
    summary.groups.push_back(summarise_group(model, grid, trials[g], options.interval));
    summary.groups.back().values = grouping.values[g];
  }
  if (options.between.empty()) return summary;
  const std::size_t first = find_group(grouping, options.by.front(), options.between[0]);
  const std::size_t second = find_group(grouping, options.by.front(), options.between[1]);
  const Shuffles shuffles(model, grid, trials[first], trials[second], options);
  const Index P = model.n_components(), T = grid.times.size();
  summary.difference = TraceDifference{Matrix(P, T), Matrix(P, T), Vector(P)};
  for (Index j = 0; j < P; ++j) shuffles.compare(j, *summary.difference);
  return summary;
}

}  // namespace milcci
