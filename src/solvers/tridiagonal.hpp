// Symmetric tridiagonal systems, with and without a sign constraint.
#pragma once

#include <vector>

#include "milcci/types.hpp"

namespace milcci {

/// Solves M x = b in place (x holds b on entry) for a positive definite M with this diagonal (T) and
/// off-diagonal (T - 1). `work` is resized as needed. O(T).
void solve_tridiagonal(const Vector& diagonal, const Vector& off, Eigen::Ref<Vector> x, Vector& work);

struct TridiagonalWork {
  Vector diagonal, off, rhs, elimination;
  std::vector<char> is_free;
};

/// min_x x' M x - 2 b' x, x >= 0, for a positive definite M with off-diagonal <= 0 (an M-matrix), started
/// from the signs of x. Primal-dual active sets, which for M-matrices converge from any start (Hintermueller,
/// Ito and Kunisch 2003); each step is one tridiagonal solve.
void solve_tridiagonal_nonnegative(const Vector& diagonal, const Vector& off, const Vector& b,
                                   Eigen::Ref<Vector> x, TridiagonalWork& work);

}  // namespace milcci
