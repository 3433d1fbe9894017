// Sparse dictionary learning on the channels' second moments (paper, appendix on initialisation).
#pragma once

#include "milcci/types.hpp"
#include "start/moments.hpp"
#include "util/random.hpp"

namespace milcci {

struct DictionaryOptions {
  double sparsity = 0.05;
  bool is_nonnegative = false;
  int iterations = 60;
};

// min_A,Phi ||Y - A Phi||^2 + sparsity, Phi free: then Phi = (A'A)^-1 A'Y, and everything the update of A
// needs of the data is S: Y Phi' = S A (A'A)^-1 and Phi Phi' = (A'A)^-1 A'S A (A'A)^-1. An iteration costs
// O(N^2 P) or O(N T P), whichever form the moments have.
/// N x P, columns of length one (or zero), from a random sparse start.
Matrix sparse_dictionary(const Moments& moments, Index n_components, const DictionaryOptions& options,
                         Random& random);

}  // namespace milcci
