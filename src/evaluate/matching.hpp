// Which estimated component is which true one.
#pragma once

#include <vector>

#include "milcci/model.hpp"
#include "milcci/trial_source.hpp"

namespace milcci {

/// What one true component was matched with.
struct Match {
  /// Under one option of the estimated category.
  struct UnderOption {
    Index estimate = -1;  ///< position among the model's components
    /// -1 where component and trace are both found with the opposite sign, which makes the same data.
    double sign = 1.0;
  };

  /// Position among the model's components, -1 if it has too few. In a category of kind free the one that it
  /// is matched with in most trials; no two matches share one.
  Index estimate = -1;
  /// Per option of the estimated category, empty if there is none. All alike unless its kind is free.
  std::vector<UnderOption> under_option;
  /// Per true option that occurs: mean over its trials of the Pearson correlation between the columns of the
  /// trial's true and estimated loading, times sign. Where the component was found in its own category, all
  /// trials of an option have the same columns, and this is the correlation of the two variants of that name.
  std::vector<double> option_correlations;
};

/// The option of every trial in a true category. A truth keeps option names only; categories without a label
/// column are fixed or go by trial number. Throws Error(bad_input) for a label that is none of the options.
std::vector<int> true_option_of_trial(const CategoryComponents& truth, const TrialSource& trials);

/// One match per true component, in their order: the optimal assignment by the mean over trials of
/// the Pearson correlation between columns of the loadings. Constant columns correlate 0 with
/// everything. The variants of a category of kind free are not tied to one another, so which of its
/// components is which, and with which sign, is decided for each of its options separately. The
/// trials must carry a truth, and model, trials and truth must agree in shape.
std::vector<Match> match_components(const Model& model, const TrialSource& trials);

}  // namespace milcci
