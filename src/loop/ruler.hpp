// The ruler: F of a state by the weights that belong to that very state. It depends on data,
// options, components and traces and on nothing else, so the values of any two fits of the same
// data with the same options compare.
#pragma once

#include "data/trial_data.hpp"
#include "loop/calibration.hpp"
#include "loop/state.hpp"
#include "milcci/options.hpp"

namespace milcci {

/// From the sums of the pass that ended at `state`; the data are not touched. Of `penalties`, those
/// of the pass, only what depends on the state is set anew. `sparsity` is the stage's s, `calibration` may be
/// null.
Objective objective_of_state(const FitOptions& options, const Calibration* calibration, double sparsity,
                             const Design& design, const Statistics& statistics, const State& state,
                             Penalties penalties);

/// From the data, with the sparsity of the options: a pass that solves nothing. Components have
/// length one or are zero.
Objective objective_of_state(const FitOptions& options, const Calibration* calibration, const TrialData& data,
                             const Design& design, const State& state);

}  // namespace milcci
