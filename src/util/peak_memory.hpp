// How much memory a piece of work needs, where the system tells (Linux).
#pragma once

#include <optional>

namespace milcci {

/// From its making on, the largest resident size of this process above what it was at the beginning.
class PeakMemory {
 public:
  PeakMemory();
  /// Bytes; empty where the system does not tell.
  std::optional<double> bytes() const;

 private:
  std::optional<double> before_;
};

}  // namespace milcci
