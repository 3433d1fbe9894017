// How far memberships may be from the truth.
#pragma once

#include "loop/calibration.hpp"

namespace milcci {

/// Of every variant at length one, in the frame of the data, where they are the same for all channels:
/// [k] p_k x n_options. The variance of a membership a_i under option i, over sigma^2, is the i-th diagonal
/// element of
///   (diag(e) + gamma2 L)^-1,   e_i = 1 / (G_i^-1)_jj,
/// where G_i are the products of the traces over the trials of the option, what other components could
/// explain as well taken out, and L is the Laplacian of the ties between options. Times `inflation` where
/// noise is smooth (Calibrator).
std::vector<Matrix> membership_errors(const Design& design, const State& state,
                                      const Calibration& calibration, const Vector& inflation);

}  // namespace milcci
