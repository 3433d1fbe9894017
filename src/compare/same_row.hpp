// Which rows of two repeats belong together.
#pragma once

#include "milcci/compare_methods.hpp"

namespace milcci {

/// Names are unique, and a method has a row for each number of components and level of noise that it was
/// tried with.
inline bool is_same_row(const MethodScores& a, const MethodScores& b) {
  return a.name == b.name && a.n_asked == b.n_asked && a.added_noise == b.added_noise;
}

}  // namespace milcci
