// The linear dynamics of one trial's traces (paper, appendix on the dynamic prior).
#pragma once

#include "milcci/types.hpp"

namespace milcci {

/// min_W sum_{t >= 2} ||phi_t - W phi_{t-1}||^2 + gamma5 ||W - I||^2, phi T x P:
///   W = (sum phi_t phi_{t-1}' + gamma5 I) (sum phi_{t-1} phi_{t-1}' + gamma5 I)^-1
/// A trace that is zero throughout keeps its row and column of the identity.
Matrix best_transition(const Matrix& phi, double gamma5);

}  // namespace milcci
