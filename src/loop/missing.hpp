// Entries that count less than others, because nothing was observed there. They give every time
// point its own Gram matrix of the loading, and every channel its own Gram matrix of the traces.
#pragma once

#include "data/trial_data.hpp"
#include "loop/state.hpp"
#include "solvers/chain.hpp"

namespace milcci {

/// Sums over four channels of w_n a_n a_n', packed, for each of the sixteen ways in which some of
/// the four are observed (w = 1) and the others missing (w = `weight`): padded(packed_size(P)) x 16
/// per four channels. H_t is then one addition per four channels, and nothing is ever subtracted: a
/// component without an observed channel gets zero and not a rounding error.
void tabulate_grams(const Matrix& A, double weight, Matrix& table);

/// Every time point's H_t, with the problem's ridge.
void sum_own_grams(const Gaps& gaps, Index n_channels, const Matrix& table, ChainProblem& problem);

/// Adds up phi_t phi_t' over every channel's missing entries; phi T x P.
void accumulate_missing(const Gaps& gaps, Index n_channels, const Matrix& phi, LabelSums& sums);

/// Adds to row n of X a_n times channel n's sum over missing entries: what a product with all of
/// the traces has counted in excess.
void add_missing_products(const LabelSums& sums, const Matrix& A, Matrix& X);

/// Squares of what components A put into the missing entries of a label's trials.
double missing_energy(const LabelSums& sums, const Matrix& A);

}  // namespace milcci
