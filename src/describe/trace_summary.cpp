#include "milcci/trace_summary.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

#include "core/field_checks.hpp"
#include "core/nearest_name.hpp"
#include "core/shown_name.hpp"
#include "milcci/error.hpp"
#include "util/percentile.hpp"
#include "util/random.hpp"

namespace milcci {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

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
double area_under(const Matrix& mean, Index j, const AlignedTraces& aligned) {
  constexpr double kNeighbours = 1.5;  // steps
  double area = 0;
  for (Index t = 1; t < aligned.times.size(); ++t) {
    const double step = aligned.times(t) - aligned.times(t - 1);
    if (step < kNeighbours * aligned.step && std::isfinite(mean(j, t)) && std::isfinite(mean(j, t - 1)))
      area += 0.5 * (mean(j, t) + mean(j, t - 1)) * step;
  }
  return area;
}

TraceGroup summarise_group(const AlignedTraces& aligned, const std::vector<std::size_t>& trials, Index P,
                           double interval) {
  const Index T = aligned.times.size();
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
  std::vector<double> here;
  for (Index j = 0; j < P; ++j) {
    for (Index t = 0; t < T; ++t) {
      here.clear();
      for (const std::size_t m : trials)
        if (std::isfinite(aligned.traces[m](j, t))) here.push_back(aligned.traces[m](j, t));
      group.n[static_cast<std::size_t>(t)] = static_cast<Index>(here.size());
      if (here.empty()) continue;
      const double mean = group.mean(j, t) = mean_of(here);
      group.standard_error(j, t) = standard_error_of(here, mean);
      group.low(j, t) = percentile(here, 0.5 - 0.5 * interval);
      group.high(j, t) = percentile(here, 0.5 + 0.5 * interval);
      if (!(std::abs(mean) <= std::abs(group.peak(j))))
        group.peak(j) = mean, group.time_of_peak(j) = aligned.times(t);
    }
    group.area(j) = area_under(group.mean, j, aligned);
  }
  return group;
}

// Two groups of trials, and what their difference is when it is left to chance who belongs to which.
class Shuffles {
 public:
  Shuffles(const AlignedTraces& aligned, const std::vector<std::size_t>& first,
           const std::vector<std::size_t>& second, const TraceSummaryOptions& options)
      : n_first_(first.size()), options_(options) {
    for (const auto* trials : {&first, &second})
      for (const std::size_t m : *trials) {
        const auto is_known = aligned.traces[m].array().isFinite();
        known_.push_back(is_known.cast<double>());
        values_.push_back(is_known.select(aligned.traces[m], 0.0));
      }
    sum_ = Matrix::Zero(values_.front().rows(), values_.front().cols()), count_ = sum_;
    for (std::size_t i = 0; i < values_.size(); ++i) sum_ += values_[i], count_ += known_[i];
  }

  TraceDifference compare() const {
    std::vector<std::size_t> as_given(values_.size());
    std::iota(as_given.begin(), as_given.end(), std::size_t{0});
    const Matrix observed = difference_of(as_given);
    const Index P = observed.rows();
    // The same shuffles twice: once for the spread, and once for the largest difference in units of it.
    Matrix squares = Matrix::Zero(P, observed.cols()), n = squares;
    for_each_shuffle([&](const Matrix& by_chance) {
      const auto is_known = by_chance.array().isFinite();
      squares.array() += is_known.select(by_chance.array().square(), 0.0);
      n.array() += is_known.cast<double>();
    });
    const Matrix spread = (squares.array() / n.array()).sqrt();
    std::vector<std::vector<double>> largest(static_cast<std::size_t>(P));
    for_each_shuffle([&](const Matrix& by_chance) {
      for (Index j = 0; j < P; ++j)
        largest[static_cast<std::size_t>(j)].push_back(in_spreads(by_chance, spread, j));
    });
    TraceDifference out{observed, spread, Vector(P)};
    for (Index j = 0; j < P; ++j) {
      const std::vector<double>& chances = largest[static_cast<std::size_t>(j)];
      const double seen = in_spreads(observed, spread, j) * (1.0 - 1e-12);
      const auto n_as_large = std::ranges::count_if(chances, [&](double x) { return x >= seen; });
      out.p(j) = (1.0 + static_cast<double>(n_as_large)) / (1.0 + static_cast<double>(chances.size()));
      out.band.row(j) *= percentile(chances, 0.95);
    }
    return out;
  }

 private:
  // (mean of the first n_first) - (mean of the rest), NaN where either has no sample.
  Matrix difference_of(const std::vector<std::size_t>& order) const {
    Matrix sum = Matrix::Zero(sum_.rows(), sum_.cols()), count = sum;
    for (std::size_t i = 0; i < n_first_; ++i) sum += values_[order[i]], count += known_[order[i]];
    const Eigen::ArrayXXd rest = (count_ - count).array();
    return (count.array() > 0 && rest > 0)
        .select(sum.array() / count.array() - (sum_ - sum).array() / rest, kNaN);
  }
  void for_each_shuffle(const std::function<void(const Matrix&)>& action) const {
    Random random(options_.seed, 0);
    std::vector<std::size_t> order(values_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    for (int s = 0; s < options_.permutations; ++s) {
      for (std::size_t i = 0; i < n_first_; ++i)  // only the first places matter
        std::swap(order[i],
                  order[i + static_cast<std::size_t>(random.below(static_cast<Index>(order.size() - i)))]);
      action(difference_of(order));
    }
  }
  static double in_spreads(const Matrix& difference, const Matrix& spread, Index j) {
    double largest = 0;
    for (Index t = 0; t < difference.cols(); ++t)
      if (spread(j, t) > 0 && std::isfinite(difference(j, t)))
        largest = std::max(largest, std::abs(difference(j, t)) / spread(j, t));
    return largest;
  }

  std::size_t n_first_;
  const TraceSummaryOptions& options_;
  std::vector<Matrix> values_, known_;  // of the first group, then of the second; zero where not known
  Matrix sum_, count_;
};

bool is_same_value(const std::string& known, const std::string& asked) {
  if (known == asked) return true;
  double first = 0, second = 0;  // "1" and "1.0"
  const auto is_number = [](const std::string& text, double& number) {
    const auto end = std::from_chars(text.data(), text.data() + text.size(), number);
    return end.ec == std::errc() && end.ptr == text.data() + text.size();
  };
  return is_number(known, first) && is_number(asked, second) && first == second;
}

std::size_t find_group(const TrialGroups& grouping, const std::string& label, const std::string& value) {
  std::vector<std::string> known;
  for (std::size_t g = 0; g < grouping.values.size(); ++g) {
    if (is_same_value(grouping.values[g].front(), value)) return g;
    known.push_back(grouping.values[g].front());
  }
  throw Error(ErrorKind::bad_option, fmt::format("no trial has the {} {}{}", shown_name(label),
                                                 shown_name(value), suggestion(value, known)));
}

void check(const TraceSummaryOptions& options) {
  const std::vector<std::string> problems = range_violations(options);
  if (!problems.empty()) throw Error(ErrorKind::bad_option, fmt::format("{}", fmt::join(problems, "; ")));
  if (options.between.empty()) return;
  if (options.between.size() != 2)
    throw Error(ErrorKind::bad_option,
                fmt::format("`between` has {} values, must be two", options.between.size()));
  if (options.by.size() != 1)
    throw Error(ErrorKind::bad_option,
                fmt::format("`between` compares two values of one label, `by` has {}", options.by.size()));
}

std::vector<TraceSummary::Component> components_of(const Model& model, const std::vector<std::string>& by) {
  std::vector<TraceSummary::Component> components;
  const std::vector<Index> dead = model.dead_components();
  for (const FittedCategory& fitted : model.categories) {
    const std::string& name = fitted.category.spec.name;
    const std::vector<std::string>& columns = fitted.category.spec.columns;
    const bool is_of_label = std::ranges::any_of(by, [&](const std::string& label) {
      return label == name || std::ranges::find(columns, label) != columns.end();
    });
    for (Index j = 0; j < fitted.n_components(); ++j) {
      const auto position = static_cast<Index>(components.size());
      components.push_back({name, j, std::ranges::find(dead, position) != dead.end(), is_of_label});
    }
  }
  return components;
}

}  // namespace

TraceSummary summarise_traces(const Model& model, const TraceSummaryOptions& options) {
  check(options);
  const TrialGroups grouping = group_trials(model, options.by);
  const AlignedTraces aligned = align_traces(model);
  std::vector<std::vector<std::size_t>> trials(grouping.values.size());
  TraceSummary summary{.options = options,
                       .times = aligned.times,
                       .step = aligned.step,
                       .is_from_start = aligned.is_from_start,
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
    summary.groups.push_back(summarise_group(aligned, trials[g], model.n_components(), options.interval));
    summary.groups.back().values = grouping.values[g];
  }
  if (options.between.empty()) return summary;
  const std::size_t first = find_group(grouping, options.by.front(), options.between[0]);
  const std::size_t second = find_group(grouping, options.by.front(), options.between[1]);
  if (first == second)
    throw Error(ErrorKind::bad_option,
                fmt::format("`between` has the value {} twice", shown_name(options.between[0])));
  summary.options.between = {grouping.values[first].front(), grouping.values[second].front()};
  summary.difference = Shuffles(aligned, trials[first], trials[second], options).compare();
  return summary;
}

}  // namespace milcci
