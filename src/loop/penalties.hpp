// Unit-free penalties -> the gammas of the objective.
#pragma once

#include "data/trial_data.hpp"
#include "loop/state.hpp"
#include "milcci/options.hpp"

namespace milcci {

/// What the ridge is where penalties are fixed, and at least otherwise.
double fixed_ridge(const FitOptions& options);
/// Where the ridge is to be estimated, it is at most this before the noise is known: enough that noise does
/// not drive components into cancelling each other.
bool has_first_ridge(const FitOptions& options);
constexpr double kFirstRidge = 0.03;

/// gamma3 and gamma4, which the first pass already needs. gamma4 is a share of the trial's energy,
/// divided among the pairs of traces: it depends on nothing that the fit changes, nor on other
/// trials.
Penalties trace_penalties(const FitOptions& options, const TrialData& data, Index n_components);

/// gamma1 and gamma2 from the energy of the traces, so that neither the unit of the data nor the number of
/// trials matters; `sparsity` is the stage's s.
void set_component_penalties(const FitOptions& options, double sparsity, const Design& design,
                             const Statistics& statistics, const Components& components,
                             Penalties& penalties);

/// gamma5 from the energy of each trial's traces.
void set_transition_penalties(const FitOptions& options, const State& state, Penalties& penalties);

/// sum over trials of each option of ||phi_j||^2: [k] p_k x n_options.
std::vector<Matrix> trace_energies(const Design& design, const Statistics& statistics);

}  // namespace milcci
