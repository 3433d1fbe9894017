// The objective F of docs/design.md, evaluated from sums: the data are not touched.
#pragma once

#include "fit/state.hpp"

namespace milcci {

/// F at components that need not have length one: they are charged as if scaled to length one, with the scale
/// moved into the traces. The fit term does not change by that; decorrelation and transition are as in the
/// statistics.
Objective objective(const Design& design, const Penalties& penalties, const Statistics& statistics,
                    const Components& components);

}  // namespace milcci
