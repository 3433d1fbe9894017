// The objective F of docs/design.md, evaluated from sums: the data are not touched.
#pragma once

#include "loop/penalty_values.hpp"
#include "loop/state.hpp"

namespace milcci {

/// F at components that need not have length one: they are charged as if scaled to length one, with
/// the scale moved into the traces (and W turned into D W D^-1). This leaves the fit and
/// decorrelation terms unchanged. `transitions` are the W_m of the statistics, empty unless the
/// prior is lds.
Objective objective(const Design& design, const Penalties& penalties, const Statistics& statistics,
                    const Components& components, const std::vector<Matrix>& transitions, int threads = 1);

/// F at the components of the pass, which have length one. The pass has left all terms that depend
/// on the traces; `penalty_values` are those of its components.
Objective objective_of_pass(const Penalties& penalties, const Statistics& statistics,
                            const PenaltyValues& penalty_values);

}  // namespace milcci
