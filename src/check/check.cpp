#include "milcci/check.hpp"

#include <algorithm>
#include <limits>

#include "check/stages.hpp"
#include "data/check_trials.hpp"
#include "data/observed_together.hpp"
#include "fit/search_size.hpp"
#include "label_graphs/categories.hpp"
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

// The search, which works on a subset of the time points, and the iterations on all values. With gaps every
// time point and every channel of every label has equations of its own. Constants from fits on two cores of
// simulated trials (0.1 to 300 MB, 4 to 12 components, 20 to 20,000 channels, up to 5,000 options, with and
// without gaps), met within a factor of three or so.
double estimate_seconds(const TrialSource& trials, const FitOptions& options, double missing_share) {
  constexpr double kLeast = 0.2, kIteration = 5e-9, kGapsOfIteration = 30;
  constexpr double kSearch = 3e-7, kLabel = 4e-3, kGapsOfTime = 3e-5, kGapsOfChannel = 1.5e-5;
  const Design design = make_design(resolve_categories(options.categories, trials), trials.n_trials());
  const SearchSize size = search_size(trials, design);
  const auto N = static_cast<double>(trials.n_channels()), P = static_cast<double>(design.n_components()),
             n_labels = static_cast<double>(size.design.labels.size());
  double n_values = 0;
  for (std::size_t m = 0; m < trials.n_trials(); ++m) n_values += N * static_cast<double>(trials.n_times(m));
  const double of_gaps = kGapsOfTime * size.n_times * P * P + kGapsOfChannel * n_labels * N * P * P;
  const double search =
      kSearch * N * size.n_times * P + kLabel * n_labels + (missing_share > 0 ? of_gaps : 0);
  return kLeast + search + kIteration * n_values * P * (1 + kGapsOfIteration * missing_share);
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
  const FitOptions options = options_of_fit(resolved);
  out.memory_bytes = static_cast<std::uint64_t>(estimate_memory(trials, options));
  out.fit_seconds = estimate_seconds(trials, options, out.values.missing_share);
  const ObservedTogether together = observed_together(TrialData(trials));
  out.gaps.together = summarise(together);
  out.findings = find_trouble(out, together);
  out.suggestion = suggest_options(out);
  return out;
}

}  // namespace milcci
