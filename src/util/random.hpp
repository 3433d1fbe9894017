// Random numbers by counter: value n of stream s under seed k is a fixed function of (k, s, n), the same on
// every machine and for any number of threads. Philox 4x32-10 (Salmon et al. 2011).
#pragma once

#include <array>
#include <cstdint>

#include "milcci/types.hpp"

namespace milcci {

class Random {
 public:
  Random(std::uint64_t seed, std::uint64_t stream) : seed_(seed), stream_(stream) {}

  /// Uniform 32-bit integer.
  std::uint32_t bits();
  /// Uniform in [0, 1).
  double uniform();
  double uniform(double low, double high) { return low + (high - low) * uniform(); }
  /// Uniform in 0 ... n - 1.
  Index below(Index n) { return static_cast<Index>(uniform() * static_cast<double>(n)); }
  /// Standard normal (Box-Muller).
  double normal();
  Matrix normal(Index rows, Index cols);

 private:
  std::uint64_t seed_, stream_, counter_ = 0;
  std::array<std::uint32_t, 4> block_{};
  int used_ = 4;
  double spare_normal_ = 0;
  bool has_spare_ = false;
};

}  // namespace milcci
