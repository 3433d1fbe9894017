// Two factors >= 0 of a matrix.
#pragma once

#include "baselines/descent.hpp"
#include "baselines/samples.hpp"
#include "util/random.hpp"

namespace milcci::baselines {

/// X is about left * right'.
struct FactorPair {
  Matrix left;   ///< rows x P
  Matrix right;  ///< columns x P
};

/// From singular vectors: of each pair the larger of its positive and its negative parts, with sqrt(mean / P)
/// in place of zeros, so that their products add up to the mean of the data (after NNDSVDa, Boutsidis and
/// Gallopoulos 2008). X has no gaps.
FactorPair start_from_singular_vectors(const Matrix& X, Index n_components);
/// Absolute normal numbers, of a size that makes left * right' about as large as X.
FactorPair start_at_random(const Matrix& X, Index n_components, Random& random);

/// min ||X - left right'||^2 with both >= 0, by hierarchical alternating least squares: every column of a
/// factor in turn is solved exactly with all else fixed (Cichocki and Phan 2009). X may have negative values.
void alternate_nonnegative(const Matrix& X, Descent& descent, FactorPair& factors);
/// The same over observed entries: coordinate descent with a Gram matrix per row and per column that has
/// gaps. NaN = missing.
void alternate_nonnegative_observed(const Matrix& X, Descent& descent, FactorPair& factors);

/// One sweep over the columns j of a factor F, where ||X - F other'||^2 has G = other' other and C = X other:
///   F_j <- max(0, F_j + (C_j - F G_j) / G_jj)
void sweep_columns(const Matrix& G, const Matrix& C, Matrix& F);

}  // namespace milcci::baselines
