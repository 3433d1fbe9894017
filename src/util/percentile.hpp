// Percentiles, linear between the two nearest order statistics.
#pragma once

#include <vector>

namespace milcci {

/// The value below which `share` (0 to 1) of the values lie. `values` must not be empty; O(n).
double percentile(std::vector<double> values, double share);

}  // namespace milcci
