// The trace update, paper eq. (3): one pass over the trials that leaves new traces and the sums for the
// components.
#pragma once

#include "data/trial_data.hpp"
#include "loop/state.hpp"
#include "milcci/options.hpp"
#include "solvers/chain.hpp"

namespace milcci {

struct TraceOptions {
  bool is_nonnegative = false;
  TracePrior prior = TracePrior::smoothness;
  int dynamics_iterations = 4;
  ChainOptions chain = {};
  int threads = 1;
};

/// Given the components, every trial's traces (and transitions), then C, the Grams and the objective's trace
/// terms. On the first pass (state.traces empty) the lds prior starts as in the paper: traces by smoothness,
/// W from them. gamma5 is read only from the second pass on. Throws Error(numerical) naming the trial if a
/// number is not finite.
Statistics update_traces(const TrialData& data, const Design& design, const Penalties& penalties,
                         const TraceOptions& options, State& state);

/// Minimises over phi (T x P), and W if the prior is lds, from where they are. Returns the trace terms.
struct TraceTerms {
  double data = 0, prior = 0, decorrelation = 0, transition = 0, ridge = 0;
};
TraceTerms solve_traces(ChainProblem& problem, double gamma4, double gamma5, const TraceOptions& options,
                        Matrix& phi, ChainWork& work);

}  // namespace milcci
