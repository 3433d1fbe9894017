#include <algorithm>
#include <cmath>

#include "label_graphs/categories.hpp"
#include "label_graphs/design.hpp"
#include "milcci/fit.hpp"

namespace milcci {

double estimate_memory(const TrialSource& trials, const FitOptions& options) {
  // Of the components: in use, before the update, the update, and what is extrapolated from.
  constexpr double kComponentCopies = 4, kProgram = 20e6;
  const Design design = make_design(resolve_categories(options.categories, trials), trials.n_trials());
  const auto n_channels = static_cast<double>(trials.n_channels()),
             n_components = static_cast<double>(design.n_components());
  double n_values = 0, n_times = 0, n_missing = 0, n_labels_with_gaps = 0;
  std::vector<bool> has_gaps(design.labels.size(), false);
  TrialBuffer buffer;
  for (std::size_t m = 0; m < trials.n_trials(); ++m) {
    n_times += static_cast<double>(trials.n_times(m));
    const double missing = trials.values(m, buffer).visit([](const auto& y) {
      return std::isfinite(y.sum()) ? 0.0 : static_cast<double>(y.array().isNaN().count());
    });
    n_values += n_channels * static_cast<double>(trials.n_times(m)) * (trials.is_float(m) ? 0.5 : 1.0);
    if (missing == 0) continue;
    n_missing += missing;
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

}  // namespace milcci
