// The scale shared by a component and its traces, moved from one to the other. The fit does not change.
#pragma once

#include "loop/state.hpp"

namespace milcci {

enum class Scale {
  length_one,  ///< Euclidean: used while fitting, where it keeps the L1 norm meaningful
  sum_one      ///< absolute memberships sum to one: the paper's scale, used for output
};

/// Scales every variant. A variant of all zeros is dead and stays as it is. Returns the sizes
/// divided by, [k] p_k x n_options.
std::vector<Matrix> normalise_components(const Design& design, Scale scale, Components& components,
                                         int threads = 1);

/// The sizes of the variants that one label uses.
Vector sizes_of_label(const Design& design, const std::vector<Matrix>& size, std::size_t label);

/// Scales the variants, and multiplies the traces of every variant by its size (and turns W into D W D^-1).
/// The traces of a dead one become zero.
void normalise(const Design& design, Scale scale, State& state, int threads = 1);

}  // namespace milcci
