// Numbers in groups of about equally many.
#pragma once

#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

namespace milcci {

/// Where to cut `sorted` into at most `n` groups: the position of the first value of every group but the
/// first. Equal values are never parted, so a cut goes to the nearest place between different ones.
inline std::vector<std::size_t> balanced_cuts(const std::vector<double>& sorted, int n) {
  std::vector<std::size_t> cuts;
  for (int b = 1; b < n; ++b) {
    const double wanted = static_cast<double>(sorted.size()) * b / n;
    std::size_t best = 0;
    double nearest = std::numeric_limits<double>::infinity();
    for (std::size_t i = cuts.empty() ? 1 : cuts.back() + 1; i < sorted.size(); ++i) {
      const double distance = std::abs(static_cast<double>(i) - wanted);
      if (sorted[i - 1] < sorted[i] && distance < nearest) best = i, nearest = distance;
    }
    if (best > 0) cuts.push_back(best);
  }
  return cuts;
}

}  // namespace milcci
