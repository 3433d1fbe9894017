// The inner loops that touch all of the data or all of the traces, built once per instruction set and chosen
// at run time.
//
// Y: N x T data of a trial (or a stretch of one), channels contiguous. A: N x P loading. Phi, B: T x P, one
// trace contiguous, columns `stride` apart. Sums are in double.
#pragma once

#include <cstddef>
#include <vector>

namespace milcci {

/// The kernels of points take no more components than this.
constexpr int kMaxComponents = 64;

struct Shape {
  std::ptrdiff_t n_channels, n_times, n_components;
  std::ptrdiff_t stride;  ///< between the columns of B and Phi, at least n_times
};

/// For kernels that touch no data: columns one right after the other.
inline Shape shape_of_columns(std::ptrdiff_t n_rows, std::ptrdiff_t n_columns) {
  return {.n_channels = 0, .n_times = n_rows, .n_components = n_columns, .stride = n_rows};
}

/// Symmetric P x P matrices are packed where there are many: the lower triangle row by row. Of one that
/// stands alone the numbers lie side by side, padded to whole vectors; of one matrix per point every number
/// has a column, padded likewise.
constexpr std::ptrdiff_t kPad = 8;
constexpr std::ptrdiff_t padded(std::ptrdiff_t n) {
  return (n + kPad - 1) / kPad * kPad;
}
constexpr std::ptrdiff_t packed_size(std::ptrdiff_t n_components) {
  return n_components * (n_components + 1) / 2;
}
constexpr std::ptrdiff_t packed_index(std::ptrdiff_t j, std::ptrdiff_t l) {
  return j >= l ? packed_size(j) + l : packed_size(l) + j;
}
/// `solve_own` takes no more components than this.
constexpr int kMaxOwn = 32;

/// Weighted squares, over all points: of the steps, and of where they led.
struct Movement {
  double moved, length;
};

/// How exactly `lasso_points` solves: until a sweep moves a few neighbouring points by less than `tolerance`
/// times their length.
struct PointOptions {
  double tolerance;
  int max_sweeps;
};

struct Kernels {
  const char* name;

  /// B = Y' A.
  void (*project)(const Shape&, const double* Y, const double* A, double* B);
  void (*project_float)(const Shape&, const float* Y, const double* A, double* B);

  /// C += Y Phi, C N x P.
  void (*accumulate)(const Shape&, const double* Y, const double* Phi, double* C);
  /// The same; Phi is rounded to float in units of its largest, and at most 128 products are added up in
  /// float before the sum goes on in double, so |Y| must be below 2e36.
  void (*accumulate_float)(const Shape&, const float* Y, const double* Phi, double* C);

  /// min over x_t of x_t' H x_t - 2 b_t' x_t + l1' |x_t| for every point t, from X (T x P), by coordinate
  /// descent; l1 may be null. Components with H_jj <= dead are zero. Points are the time points of traces, or
  /// the channels of components.
  void (*lasso_points)(const Shape&, const double* H, const double* l1, double dead, const PointOptions&,
                       const double* B, double* X);
  /// The same over x_t >= 0.
  void (*nonnegative_lasso_points)(const Shape&, const double* H, const double* l1, double dead,
                                   const PointOptions&, const double* B, double* X);

  /// Phi = B M, M P x P symmetric.
  void (*combine)(const Shape&, const double* B, const double* M, double* Phi);

  /// G += Phi' Phi, P x P. Returns sum B o Phi.
  double (*inner)(const Shape&, const double* B, const double* Phi, double* G);

  /// X -= B M, M P x Q, X T x Q with the stride of B.
  void (*subtract_product)(const Shape&, const double* B, const double* M, std::ptrdiff_t Q, double* X);

  /// X = R + sum_i B_i diag(weights_i), n matrices B_i, weights P x n; R and X with the stride of the B_i.
  void (*add_weighted)(const Shape&, const double* R, std::ptrdiff_t n, const double* const* B,
                       const double* weights, double* X);

  /// Missing values (NaN) become zero, all others are copied.
  void (*clear_missing)(std::ptrdiff_t n, const double* from, double* to);
  void (*clear_missing_float)(std::ptrdiff_t n, const float* from, double* to);

  // Points with a Gram matrix of their own (own_grams.inl).

  /// H_t = sum over fours of channels of one of sixteen packed matrices, choice[t][four]: `table` holds
  /// padded ones, sixteen per four. The shape's stride is that of H, padded(n_times).
  void (*sum_grams)(const Shape&, const unsigned char* choice, const double* table, double* H);
  /// S_n += sum of phi_t phi_t' over the time points that channel n chooses: bit i of choice[four of time
  /// points][n]. S: padded packed matrices.
  void (*accumulate_grams)(const Shape&, const unsigned char* choice, const double* Phi, double* S);
  /// x_tj <- max(0, (b_tj - sum_{l != j} H_t,jl x_tl) / H_t,jj), one coordinate after the other,
  /// once; zero where nothing is known about it (H_t,jj = 0) or weights_j = 0.
  Movement (*nonnegative_sweep)(const Shape&, const double* H, std::ptrdiff_t h_stride, const double* weights,
                                const double* B, double* X);
  /// H_t x_t = b_t. Points with a pivot of at most `least_pivot` times the largest diagonal are marked as
  /// open and left to others; returns how many.
  std::ptrdiff_t (*solve_own)(const Shape&, const double* H, std::ptrdiff_t h_stride, double least_pivot,
                              const double* B, double* X, unsigned char* is_open);
  /// min over X of sum_t x_t' (H_t + floor I) x_t - 2 b_t' x_t + sum_{t > 0} pull_{t-1} ||x_t - x_{t-1}||^2;
  /// `work` holds P^2 numbers per time point. Returns false if a pivot is not positive.
  bool (*smooth_own)(const Shape&, const double* H, std::ptrdiff_t h_stride, double floor, const double* pull,
                     const double* B, double* X, double* work);
  /// sum_t x_t' H_t x_t.
  double (*quadratic_form)(const Shape&, const double* H, std::ptrdiff_t h_stride, const double* X);
  /// min over x_t of x_t' (H_t + diag(extra)) x_t - 2 b_t' x_t + l1' |x_t|, from X, each point until no
  /// coordinate moves by more than `tolerance` times the largest.
  void (*lasso_own)(const Shape&, const double* H, std::ptrdiff_t h_stride, const double* extra,
                    const double* l1, const PointOptions&, const double* B, double* X);
  /// The same over x_t >= 0.
  void (*nonnegative_lasso_own)(const Shape&, const double* H, std::ptrdiff_t h_stride, const double* extra,
                                const double* l1, const PointOptions&, const double* B, double* X);
};

/// The fastest set that this processor runs.
const Kernels& kernels();
/// All sets that this processor runs, slowest first: for tests and benchmarks.
std::vector<const Kernels*> available_kernels();

}  // namespace milcci
