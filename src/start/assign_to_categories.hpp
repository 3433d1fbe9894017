// Which component belongs to which category.
#pragma once

#include <vector>

#include "label_graphs/design.hpp"
#include "milcci/types.hpp"

namespace milcci {

/// gain(j, k): the squared error that variants of component j along category k would save, per extra option.
///   r_i = sum over trials with option i of (Y - A Phi) phi_j',   g_i = sum of ||phi_j||^2
///   gain = (sum_i ||r_i||^2 / g_i - ||sum_i r_i||^2 / sum_i g_i) / (n_options - 1)
/// residual[l] (N x P) and energy[l] (P) are the same sums per distinct label of the design. Zero for a
/// category with one option.
Matrix gain_table(const Design& design, const std::vector<Matrix>& residual,
                  const std::vector<Vector>& energy);

/// The category of each component that maximises the sum of log gains, category k taking n_components(k) of
/// them.
std::vector<int> assign_to_categories(const Design& design, const Matrix& gain);

/// Shared components (N x P) placed in their categories, the same variant for every option.
/// `category_of_component` as from `assign_to_categories`.
Components place_in_categories(const Design& design, const Matrix& shared,
                               const std::vector<int>& category_of_component);

}  // namespace milcci
