// How far a component moves with the labels, against how far components are apart.
#pragma once

#include "milcci/compare_methods.hpp"

namespace milcci {

/// Euclidean distances between memberships of length one, over pairs of conditions (trials with other
/// variants): of the same component under other variants, of different components in one condition, and of
/// different components in two conditions. At most 100 conditions, evenly spaced over the trials.
VariantDistances variant_distances(const Model& model);

}  // namespace milcci
