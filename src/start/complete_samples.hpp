// Time points of an incomplete design, with their gaps filled in at low rank.
#pragma once

#include <vector>

#include "data/trial_data.hpp"

namespace milcci {

/// The values of every trial, N x T_m, with missing entries taken from the matrix B Z of at most
/// this rank that minimises
///   sum over observed entries of (Y - B Z)^2 + mu (|B|^2 + |Z|^2),   B N x r, Z r x T,
/// over all time points of all trials at once. Alternating least squares from a fixed start:
/// channels with the same gaps share a Gram matrix, and so do time points, so that an iteration
/// costs two products with the data and one Gram matrix per set of gaps.
std::vector<Matrix> complete_samples(const TrialData& data, Index rank);

}  // namespace milcci
