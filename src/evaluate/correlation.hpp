// Pearson correlation that is defined everywhere: a constant correlates 0 with anything.
#pragma once

#include "milcci/types.hpp"

namespace milcci {

/// Every column less its mean, at Euclidean length one; constant columns become zero. The scalar product of
/// two such columns is their correlation.
inline Matrix standardise_columns(const Matrix& x) {
  // What is left of a constant after subtracting its mean is rounding, some 1e-16 of its length.
  constexpr double kConstant = 1e-13;
  Matrix result = x;
  for (Index j = 0; j < x.cols(); ++j) {
    const double length = x.col(j).norm();
    result.col(j).array() -= x.col(j).mean();
    const double spread = result.col(j).norm();
    if (spread > kConstant * length)
      result.col(j) /= spread;
    else
      result.col(j).setZero();
  }
  return result;
}

}  // namespace milcci
