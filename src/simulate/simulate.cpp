// Synthetic trials with known truth, as in the paper's appendix "Synthetic Experiment": labels, then
// components, then traces; the data are their product, as a recording would show it, with gaps if asked for.
#include "milcci/simulate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/history.hpp"
#include "milcci/error.hpp"
#include "simulate/stages.hpp"
#include "util/percentile.hpp"
#include "util/physical_memory.hpp"

namespace milcci {
namespace {

using namespace simulation;

constexpr double kScalePercentile = 0.98;

// What does not fit into the memory of this machine would fill it until something is killed.
void refuse_impossible_size(const SimulateOptions& options) {
  const double length =
                   0.5 * (static_cast<double>(options.min_length) + static_cast<double>(options.max_length)),
               samples = length * options.n_trials;
  double numbers = samples * options.n_channels;
  for (const SimulatedCategory& category : options.categories) {
    const double n_options =
        category.kind == CategoryKind::trial_number ? options.n_trials : category.n_options;
    numbers += category.n_components * (samples + n_options * options.n_channels);
  }
  const double bytes = sizeof(double) * numbers;
  if (const std::optional<double> memory = physical_memory(); memory && bytes > *memory)
    throw Error(
        ErrorKind::bad_option,
        fmt::format("these trials take at least {:.3g} GB, and this machine has {:.3g} GB of memory; ask "
                    "for fewer trials (`n_trials` = {}), channels (`n_channels` = {}) or time points "
                    "(`max_length` = {})",
                    bytes / 1e9, *memory / 1e9, options.n_trials, options.n_channels, options.max_length));
}

std::vector<Index> draw_lengths(const SimulateOptions& options) {
  Random random = random_for(options.seed, Stream::lengths);
  std::vector<Index> lengths;
  for (int m = 0; m < options.n_trials; ++m)
    lengths.push_back(options.min_length + random.below(options.max_length - options.min_length + 1));
  return lengths;
}

// Every component's traces are scaled so that their 98th percentile is that of its memberships, zeros
// included; where so few memberships are left that this is zero, that of the largest. Magnitudes count.
// Transitions follow: what turns phi into phi' turns D phi into D phi' as D W D^-1.
void scale_traces(const std::vector<CategoryComponents>& components, std::vector<Matrix>& traces,
                  std::vector<Matrix>& transitions) {
  Index position = 0;
  for (const CategoryComponents& category : components)
    for (Index j = 0; j < category.n_components(); ++j, ++position) {
      std::vector<double> memberships, activity;
      for (const Matrix& variant : category.variants)
        for (Index n = 0; n < variant.rows(); ++n) memberships.push_back(std::abs(variant(n, j)));
      for (const Matrix& trial : traces)
        for (Index t = 0; t < trial.cols(); ++t) activity.push_back(std::abs(trial(position, t)));
      double target = percentile(memberships, kScalePercentile);
      if (target == 0) target = *std::max_element(memberships.begin(), memberships.end());
      const double found = percentile(activity, kScalePercentile);
      if (found == 0) continue;
      for (Matrix& trial : traces) trial.row(position) *= target / found;
      for (Matrix& W : transitions) {
        W.row(position) *= target / found;
        W.col(position) *= found / target;
      }
    }
}

Matrix loading(const std::vector<CategoryComponents>& components, const std::vector<CategoryLabels>& labels,
               std::size_t trial, Index n_components) {
  Matrix stacked(components.front().variants.front().rows(), n_components);
  Index first = 0;
  for (std::size_t k = 0; k < components.size(); ++k) {
    const auto option = static_cast<std::size_t>(labels[k].option_of_trial[trial]);
    stacked.middleCols(first, components[k].n_components()) = components[k].variants[option];
    first += components[k].n_components();
  }
  return stacked;
}

// All that was asked for, as it would be typed.
Json settings_of(const SimulateOptions& options) {
  Json categories = Json::array(), fields = Json::object();
  for (const SimulatedCategory& category : options.categories)
    categories.push_back(fmt::format("{}={}:{}:{}", category.name, category.n_components, category.n_options,
                                     to_text(category.kind)));
  visit_fields(options,
               [&](const Field& field, const auto& member) { fields[field.name] = to_json_value(member); });
  return {{"categories", categories}, {"options", fields}};
}

}  // namespace

Trials simulate(const SimulateOptions& options) {
  if (const auto problems = violations(options); !problems.empty()) {
    std::string message = "simulating trials:";
    for (const std::string& problem : problems) message += fmt::format("\n  {}", problem);
    throw Error(ErrorKind::bad_option, message);
  }
  refuse_impossible_size(options);
  const auto labels = draw_labels(options);
  const auto lengths = draw_lengths(options);
  Truth truth{draw_components(options, labels), {}};
  if (options.dynamics) {
    Dynamics dynamics = draw_dynamics(options, labels, lengths);
    truth.traces = std::move(dynamics.traces), truth.transitions = std::move(dynamics.transitions);
  } else {
    truth.traces = draw_traces(options, labels, lengths);
  }
  scale_traces(truth.categories, truth.traces, truth.transitions);

  Trials trials;
  trials.labels = label_columns(options, labels);
  for (int n = 1; n <= options.n_channels; ++n) trials.channel_names.push_back(fmt::format("channel{}", n));
  for (std::size_t m = 0; m < lengths.size(); ++m)
    trials.values.push_back(loading(truth.categories, labels, m, truth.traces[m].rows()) * truth.traces[m]);
  observe(options, trials.values, truth);
  if (options.missing > 0) remove_entries(options, trials.values);
  if (!options.pure_noise) trials.truth = std::move(truth);
  add_history(trials, "simulate", settings_of(options), {});
  return trials;
}

}  // namespace milcci
