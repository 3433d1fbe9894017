// The steps of Algorithm 1 on one state. They lower F; what a step changed can be taken back.
#pragma once

#include <optional>
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
  /// Kept only if the traces depend on where their solver began (decorrelation, lds); otherwise
  /// they follow from the components.
  std::vector<Matrix> traces, transitions;
  /// Empty where two of them would take too much memory; going back then needs a pass.
  Statistics sums;
  PenaltyValues penalty_values;
  Objective objective;
};

class Descent {
 public:
  /// Makes the first traces and sums, unless `sums` are those of `state`, and sets the penalties
  /// from them.
  Descent(const TrialData& data, const Design& design, const FitOptions& options, const Stage& stage,
          State& state, Monitor& monitor, Statistics sums);

  /// Begins an iteration here: this is "the position before" of everything below.
  void remember_position();

  void update_components();  ///< eq. (2), from the sums at the position before
  void normalise();          ///< components to length one, their traces by the same number
  void extrapolate();        ///< further in the direction in which the components moved
  void update_traces();      ///< eq. (3): a pass over the data, which also gives the sums and F

  bool has_risen() const { return !(objective_.total() <= before_.objective.total()); }
  /// Takes the extrapolation back if F rose because of it; otherwise the next one goes a little
  /// further.
  void settle_extrapolation();
  /// The update minimises a surrogate that touches F where components have length one. If F itself
  /// did not fall, halves the step as often as needed. Returns whether any step lowered F.
  bool take_shorter_step();
  /// The components return to the position before. Traces that were not solved to the end may still
  /// improve there.
  void go_back_and_update_traces();

  /// F and what has changed since the position before. If the update was refused, the change is
  /// that of the step that was not taken: it shows that the components would still move.
  IterationRecord record() const;
  const Objective& objective() const { return objective_; }  ///< F, by the weights of the stage
  /// F by the weights that belong to the state as it is now.
  Objective objective_of_state() const;
  Statistics release_sums() { return std::move(sums_); }

 private:
  Statistics pass();
  void judge();
  void go_back();
  void set_weights();
  /// By which F changes with the components.
  Penalties slopes() const;
  /// How far the components would move from the position before.
  double change_by(Components proposal) const;
  void keep_traces(const State& from, Position& to) const;
  void restore_traces(const Position& from);

  const TrialData& data_;
  const Design& design_;
  const FitOptions& options_;
  const Stage& stage_;
  State& state_;
  Monitor& monitor_;
  TraceOptions trace_options_;
  ComponentOptions component_options_;
  std::optional<TraceUpdater> traces_;
  bool depends_on_start_ = false;  ///< traces depend on where their solver begins
  bool keeps_sums_ = false;

  Penalties penalties_;
  Statistics sums_;
  PenaltyValues penalty_values_;
  Objective objective_;

  Position before_, updated_;
  bool has_passed_ = false;  ///< since the position before: sums and F belong to another
  Extrapolation extrapolation_;
  double refused_change_ = 0;  ///< movement of the refused update; 0 if none was refused
};

}  // namespace milcci
