// Graphs of SiBBlInGS: how alike channels are, and how alike states.
#pragma once

#include <vector>

#include "milcci/types.hpp"

namespace milcci::baselines {

/// N x N, rows sum to one: exp(-d^2 / s^2) between the nearest neighbours of each channel, 0 elsewhere. d is
/// the distance between the channels' time courses, from their products Y Y'; s^2 is the median of d^2
/// between neighbours.
Matrix channel_graph(const Matrix& products, int n_neighbours);

/// D x D, rows sum to one, zero on the diagonal: exp(-d^2 / s^2), d the distance between the states'
/// normalised products Y Y', s^2 the median of d^2.
Matrix state_graph(const std::vector<Matrix>& products);

}  // namespace milcci::baselines
