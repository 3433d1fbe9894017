#include "milcci/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "evaluate/correlation.hpp"
#include "milcci/error.hpp"
#include "solvers/assignment.hpp"
#include "util/percentile.hpp"

namespace milcci {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// Rows of both models that are the same channel. Names are unique within a model.
struct CommonChannels {
  std::vector<Index> first, second;
};

CommonChannels common_channels(const Model& first, const Model& second) {
  std::map<std::string, Index> position;
  for (std::size_t n = 0; n < second.channel_names.size(); ++n)
    position.emplace(second.channel_names[n], static_cast<Index>(n));
  CommonChannels common;
  for (std::size_t n = 0; n < first.channel_names.size(); ++n) {
    const auto found = position.find(first.channel_names[n]);
    if (found == position.end()) continue;
    common.first.push_back(static_cast<Index>(n));
    common.second.push_back(found->second);
  }
  if (common.first.size() < 2)
    throw Error(
        ErrorKind::bad_input,
        fmt::format("comparing two models: they have {} channels in common, by name; at least two are "
                    "needed, so give two fits of the same channels",
                    common.first.size()));
  return common;
}

bool has_same_trials(const Model& first, const Model& second) {
  if (first.n_trials() != second.n_trials() || first.trial_names != second.trial_names) return false;
  for (std::size_t m = 0; m < first.n_trials(); ++m)
    if (first.traces[m].cols() != second.traces[m].cols()) return false;
  return true;
}

// Pairs of an option of one category and one of another, with the share of trials that has both. Without
// common trials: options of the same name, or else all pairs.
using OptionPairs = std::map<std::pair<std::size_t, std::size_t>, double>;
OptionPairs option_pairs(const Category& first, const Category& second, bool is_by_trial) {
  OptionPairs pairs;
  if (is_by_trial) {
    for (std::size_t m = 0; m < first.option_of_trial.size(); ++m)
      pairs[{static_cast<std::size_t>(first.option_of_trial[m]),
             static_cast<std::size_t>(second.option_of_trial[m])}] += 1.0;
  } else {
    for (std::size_t a = 0; a < first.options.size(); ++a)
      for (std::size_t b = 0; b < second.options.size(); ++b)
        if (first.spec.name == second.spec.name && first.options[a] == second.options[b]) pairs[{a, b}] = 1.0;
    if (pairs.empty())
      for (std::size_t a = 0; a < first.options.size(); ++a)
        for (std::size_t b = 0; b < second.options.size(); ++b) pairs[{a, b}] = 1.0;
  }
  double sum = 0;
  for (const auto& [pair, weight] : pairs) sum += weight;
  for (auto& [pair, weight] : pairs) weight /= sum;
  return pairs;
}

std::vector<Matrix> standardised(const FittedCategory& fitted, const std::vector<Index>& channels) {
  std::vector<Matrix> out;
  for (const Matrix& variant : fitted.variants)
    out.push_back(standardise_columns(variant(channels, Eigen::all).eval()));
  return out;
}

// P_first x P_second: correlations of memberships.
Matrix correlations(const Model& first, const Model& second, const CommonChannels& channels,
                    bool is_by_trial) {
  Matrix out = Matrix::Zero(first.n_components(), second.n_components());
  std::vector<std::vector<Matrix>> of_second;
  for (const FittedCategory& fitted : second.categories)
    of_second.push_back(standardised(fitted, channels.second));
  Index row = 0;
  for (const FittedCategory& a : first.categories) {
    const std::vector<Matrix> of_first = standardised(a, channels.first);
    Index column = 0;
    for (std::size_t k = 0; k < second.categories.size(); ++k) {
      const FittedCategory& b = second.categories[k];
      auto block = out.block(row, column, a.n_components(), b.n_components());
      for (const auto& [options, weight] : option_pairs(a.category, b.category, is_by_trial))
        block += weight * of_first[options.first].transpose() * of_second[k][options.second];
      column += b.n_components();
    }
    row += a.n_components();
  }
  return out;
}

// Whether a component, in memberships or traces, has a value below zero: only then can its sign be another.
std::vector<bool> have_negative(const Model& model) {
  std::vector<bool> out;
  for (const FittedCategory& fitted : model.categories)
    for (Index j = 0; j < fitted.n_components(); ++j)
      out.push_back(std::ranges::any_of(fitted.variants,
                                        [&](const Matrix& v) { return (v.col(j).array() < 0).any(); }));
  for (const Matrix& traces : model.traces)
    for (std::size_t j = 0; j < out.size(); ++j)
      out[j] = out[j] || (traces.row(static_cast<Index>(j)).array() < 0).any();
  return out;
}

std::vector<Index> living_components(const Model& model) {
  const std::vector<Index> dead = model.dead_components();
  std::vector<Index> out;
  for (Index j = 0; j < model.n_components(); ++j)
    if (std::ranges::find(dead, j) == dead.end()) out.push_back(j);
  return out;
}

double trace_correlation(const Model& first, Index a, const Model& second, Index b) {
  double sum = 0;
  for (std::size_t m = 0; m < first.n_trials(); ++m) {
    const Matrix x = first.traces[m].row(a).transpose(), y = second.traces[m].row(b).transpose();
    sum += standardise_columns(x).col(0).dot(standardise_columns(y).col(0));
  }
  return sum / static_cast<double>(std::max<std::size_t>(1, first.n_trials()));
}

CorrelationSummary summarise(std::vector<double> values) {
  if (values.empty()) return {kNaN, kNaN, kNaN};
  double sum = 0;
  for (const double value : values) sum += value;
  return {sum / static_cast<double>(values.size()), *std::ranges::min_element(values),
          percentile(values, 0.05)};
}

std::optional<double> total(const std::optional<Objective>& objective) {
  return objective ? std::optional(objective->total()) : std::nullopt;
}

const std::string& category_of(const Model& model, Index component) {
  return model.categories[model.place(component).category].category.spec.name;
}

}  // namespace

ModelComparison compare_models(const FitResult& first, const FitResult& second) {
  const Model &a = first.model, &b = second.model;
  const CommonChannels channels = common_channels(a, b);
  ModelComparison out;
  out.first_r2 = first.summary.r2, out.second_r2 = second.summary.r2;
  out.first_objective = total(first.summary.objective),
  out.second_objective = total(second.summary.objective);
  out.has_same_data = first.summary.data_fingerprint == second.summary.data_fingerprint;
  out.has_same_trials = has_same_trials(a, b);
  out.n_channels = channels.first.size();

  const std::vector<Index> of_first = living_components(a), of_second = living_components(b);
  const std::vector<bool> first_negative = have_negative(a), second_negative = have_negative(b);
  const Matrix all = correlations(a, b, channels, out.has_same_trials);
  const Matrix correlation = all(of_first, of_second);
  Matrix likeness = correlation;
  for (Index r = 0; r < likeness.rows(); ++r)
    for (Index c = 0; c < likeness.cols(); ++c)
      if (first_negative[static_cast<std::size_t>(of_first[static_cast<std::size_t>(r)])] ||
          second_negative[static_cast<std::size_t>(of_second[static_cast<std::size_t>(c)])])
        likeness(r, c) = std::abs(likeness(r, c));

  std::vector<Index> assigned(of_first.size(), -1);
  if (!of_first.empty() && !of_second.empty()) assigned = assign(-likeness);
  std::vector<double> of_components, of_traces;
  std::vector<bool> is_taken(of_second.size(), false);
  for (std::size_t r = 0; r < of_first.size(); ++r) {
    ComparedComponent match;
    match.first = of_first[r];
    match.first_category = category_of(a, match.first);
    match.trace_correlation = kNaN;
    if (assigned[r] >= 0) {
      const auto row = static_cast<Index>(r);
      is_taken[static_cast<std::size_t>(assigned[r])] = true;
      match.second = of_second[static_cast<std::size_t>(assigned[r])];
      match.second_category = category_of(b, match.second);
      match.component_correlation = likeness(row, assigned[r]);
      const bool is_flipped = likeness(row, assigned[r]) != correlation(row, assigned[r]);
      if (out.has_same_trials) {
        match.trace_correlation = (is_flipped ? -1 : 1) * trace_correlation(a, match.first, b, match.second);
        of_traces.push_back(match.trace_correlation);
      }
      of_components.push_back(match.component_correlation);
      out.n_alike += match.is_alike();
      out.n_other_category += match.first_category != match.second_category;
    }
    out.matches.push_back(std::move(match));
  }
  for (std::size_t c = 0; c < of_second.size(); ++c)
    if (!is_taken[c]) out.only_second.push_back(of_second[c]);
  out.component_correlation = summarise(std::move(of_components));
  out.trace_correlation = summarise(std::move(of_traces));
  return out;
}

}  // namespace milcci
