// The main loop: the paper's Algorithm 1 for one stage, with penalty weights held constant.
#pragma once

#include "data/trial_data.hpp"
#include "loop/monitor.hpp"
#include "loop/stage.hpp"
#include "loop/state.hpp"
#include "milcci/fit.hpp"
#include "milcci/options.hpp"

namespace milcci {

struct StageResult {
  StopReason reason = StopReason::iteration_limit;
  /// Of the final state, by the weights that belong to it (loop/ruler.hpp) and the stage's sparsity:
  /// comparable with that of any other stage. The records of the stage have its own weights.
  Objective objective;
  Objective at_start;                 ///< of the first state, by the weights that belong to it
  double value_by_stage_weights = 0;  ///< F of the same state, by the weights of the stage
  Statistics statistics;              ///< at the final state
};

/// Alternates component and trace updates, starting from `state`, until neither the objective nor
/// the components move. The objective does not rise from one iteration to the next, but for the tolerance of
/// the traces. `sums` are those of a stage that ended at `state` and save a pass over the data; empty if
/// there was none.
///
/// On return `state.components` are the best ones. The traces are those of the last pass, which may
/// have been taken back: whoever needs the traces of the result makes one more pass, as a stage
/// without iterations does.
StageResult alternate(const TrialData& data, const Design& design, const FitOptions& options,
                      const Stage& stage, State& state, Monitor& monitor, Statistics sums = {});

}  // namespace milcci
