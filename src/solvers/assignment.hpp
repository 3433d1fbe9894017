// Optimal assignment of rows to columns.
#pragma once

#include <vector>

#include "milcci/types.hpp"

namespace milcci {

/// min over injective maps sum_r cost(r, column(r)); shortest augmenting paths (Jonker-Volgenant), O(n^3).
/// Returns the column of each row; with more rows than columns the surplus rows get -1. All costs finite.
std::vector<Index> assign(const Matrix& cost);

}  // namespace milcci
