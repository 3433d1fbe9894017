// Rows of one variant: many small lassos that share their Gram matrix, or have one each.
#pragma once

#include "milcci/types.hpp"

namespace milcci {

struct LassoOptions {
  bool is_nonnegative = false;
  /// Stop when a sweep moved the coordinates by less than this share of their length.
  double tolerance = 1e-9;
  int max_sweeps = 500;
};

// One row a (p) of one variant A^(k)[::i], paper eq. (2), summed over the trials that carry option i:
//   min_a a' G a - 2 r' a + sum_j l1_j |a_j|        (and a >= 0)
// G (p x p) and r (p) hold the sums over time of products of traces, and of traces and data, plus whatever
// quadratic and linear penalties the caller adds. Coordinate step, cost O(p^2) a sweep, independent of T:
//   a_j <- S(r_j - sum_{l != j} G_jl a_l, l1_j / 2) / G_jj
// A coordinate with G_jj = 0 (nothing is known about it) is set to zero.

/// All N rows of A at once, starting from A; R is N x p, its columns as far apart as A's.
void lasso_rows(const Matrix& G, const Eigen::Ref<const Matrix>& R, const Eigen::Ref<const Vector>& l1,
                const LassoOptions& options, Eigen::Ref<Matrix> A);

/// The same with a Gram per row: `G` has at least N rows, a multiple of kPad, and packed_size(p) columns, row
/// n holds G_n; `extra` (p) is added to all of their diagonals.
void lasso_rows_of_own(const Matrix& G, const Eigen::Ref<const Vector>& extra, const Matrix& R,
                       const Eigen::Ref<const Vector>& l1, const LassoOptions& options, Eigen::Ref<Matrix> A);

/// One row with a Gram of its own, starting from a.
void lasso_row(const Matrix& G, const Vector& r, const Eigen::Ref<const Vector>& l1,
               const LassoOptions& options, Vector& a);

/// min_x quadratic x^2 + 2 linear x + sum_i l1_i |a_i + x|   (and a_i + x >= 0): the best common shift of the
/// coordinates a. quadratic > 0.
double best_shift(double quadratic, double linear, const Vector& a, const Vector& l1, bool is_nonnegative);

}  // namespace milcci
