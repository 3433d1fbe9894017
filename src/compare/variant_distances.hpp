// How far a component moves with the labels, against how far components are apart.
#pragma once

#include "milcci/compare_methods.hpp"

namespace milcci {

/// Euclidean distances between memberships of length one: of the same component under two of the options
/// that trials have, and of different components in one condition (combination of options) or in two. Of
/// more than 100 conditions, 100 at random; of more than 100 options of a category, 100 at even distances. A
/// component without members has no direction, and no part in them.
VariantDistances variant_distances(const Model& model);

}  // namespace milcci
