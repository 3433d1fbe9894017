// The matrix of a label graph's differences.
#pragma once

#include "milcci/label_graph.hpp"
#include "milcci/types.hpp"

namespace milcci {

/// L with x' L x = sum over pairs of options of w(i, i') (x_i - x_i')^2. For graphs that are small, and
/// symmetric.
inline Matrix laplacian(const LabelGraph& ties) {
  Matrix L = -ties.dense();
  L.diagonal().setZero();
  L.diagonal() = -L.rowwise().sum();
  return L;
}

}  // namespace milcci
