#include <algorithm>
#include <cmath>

#include "fit/state.hpp"
#include "label_graphs/categories.hpp"
#include "milcci/fit.hpp"
#include "prepare/check_trials.hpp"
#include "util/columns.hpp"
#include "util/random.hpp"

namespace milcci {
namespace {

// Evenly spread, so that long and short trials and all labels are met in the right proportion.
std::vector<std::size_t> sample_of(const Trials& trials, double n_values, double& share) {
  double total = 0;
  for (const Matrix& y : trials.values) total += static_cast<double>(y.size());
  const auto n_trials = static_cast<double>(trials.n_trials());
  const double wanted = std::clamp(std::ceil(n_trials * n_values / total), 1.0, n_trials);
  std::vector<std::size_t> sample;
  double sampled = 0;
  for (double i = 0; i < wanted; ++i) {
    sample.push_back(static_cast<std::size_t>(i * n_trials / wanted));
    sampled += static_cast<double>(trials.values[sample.back()].size());
  }
  share = sampled / total;
  return sample;
}

Trials pick(const Trials& trials, const std::vector<std::size_t>& which) {
  Trials picked;
  picked.channel_names = trials.channel_names;
  for (const std::size_t m : which) {
    picked.values.push_back(trials.values[m]);
    if (!trials.times.empty()) picked.times.push_back(trials.times[m]);
  }
  for (const LabelColumn& column : trials.labels) {
    LabelColumn part{.name = column.name, .values = {}};
    std::visit(
        [&](const auto& values) {
          std::decay_t<decltype(values)> some;
          for (const std::size_t m : which) some.push_back(values[m]);
          part.values = std::move(some);
        },
        column.values);
    picked.labels.push_back(std::move(part));
  }
  return picked;
}

Start any_start(const Trials& trials, const FitOptions& options) {
  Start start;
  Random random(options.seed, 0);
  for (const Category& category : resolve_categories(options.categories, trials)) {
    CategoryComponents components{category.spec.name, category.options, {}};
    const Matrix shared = random.normal(trials.n_channels(), category.spec.n_components).cwiseAbs();
    components.variants.assign(category.options.size(), shared);
    start.push_back(std::move(components));
  }
  return start;
}

}  // namespace

double estimate_memory(const Trials& trials, const FitOptions& options) {
  // Of the components: in use, before the update, the update, and what is extrapolated from.
  constexpr double kComponentCopies = 5, kProgram = 25e6;
  const Design design = make_design(resolve_categories(options.categories, trials), trials.n_trials());
  const auto n_channels = static_cast<double>(trials.n_channels()),
             n_components = static_cast<double>(design.n_components());
  double n_values = 0, n_times = 0, n_missing = 0, n_labels_with_gaps = 0;
  std::vector<bool> has_gaps(design.labels.size(), false);
  for (std::size_t m = 0; m < trials.n_trials(); ++m) {
    const Matrix& y = trials.values[m];
    n_values += static_cast<double>(y.size());
    n_times += static_cast<double>(y.cols());
    if (std::isfinite(y.sum())) continue;
    n_missing += static_cast<double>(y.array().isNaN().count());
    has_gaps[static_cast<std::size_t>(design.label_of_trial[m])] = true;
  }
  n_labels_with_gaps = static_cast<double>(std::count(has_gaps.begin(), has_gaps.end(), true));
  double n_memberships = 0, n_similarities = 0;
  for (std::size_t k = 0; k < design.n_categories(); ++k) {
    const auto n_options = static_cast<double>(design.n_options(k));
    n_memberships += n_channels * static_cast<double>(design.n_components(k)) * n_options;
    n_similarities += n_options * n_options;
  }
  const bool has_memory =
      options.prior == TracePrior::lds || options.gamma4.value_or(options.decorrelation) > 0;
  const double squares = n_components * n_components;
  const double doubles = n_values + n_times * n_components * (has_memory ? 3 : 1) +
                         static_cast<double>(design.labels.size()) * (n_channels * n_components + squares) +
                         n_labels_with_gaps * n_channels * squares + kComponentCopies * n_memberships +
                         n_similarities;
  return sizeof(double) * doubles + sizeof(int) * n_missing + kProgram;
}

double estimate_seconds_per_iteration(const Trials& trials, const FitOptions& options) {
  constexpr double kSampleValues = 4e6;
  constexpr int kIterations = 8;
  double share = 1;
  const Trials sample = pick(trials, sample_of(trials, kSampleValues, share));
  FitOptions few = options;
  few.tolerance = few.component_tolerance = 0;
  few.max_iterations = kIterations;
  const FitSummary summary = fit(sample, few, {}, any_start(sample, options)).summary;
  // The shortest one: the first ones solve more, and one that takes a step back passes twice.
  double shortest = summary.iterations.front().seconds;
  for (std::size_t i = 1; i < summary.iterations.size(); ++i)
    shortest = std::min(shortest, summary.iterations[i].seconds - summary.iterations[i - 1].seconds);
  return shortest / share;
}

}  // namespace milcci
