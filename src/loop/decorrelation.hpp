// The decorrelation term of paper eq. (3) and its minimisation together with the rest of the trace problem.
#pragma once

#include "milcci/types.hpp"
#include "solvers/chain.hpp"

namespace milcci {

/// Traces that may change their sign can reach c = 0 from both sides, where |c| has a kink. Below this
/// correlation they are charged (c^2 / kTip + kTip) / 2 for it, which meets |c| with the same slope.
/// Non-negative traces have c >= 0 and are charged c.
inline constexpr double kTip = 1e-3;

/// sum_{j != j'} |c_jj'|, c_jj' = phi_j . phi_j' / (||phi_j|| ||phi_j'||), over the columns of phi (T x P);
/// zero traces count zero. The paper prints the norms of columns of Phi; traces are its rows, and those are
/// meant.
double total_correlation(const Matrix& phi, bool is_nonnegative);

/// Lowers chain_objective + gamma4 total_correlation from phi until the traces move by less than
/// options.tolerance of their length. The value never rises. `problem` is unchanged afterwards.
void minimise_decorrelated(ChainProblem& problem, double gamma4, bool is_nonnegative,
                           const ChainOptions& options, Matrix& phi, ChainWork& work);

}  // namespace milcci
