#include "loop/alternate.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "loop/descent.hpp"
#include "milcci/error.hpp"

namespace milcci {

// Algorithm 1. Every step lowers F; a step that does not is taken back, and a more careful one is
// tried.
StageResult alternate(const TrialData& data, const Design& design, const FitOptions& options,
                      const Stage& stage, State& state, Monitor& monitor, Statistics sums) {
  Descent descent(data, design, options, stage, state, monitor, std::move(sums));
  const Objective at_start = descent.objective();
  StopReason reason = StopReason::iteration_limit;
  for (int iteration = 1; iteration <= stage.max_iterations; ++iteration) {
    descent.remember_position();

    descent.update_components();
    descent.normalise();
    descent.extrapolate();
    descent.update_traces();

    descent.settle_extrapolation();
    const bool is_refused = descent.has_risen() && !descent.take_shorter_step();
    if (is_refused) descent.go_back_and_update_traces();

    const IterationRecord record = descent.record();
    if (!std::isfinite(record.objective.total()))
      throw Error(ErrorKind::numerical, fmt::format("fit: the objective is {} after iteration {}",
                                                    record.objective.total(), iteration));
    if (monitor.tell(record) == Continue::stop) {
      reason = StopReason::interrupted;
      break;
    }
    const bool has_settled = record.relative_change <= stage.tolerance;
    if (has_settled && record.component_change <= stage.component_tolerance) {
      reason = StopReason::converged;
      break;
    }
    if (has_settled && is_refused) {  // the components would still move, but no step lowers F
      // Slopes leave out that weights also follow the traces: a little movement is always left.
      reason = stage.weights_follow ? StopReason::converged : StopReason::stalled;
      break;
    }
  }
  return {.reason = reason,
          .objective = descent.objective_of_state(),
          .at_start = at_start,
          .value_by_stage_weights = descent.objective().total(),
          .statistics = descent.release_sums()};  // last: the first two are made from them
}

}  // namespace milcci
