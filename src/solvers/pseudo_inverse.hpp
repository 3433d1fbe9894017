// The pseudo-inverse of a symmetric positive semi-definite matrix.
#pragma once

#include "milcci/types.hpp"

namespace milcci {

/// Directions below this share of the largest eigenvalue carry no data.
inline constexpr double kRankTolerance = 1e-12;

Matrix pseudo_inverse(const Matrix& H);

}  // namespace milcci
