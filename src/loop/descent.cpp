#include "loop/descent.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "loop/normalise.hpp"
#include "loop/objective.hpp"
#include "loop/penalties.hpp"
#include "loop/ruler.hpp"
#include "util/parallel.hpp"

namespace milcci {
namespace {

// The movement of the component that moved most, as root mean square over its variants: with
// hundreds of options, one variant of little consequence may keep wandering.
double largest_movement(const Design& design, const Components& a, const Components& b, int threads) {
  std::vector<Eigen::RowVectorXd> squares(design.variants.size());
  parallel_for(squares.size(), threads_for(n_values(design, a), threads), [&](std::size_t v, int) {
    const auto [k, i] = design.variants[v];
    squares[v] = (a[k][i] - b[k][i]).colwise().squaredNorm();
  });
  std::vector<Eigen::RowVectorXd> of_category(a.size());
  for (std::size_t v = 0; v < squares.size(); ++v) {
    Eigen::RowVectorXd& sum = of_category[design.variants[v].category];
    if (sum.size() == 0) sum.setZero(squares[v].size());
    sum += squares[v];
  }
  double largest = 0.0;
  for (std::size_t k = 0; k < a.size(); ++k)
    largest = std::max(largest, of_category[k].maxCoeff() / static_cast<double>(a[k].size()));
  return std::sqrt(largest);
}

// Sums that are kept beside the new ones must be small compared with the data, or small in
// themselves.
bool can_afford_to_keep_sums(const TrialData& data, const Design& design) {
  constexpr double kSmallShare = 0.02, kSmallValues = 1 << 18;
  double n_data = 0;
  for (std::size_t m = 0; m < data.n_trials(); ++m)
    n_data += static_cast<double>(data.n_channels() * data.n_times(m));
  const double per_channel =
      static_cast<double>(design.n_components() * (data.has_gaps() ? 1 + design.n_components() : 1));
  const double n_sums =
      static_cast<double>(design.labels.size()) * static_cast<double>(data.n_channels()) * per_channel;
  return n_sums <= std::max(kSmallShare * n_data, kSmallValues);
}

}  // namespace

Descent::Descent(const TrialData& data, const Design& design, const FitOptions& options, const Stage& stage,
                 State& state, Monitor& monitor, Statistics sums)
    : data_(data),
      design_(design),
      options_(options),
      stage_(stage),
      state_(state),
      monitor_(monitor),
      sums_(std::move(sums)) {
  const bool is_both = options.nonnegative == NonNegative::both;
  trace_options_ = {.is_nonnegative = is_both || options.nonnegative == NonNegative::traces,
                    .prior = options.prior,
                    .dynamics_iterations = options.dynamics_iterations,
                    .chain = stage.traces,
                    .threads = resolve_threads(options.threads)};
  component_options_.lasso.is_nonnegative = is_both || options.nonnegative == NonNegative::components;
  component_options_.max_rounds = stage.rounds;
  component_options_.keeps_members =
      stage.calibration != nullptr && stage.calibration->keeps_members && chooses_members(options);
  component_options_.threads = trace_options_.threads;

  traces_.emplace(data, design, trace_options_);
  penalties_ = trace_penalties(options, data, design.n_components());
  calibrate_traces(stage.calibration, options, penalties_);
  depends_on_start_ = options.prior == TracePrior::lds || penalties_.gamma4.size() > 0;
  keeps_sums_ = can_afford_to_keep_sums(data, design);
  if (options.prior == TracePrior::lds) {
    if (state.traces.empty()) pass();
    set_transition_penalties(options, state, penalties_);
    sums_ = {};  // made with other penalties
  }
  if (sums_.labels.empty()) sums_ = pass();
  set_weights();
  judge();
}

void Descent::remember_position() {
  before_.components = std::move(state_.components);
  keep_traces(state_, before_);
  before_.sums = {};
  before_.penalty_values = penalty_values_;
  before_.objective = objective_;
  has_passed_ = false;
  refused_change_ = 0;
}

void Descent::update_components() {
  state_.components = monitor_.timed(&UpdateSeconds::components, [&] {
    return milcci::update_components(design_, slopes(), sums_, component_options_, before_.components,
                                     before_.penalty_values);
  });
}

void Descent::normalise() {
  if (depends_on_start_)
    milcci::normalise(design_, Scale::length_one, state_, trace_options_.threads);
  else  // the pass scales the traces that it starts from, while they are in the cache
    state_.pending_scale =
        normalise_components(design_, Scale::length_one, state_.components, trace_options_.threads);
}

void Descent::extrapolate() {
  if (!stage_.is_accelerated) return;
  keep_traces(state_, updated_);
  state_.components = extrapolation_.ahead_of(
      design_, std::move(state_.components), component_options_.lasso.is_nonnegative, trace_options_.threads);
}

void Descent::update_traces() {
  if (keeps_sums_ && !has_passed_) before_.sums = std::move(sums_);
  sums_ = {};  // never two of them in memory, unless they are small
  sums_ = pass();
  has_passed_ = true;
  judge();
}

void Descent::settle_extrapolation() {
  if (!extrapolation_.is_active() || !has_risen()) {
    extrapolation_.encourage();
    return;
  }
  state_.components = extrapolation_.updated();
  restore_traces(updated_);
  extrapolation_.restart();
  update_traces();
}

bool Descent::take_shorter_step() {
  constexpr int kMaxHalvings = 8;
  go_back();
  const Penalties weights = slopes();
  const auto value_of = [&](const Components& components) {
    return milcci::objective(design_, weights, sums_, components, state_.transitions, trace_options_.threads)
        .total();
  };
  const double value_here = stage_.weights_follow ? value_of(state_.components) : objective_.total();
  update_components();  // made again: keeping it would be one more copy of the components
  const Components proposal = std::move(state_.components);
  refused_change_ = change_by(proposal);
  double step = 1.0;
  for (int halving = 0; halving < kMaxHalvings; ++halving) {
    step *= 0.5;
    state_.components = between(before_.components, proposal, step);
    if (!(value_of(state_.components) <= value_here)) continue;
    normalise();
    update_traces();
    if (has_risen()) return false;
    refused_change_ = 0;
    return true;
  }
  return false;
}

void Descent::go_back_and_update_traces() {
  go_back();
  if (!depends_on_start_) return;
  update_traces();
  if (has_risen()) go_back();
}

IterationRecord Descent::record() const {
  const double value_before = before_.objective.total();
  IterationRecord record;
  record.stage = stage_.number;
  record.objective = objective_;
  record.r2 = data_.variation() > 0 ? 1.0 - objective_.fit / data_.variation() : 1.0;
  record.relative_change = value_before > 0 ? (value_before - objective_.total()) / value_before : 0.0;
  record.component_change =
      refused_change_ > 0
          ? refused_change_
          : largest_movement(design_, state_.components, before_.components, trace_options_.threads);
  return record;
}

Objective Descent::objective_of_state() const {
  return milcci::objective_of_state(options_, stage_.calibration, stage_.sparsity, design_, sums_, state_,
                                    penalties_);
}

Statistics Descent::pass() {
  return monitor_.timed(&UpdateSeconds::traces, [&] { return traces_->update(penalties_, state_); });
}

void Descent::set_weights() {
  set_component_penalties(options_, stage_.sparsity, design_, sums_, state_.components, penalties_);
  calibrate_components(stage_.calibration, options_, penalties_);
}

// A weight that follows the state has a slope as well: gamma1 grows with the mean membership, so the
// sparsity term is proportional to ||a||_1^2.
Penalties Descent::slopes() const {
  Penalties result = penalties_;
  if (stage_.weights_follow && !options_.gamma1)
    for (Matrix& gamma1 : result.gamma1) gamma1 *= 2.0;
  return result;
}

void Descent::judge() {
  if (stage_.weights_follow) set_weights();
  penalty_values_ = penalty_values_of(design_, state_.components, trace_options_.threads);
  objective_ = objective_of_pass(penalties_, sums_, penalty_values_);
}

void Descent::go_back() {
  state_.components = before_.components;
  state_.pending_scale.clear();
  if (!has_passed_) return;  // sums and F are still those of the position before
  restore_traces(before_);
  if (keeps_sums_) {
    sums_ = std::move(before_.sums);
    penalty_values_ = before_.penalty_values;
    objective_ = before_.objective;
    if (stage_.weights_follow) set_weights();
  } else {
    update_traces();
  }
  has_passed_ = false;
}

double Descent::change_by(Components proposal) const {
  normalise_components(design_, Scale::length_one, proposal, trace_options_.threads);
  return largest_movement(design_, proposal, before_.components, trace_options_.threads);
}

void Descent::keep_traces(const State& from, Position& to) const {
  if (!depends_on_start_) return;
  to.traces = from.traces;
  to.transitions = from.transitions;
}

void Descent::restore_traces(const Position& from) {
  if (!depends_on_start_) return;
  state_.traces = from.traces;
  state_.transitions = from.transitions;
}

}  // namespace milcci
