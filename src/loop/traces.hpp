// The trace update, paper eq. (3): one pass over the trials that leaves new traces and the sums for the
// components.
#pragma once

#include <vector>

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

struct TraceTerms {
  double data = 0, prior = 0, decorrelation = 0, transition = 0, ridge = 0;
};

/// What one thread reuses from trial to trial and from pass to pass.
struct TraceWorkspace {
  TrialBuffer values;
  Eigen::MatrixXf centred;  ///< a stretch of floats that are far from zero, less their offset
  ChainProblem problem;
  ChainWork chain;
  Matrix G;
  Matrix gram_table;  ///< of the label, if a trial of the block has gaps
};

/// What the trials of one label share.
struct LabelLoading;

/// Makes passes over the same data.
class TraceUpdater {
 public:
  /// Data and design must outlive it.
  TraceUpdater(const TrialData& data, const Design& design, const TraceOptions& options);

  /// Given the components, every trial's traces (and transitions), then C, the Grams and the objective's
  /// trace terms. On the first pass (state.traces empty) the lds prior starts as in the paper: traces by
  /// smoothness, W from them. gamma5 is read only from the second pass on. Throws Error(numerical) naming the
  /// trial if a number is not finite.
  Statistics update(const Penalties& penalties, State& state);

 private:
  struct Pass;
  void update_block(Pass& pass, const Design::Block& block, TraceWorkspace& work, LabelSums& sums) const;
  bool is_pointwise(const Penalties& penalties, std::size_t trial) const;
  TraceTerms solve_over_time(Pass& pass, std::size_t trial, TraceWorkspace& work) const;
  TraceTerms update_trial(Pass& pass, std::size_t trial, const LabelLoading& label, TraceWorkspace& work,
                          LabelSums& sums) const;

  const TrialData& data_;
  const Design& design_;
  TraceOptions options_;
  std::vector<TraceWorkspace> workspaces_;  ///< one per thread
};

/// One pass.
Statistics update_traces(const TrialData& data, const Design& design, const Penalties& penalties,
                         const TraceOptions& options, State& state);

/// Minimises over phi (T x P), and W if the prior is lds, from where they are. Returns the trace terms.
TraceTerms solve_traces(ChainProblem& problem, double gamma4, double gamma5, const TraceOptions& options,
                        Matrix& phi, ChainWork& work);

}  // namespace milcci
