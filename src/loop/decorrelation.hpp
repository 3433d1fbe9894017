// The decorrelation term of paper eq. (3) and its minimisation together with the rest of the trace problem.
#pragma once

#include "milcci/types.hpp"
#include "solvers/chain.hpp"

namespace milcci {

/// sum_{j != j'} |phi_j . phi_j'| / (||phi_j|| ||phi_j'||) over the columns of phi (T x P); zero traces count
/// zero. The paper prints the norms of columns of Phi; traces are its rows, and those are meant.
double total_correlation(const Matrix& phi);

/// Lowers chain_objective + gamma4 total_correlation from phi; it never rises.
void minimise_decorrelated(const ChainProblem& problem, double gamma4, bool is_nonnegative,
                           const ChainOptions& options, Matrix& phi, ChainWork& work);

}  // namespace milcci
