// Graphs of SiBBlInGS: how alike channels are, and how alike states.
#pragma once

#include <Eigen/SparseCore>

#include "milcci/types.hpp"

namespace milcci::baselines {

using ChannelGraph = Eigen::SparseMatrix<double>;

/// N x N, rows sum to one: exp(-d^2 / s^2) between the nearest neighbours of each channel, 0 elsewhere. d is
/// the distance between the channels' time courses, from their products Y Y'; s^2 is the median of d^2
/// between neighbours.
ChannelGraph channel_graph(const Matrix& products, int n_neighbours);

/// D x D, rows sum to one, zero on the diagonal: exp(-d^2 / s^2), d the distance between the states'
/// products C_d = Y Y', each of norm one, and s^2 the median of d^2. `inner` has tr C_d C_e.
Matrix state_graph(const Matrix& inner);

}  // namespace milcci::baselines
