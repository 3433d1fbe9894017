#include "milcci/check.hpp"

#include <algorithm>
#include <limits>

#include "check/stages.hpp"
#include "data/check_trials.hpp"
#include "milcci/fit.hpp"

namespace milcci {
namespace {

std::size_t count_components(const Check& check) {
  std::size_t n_components = 0;
  for (const LabelCheck& label : check.labels)
    if (label.use == LabelUse::category) n_components += static_cast<std::size_t>(label.spec.n_components);
  return std::max<std::size_t>(n_components, 2);
}

std::uint64_t memory_of_fit(const TrialSource& trials, const std::vector<Category>& categories) {
  FitOptions options;
  for (const Category& category : categories) options.categories.push_back(category.spec);
  if (categories.empty())
    options.categories.push_back({.name = "fixed", .n_components = 2, .kind = CategoryKind::fixed});
  return static_cast<std::uint64_t>(estimate_memory(trials, options));
}

// The search, which hardly depends on the data's size, and the iterations on all values; with gaps every time
// point and every channel has equations of its own. Constants from fits of
// simulated trials (80 to 300 MB, 4 to 12 components, with and without gaps), elections and page views, met
// within a factor of three.
double estimate_seconds(const Check& check, std::size_t n_components) {
  constexpr double kSearch = 0.2, kPerValue = 5e-9, kGaps = 30;
  const double n_values = static_cast<double>(check.time.n_samples) * static_cast<double>(check.n_channels);
  return kSearch +
         kPerValue * n_values * static_cast<double>(n_components) * (1 + kGaps * check.values.missing_share);
}

}  // namespace

Check check(const TrialSource& trials, const std::vector<CategorySpec>& categories) {
  using namespace check_stages;
  check_trials(trials);
  Check out;
  out.n_trials = trials.n_trials();
  out.n_channels = static_cast<std::size_t>(trials.n_channels());
  out.time = look_at_times(trials);
  out.values = look_at_values(trials);
  out.gaps = look_at_gaps(trials);

  // Beyond it the product of many labels would not be a number any more.
  constexpr std::size_t kMostCells = std::numeric_limits<std::size_t>::max();
  std::vector<Category> resolved;
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
  out.cells = design_cells(resolved, out.n_trials);
  const std::size_t n_components = count_components(out);
  out.memory_bytes = memory_of_fit(trials, resolved);
  out.fit_seconds = estimate_seconds(out, n_components);
  out.findings = find_trouble(out);
  out.suggestion = suggest_flags(out);
  return out;
}

}  // namespace milcci
