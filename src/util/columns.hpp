// Columns of length one. Eigen's colwise().normalize() divides zero columns by zero; here they stay zero.
#pragma once

#include "milcci/types.hpp"

namespace milcci {

inline void normalise_columns(Matrix& a) {
  for (Index j = 0; j < a.cols(); ++j) {
    const double length = a.col(j).norm();
    if (length > 0) a.col(j) /= length;
  }
}

}  // namespace milcci
