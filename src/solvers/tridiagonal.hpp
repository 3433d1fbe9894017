// Symmetric tridiagonal systems, with and without a sign constraint.
#pragma once

#include <vector>

#include "milcci/types.hpp"

namespace milcci {

/// Solves M x = b for a positive definite M with a diagonal (T) and an off-diagonal (T - 1), and for pieces
/// of M. Rows are eliminated from both ends towards the middle: two recurrences that do not wait for each
/// other. O(T).
class TridiagonalSolver {
 public:
  /// The vectors must stay as they are while systems are solved. Where all rows of M but the first and the
  /// last are the same, the elimination depends only on the distance from the end of a piece, and is kept
  /// from piece to piece, and as long as the rows are the same.
  void set_matrix(const Vector& diagonal, const Vector& off);
  /// The rows first ... last alone, without what ties them to others. x holds b on entry.
  void solve(Index first, Index last, Eigen::Ref<Vector> x);

 private:
  /// Of the rows k = 0, 1, ... from one end: 1 / pivot_k, and that times the off-diagonal to row k - 1 and
  /// to row k + 1.
  struct Rows {
    const double *inverse, *behind, *ahead;
  };
  /// Of rows that are the same but for the first.
  struct Repeated {
    double first = 0, diagonal = 0, off = 0;
    std::vector<double> inverse, ratio;

    void begin(double first_diagonal, double next_diagonals, double all_off);
    Rows reach(Index n_rows);
  };
  struct Single {
    std::vector<double> inverse, behind, ahead;

    void eliminate(const Vector& diagonal, const Vector& off, Index end, Index step, Index n_rows);
    Rows rows() const { return {inverse.data(), behind.data(), ahead.data()}; }
  };
  Rows from_top(Index first, Index n_rows);
  Rows from_bottom(Index last, Index n_rows);

  const Vector *diagonal_ = nullptr, *off_ = nullptr;
  bool repeats_ = false;
  Repeated top_, inner_, bottom_;
  Single from_top_, from_bottom_;
};

struct TridiagonalWork {
  TridiagonalSolver solver;
  std::vector<char> is_free, has_turned, turns;
};

/// min_x x' M x - 2 b' x, x >= 0, for a positive definite M with off-diagonal <= 0 (an M-matrix), started
/// from the signs of x. Primal-dual active sets, which for M-matrices converge from any start (Hintermueller,
/// Ito and Kunisch 2003). Each step solves the pieces between zeros anew in which a row has turned.
void solve_tridiagonal_nonnegative(const Vector& diagonal, const Vector& off, const Vector& b,
                                   Eigen::Ref<Vector> x, TridiagonalWork& work);

}  // namespace milcci
