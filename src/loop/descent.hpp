// The steps of Algorithm 1 on one state. They lower F; what a step changed can be taken back.
#pragma once

#include <vector>

#include "data/trial_data.hpp"
#include "loop/components.hpp"
#include "loop/extrapolate.hpp"
#include "loop/monitor.hpp"
#include "loop/penalty_values.hpp"
#include "loop/stage.hpp"
#include "loop/state.hpp"
#include "loop/traces.hpp"
#include "milcci/options.hpp"

namespace milcci {

/// All that going back restores.
struct Position {
  Components components;
  /// Only of traces that depend on where their solver began (decorrelation, lds); of all others the
  /// components tell.
  std::vector<Matrix> traces, transitions;
  /// Empty where two of them would take too much memory; then going back needs a pass.
  Statistics sums;
  PenaltyValues penalty_values;
  Objective objective;
};

class Descent {
 public:
  /// Makes the first traces and sums, unless `sums` are those of `state`, and fixes the penalties from them.
  Descent(const TrialData& data, const Design& design, const FitOptions& options, const Stage& stage,
          State& state, Monitor& monitor, Statistics sums);

  /// Begins an iteration here. Everything below refers to this position as the one before.
  void remember_position();

  void update_components();  ///< eq. (2), from the sums at the position before
  void normalise();          ///< components to length one, their traces by the same number
  void extrapolate();        ///< on in the direction that the components moved
  void update_traces();      ///< eq. (3): a pass over the data, which also gives the sums and F

  bool has_risen() const { return !(objective_.total() <= before_.objective.total()); }
  /// Takes back what extrapolation added if F rose by it; if not, the next one dares a little more.
  void settle_extrapolation();
  /// The update minimises a surrogate that touches F where components have length one. Should F itself not
  /// have fallen: half the step, as often as needed. Whether any lowered F.
  bool take_shorter_step();
  /// The components stay. Traces that were not solved to the end may still gain.
  void go_back_and_update_traces();

  /// F and what has changed since the position before. If the update was refused, its change is that of the
  /// step that was not taken: there is still somewhere to go.
  IterationRecord record() const;
  const Objective& objective() const { return objective_; }
  Statistics release_sums() { return std::move(sums_); }

 private:
  Statistics pass();
  void judge();
  void go_back();
  /// How far the components would move from the position before.
  double change_by(Components proposal) const;
  void keep_traces(const State& from, Position& to) const;
  void restore_traces(const Position& from);

  const TrialData& data_;
  const Design& design_;
  const Stage& stage_;
  State& state_;
  Monitor& monitor_;
  TraceOptions trace_options_;
  ComponentOptions component_options_;
  bool depends_on_start_ = false;  ///< where the traces' solver begins matters
  bool keeps_sums_ = false;

  Penalties penalties_;
  Statistics sums_;
  PenaltyValues penalty_values_;
  Objective objective_;

  Position before_, updated_;
  bool has_passed_ = false;  ///< since the position before: sums and F are of another one
  Extrapolation extrapolation_;
  double refused_change_ = 0;  ///< of the components, by the update that was refused; 0 if none was
};

}  // namespace milcci
