#include "util/percentile.hpp"

#include <algorithm>
#include <cstddef>

namespace milcci {

double percentile(std::vector<double> values, double share) {
  const double rank = share * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::ptrdiff_t>(rank);
  std::nth_element(values.begin(), values.begin() + below, values.end());
  const double low = values[static_cast<std::size_t>(below)];
  if (static_cast<std::size_t>(below) + 1 == values.size()) return low;
  const double high = *std::min_element(values.begin() + below + 1, values.end());
  return low + (rank - static_cast<double>(below)) * (high - low);
}

}  // namespace milcci
