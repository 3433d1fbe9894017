#include "fit/estimate.hpp"

#include <algorithm>
#include <cmath>

#include "label_graphs/categories.hpp"
#include "start/search_outlook.hpp"
#include "util/parallel.hpp"
#include "util/random.hpp"

namespace milcci {
namespace {

// Evenly spread, so that long and short trials and all labels are met in the right proportion.
std::vector<std::size_t> sample_of(const TrialSource& trials, double n_values, double& share) {
  double total = 0;
  for (std::size_t m = 0; m < trials.n_trials(); ++m) total += static_cast<double>(trials.n_times(m));
  total *= static_cast<double>(trials.n_channels());
  const auto n_trials = static_cast<double>(trials.n_trials());
  const double wanted = std::clamp(std::ceil(n_trials * n_values / total), 1.0, n_trials);
  std::vector<std::size_t> sample;
  double sampled = 0;
  for (double i = 0; i < wanted; ++i) {
    sample.push_back(static_cast<std::size_t>(i * n_trials / wanted));
    sampled += static_cast<double>(trials.n_times(sample.back()) * trials.n_channels());
  }
  share = sampled / total;
  return sample;
}

Start any_start(const TrialSource& trials, const FitOptions& options) {
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

// Iterations on the whole data: where the search saw all options and channels, where others are to be
// found out, and where many answers are about as good. And passes over the data before and after them.
double usual_iterations(const WholeProblem& whole, const SearchOutlook& outlook) {
  constexpr double kSeen = 8, kFiner = 40, kHard = 100, kBeside = 5;
  const double usual = outlook.is_hard ? kHard : whole.is_finer() ? kFiner : kSeen;
  return kBeside + std::min(usual, static_cast<double>(whole.options.max_iterations));
}

}  // namespace

double estimate_seconds(const TrialSource& trials, const FitOptions& options) {
  const Design design = make_design(resolve_categories(options.categories, trials), trials.n_trials());
  const TrialData data(trials, Transform::none, Precision::float64, resolve_threads(options.threads));
  if (!(data.energy() > 0) || design.n_components() > data.n_channels()) return 0.0;
  const WholeProblem whole(data, design, options);
  const SearchOutlook outlook = look_ahead(whole);
  const double seconds =
      outlook.seconds + usual_iterations(whole, outlook) * estimate_seconds_per_iteration(trials, options);
  return std::min(seconds, options.time_limit.value_or(seconds));
}

double estimate_seconds_per_iteration(const TrialSource& trials, const FitOptions& options) {
  constexpr double kSampleValues = 4e6;
  constexpr int kIterations = 8;
  double share = 1;
  const TrialSource sample = trials.some_trials(sample_of(trials, kSampleValues, share));
  return shortest_iteration(sample, options, any_start(sample, options), kIterations) / share;
}

double shortest_iteration(const TrialSource& trials, FitOptions options, const Start& start, int iterations) {
  options.tolerance = options.component_tolerance = 0;
  options.max_iterations = iterations;
  const FitSummary summary = fit(trials, options, {}, start).summary;
  double shortest = summary.iterations.front().seconds;
  for (std::size_t i = 1; i < summary.iterations.size(); ++i)
    shortest = std::min(shortest, summary.iterations[i].seconds - summary.iterations[i - 1].seconds);
  return shortest;
}

}  // namespace milcci
