// Leading eigenvectors and singular vectors, largest first.
#pragma once

#include "milcci/types.hpp"

namespace milcci::baselines {

struct Leading {
  Matrix vectors;  ///< one per column
  Vector values;
};

/// Of a symmetric positive semi-definite matrix; values are not negative.
Leading leading_eigenvectors(const Matrix& symmetric, Index n);

/// The left singular vectors of X, by way of the smaller of XX' and X'X; values are singular values.
Leading leading_left_vectors(const Matrix& X, Index n);

}  // namespace milcci::baselines
