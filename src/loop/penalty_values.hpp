// What F charges components of length one for, before the penalties' weights.
#pragma once

#include "label_graphs/design.hpp"

namespace milcci {

/// Per category p x n_options.
struct PenaltyValues {
  std::vector<Matrix> l1;         ///< ||a||_1
  std::vector<Matrix> distances;  ///< sum_i' w(i, i') ||a - a'||^2 over the neighbours i' of option i
};

PenaltyValues penalty_values_of(const Design& design, const Components& components, int threads);

}  // namespace milcci
