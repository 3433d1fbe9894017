// A coarser design for the search: ordered categories with many options (trial number) are cut into a few
// bins.
#pragma once

#include "label_graphs/design.hpp"

namespace milcci {

struct BinnedDesign {
  Design design;
  std::vector<std::vector<int>> bin_of_option;  ///< [k][option of the fine design]
};

/// Ordered categories keep at most a dozen options, merged along their order so that each has about as many
/// trials.
BinnedDesign bin_design(const Design& design, std::size_t n_trials);

/// The same design with one trial per label, as `pool` makes them.
Design one_trial_per_label(const Design& design);

/// Components of the binned design for every option of the fine one.
Components unbin(const BinnedDesign& binned, const Design& fine, const Components& components);

}  // namespace milcci
