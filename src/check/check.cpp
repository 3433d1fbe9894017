#include "milcci/check.hpp"

#include <algorithm>
#include <limits>

#include "check/stages.hpp"
#include "data/check_trials.hpp"
#include "data/observed_together.hpp"
#include "label_graphs/categories.hpp"
#include "milcci/error.hpp"
#include "milcci/fit.hpp"

namespace milcci {
namespace {

FitOptions options_of_fit(const std::vector<Category>& categories) {
  FitOptions options;
  for (const Category& category : categories) options.categories.push_back(category.spec);
  if (categories.empty())
    options.categories.push_back({.name = "fixed", .n_components = 2, .kind = CategoryKind::fixed});
  return options;
}

// What would stop a fit, such as values too large for their squares, does not stop a check.
double seconds_of_fit(const TrialSource& trials, const FitOptions& options) {
  try {
    return estimate_seconds(trials, options);
  } catch (const Error&) {
    return 0.0;
  }
}

// What costs a few passes over the values.
Check look(const TrialSource& trials, const std::vector<CategorySpec>& categories,
           std::vector<Category>& resolved) {
  using namespace check_stages;
  Check out;
  out.n_trials = trials.n_trials();
  out.n_channels = static_cast<std::size_t>(trials.n_channels());
  out.time = look_at_times(trials);
  out.values = look_at_values(trials);
  out.gaps = look_at_gaps(trials);

  // Beyond it the product of many labels would not be a number any more.
  constexpr std::size_t kMostCells = std::numeric_limits<std::size_t>::max();
  out.labels = look_at_labels(trials, categories, resolved);
  out.n_cells = resolved.empty() ? 0 : 1;
  for (std::size_t k = 0; k < resolved.size(); ++k) {
    out.categories.push_back(resolved[k].spec.name);
    const auto n_options = static_cast<std::size_t>(resolved[k].n_options());
    out.n_cells = out.n_cells > kMostCells / n_options ? kMostCells : out.n_cells * n_options;
    for (std::size_t other = k + 1; other < resolved.size(); ++other)
      out.pairs.push_back(compare(resolved[k], resolved[other]));
  }
  out.gaps.unseen = find_unseen(trials, resolved);
  return out;
}

// Whether the options of a fit already do what a finding advises.
bool is_taken_care_of(const Finding& finding, const FitOptions& options) {
  if (finding.option == "offset") return has_offset(options);
  if (finding.option == "scale") return has_noise_levels(options);
  if (finding.option == "loss") return options.loss == Loss::huber;
  if (finding.option == "smoothness")
    return options.smoothness.has_value() || options.gamma3.has_value() || options.prior == TracePrior::lds;
  return false;
}

TogetherCheck summarise(const ObservedTogether& together) {
  TogetherCheck out{.n_pairs = together.n_pairs,
                    .n_apart = together.n_apart,
                    .n_parts = together.n_parts,
                    .sessions = {},
                    .n_tying = together.n_tying()};
  for (const Session& session : together.sessions)
    out.sessions.push_back({session.n_trials, session.n_channels()});
  return out;
}

}  // namespace

Check check(const TrialSource& trials, const std::vector<CategorySpec>& categories) {
  using namespace check_stages;
  check_trials(trials, 1, ValueSizes::any);
  std::vector<Category> resolved;
  Check out = look(trials, categories, resolved);
  look_for_negative_channels(trials, out.values);
  out.cells = design_cells(resolved, out.n_trials);
  const FitOptions options = options_of_fit(resolved);
  out.memory_bytes = static_cast<std::uint64_t>(estimate_memory(trials, options));
  out.fit_seconds = seconds_of_fit(trials, options);
  const ObservedTogether together = observed_together(TrialData(trials));
  out.gaps.together = summarise(together);
  out.findings = find_trouble(out, together);
  out.suggestion = suggest_options(out);
  return out;
}

std::vector<Finding> find_before_fit(const TrialSource& trials, const FitOptions& options) {
  using namespace check_stages;
  validate(options);
  check_trials(trials, 1, ValueSizes::any);
  std::vector<Category> resolved;
  const Check seen = look(trials, options.categories, resolved);
  std::vector<Finding> findings = find_trouble(seen, ObservedTogether{}, Tell::what_a_fit_does_not);
  std::erase_if(findings, [&](const Finding& finding) { return is_taken_care_of(finding, options); });
  return findings;
}

}  // namespace milcci
