// The main loop: the paper's Algorithm 1 for one stage, with penalty weights held constant.
#pragma once

#include <functional>

#include "data/trial_data.hpp"
#include "loop/components.hpp"
#include "loop/state.hpp"
#include "loop/traces.hpp"
#include "milcci/fit.hpp"
#include "milcci/options.hpp"

namespace milcci {

/// One stage of the schedule.
struct Stage {
  int number = 1;
  double sparsity = 0.01;
  int max_iterations = 500;
  double tolerance = 1e-6;
  double component_tolerance = 1e-3;
  /// How exactly non-negative traces are solved within an iteration: loosely, because the components change
  /// right after; they start where the last one left them.
  ChainOptions traces = {.tolerance = 1e-4, .max_sweeps = 100};
  bool is_accelerated = true;  ///< by extrapolation
  int rounds = 2;              ///< of a component update, over its variants and its categories
};

struct StageSeconds {
  double traces = 0, components = 0;
};

struct StageResult {
  StopReason reason = StopReason::iteration_limit;
  Objective objective;
  Statistics statistics;  ///< at the final state
  StageSeconds seconds;
};

/// Called after every iteration; Continue::stop ends the stage.
using IterationCallback = std::function<Continue(const IterationRecord&)>;

/// Alternates component and trace updates from `state` until neither the objective nor the components move.
/// The objective never rises from one iteration to the next. `sums`: of a stage that ended at `state`, which
/// save a pass over the data; empty otherwise.
StageResult alternate(const TrialData& data, const Design& design, const FitOptions& options,
                      const Stage& stage, State& state, const IterationCallback& on_iteration,
                      Statistics sums = {});

}  // namespace milcci
