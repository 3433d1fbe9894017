// Sparse dictionary learning on the channels' second moments (paper, appendix on initialisation).
#pragma once

#include "data/trial_data.hpp"
#include "milcci/types.hpp"
#include "util/random.hpp"

namespace milcci {

/// S = sum_m Y_m Y_m', N x N. With gaps every pair of channels is averaged over the time points where both
/// were observed and scaled up to all of them.
Matrix second_moments(const TrialData& data);

struct DictionaryOptions {
  double sparsity = 0.05;
  bool is_nonnegative = false;
  int iterations = 60;
};

// min_A,Phi ||Y - A Phi||^2 + sparsity, Phi free: then Phi = (A'A)^-1 A'Y, and everything the update of A
// needs of the data is S: Y Phi' = S A (A'A)^-1 and Phi Phi' = (A'A)^-1 A'S A (A'A)^-1. An iteration costs
// O(N^2 P), however long the recording.
/// N x P, columns of length one (or zero), from a random sparse start.
Matrix sparse_dictionary(const Matrix& S, Index n_components, const DictionaryOptions& options,
                         Random& random);

}  // namespace milcci
