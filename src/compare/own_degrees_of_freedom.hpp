// How many numbers a fit of our own used.
#pragma once

#include <string>

#include "milcci/model.hpp"

namespace milcci {

struct DegreesOfFreedom {
  double count = 0;
  std::string note;  ///< how they were counted
};

/// Non-zero memberships of the options that trials have, and what the traces are worth: non-zero values
/// where they may not be negative, otherwise
///   sum over trials and over eigenvalues l of the squared steps: tr (H + R + l Q)^-1 H,   H = A'A
/// with ridge R and smoothness Q as estimated, which is exact for unit steps without gaps; less a scale per
/// component and option. Offsets and noise levels are counted where there are any.
DegreesOfFreedom own_degrees_of_freedom(const FitResult& fitted);

}  // namespace milcci
