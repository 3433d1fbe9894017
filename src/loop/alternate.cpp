#include "loop/alternate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "loop/extrapolate.hpp"
#include "loop/normalise.hpp"
#include "loop/objective.hpp"
#include "loop/penalties.hpp"
#include "milcci/error.hpp"
#include "util/parallel.hpp"

namespace milcci {
namespace {

using Clock = std::chrono::steady_clock;
double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

// Of the component that moved most, the root mean square over its variants: with hundreds of options one
// variant of little consequence may wander about for long.
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

// The proposal minimises a surrogate that touches F where the components have length one. Should F itself not
// have fallen, half the step, as often as needed; if nothing helps the components stay.
Components shorten_step(const Components& proposal, const Components& current, double current_value,
                        const std::function<double(const Components&)>& value) {
  constexpr int kMaxHalvings = 8;
  double step = 1.0;
  for (int halving = 0; halving < kMaxHalvings; ++halving) {
    step *= 0.5;
    const Components candidate = between(current, proposal, step);
    if (value(candidate) <= current_value) return candidate;
  }
  return current;
}

}  // namespace

StageResult alternate(const TrialData& data, const Design& design, const FitOptions& options,
                      const Stage& stage, State& state, const IterationCallback& on_iteration,
                      Statistics sums) {
  const bool nonnegative_components =
      options.nonnegative == NonNegative::components || options.nonnegative == NonNegative::both;
  const bool nonnegative_traces =
      options.nonnegative == NonNegative::traces || options.nonnegative == NonNegative::both;
  const TraceOptions trace_options{.is_nonnegative = nonnegative_traces,
                                   .prior = options.prior,
                                   .dynamics_iterations = options.dynamics_iterations,
                                   .chain = stage.traces,
                                   .threads = resolve_threads(options.threads)};
  ComponentOptions component_options;
  component_options.lasso.is_nonnegative = nonnegative_components;
  component_options.max_rounds = stage.rounds;
  component_options.threads = trace_options.threads;

  StageResult result;
  const Clock::time_point begin = Clock::now();
  const auto pass = [&](const Penalties& penalties) {
    const Clock::time_point start = Clock::now();
    result.statistics = {};  // never two of them in memory
    Statistics statistics = update_traces(data, design, penalties, trace_options, state);
    result.seconds.traces += seconds_since(start);
    return statistics;
  };

  Penalties penalties = trace_penalties(options, data);
  if (options.prior == TracePrior::lds) {
    if (state.traces.empty()) pass(penalties);
    set_transition_penalties(options, state, penalties);
    sums = {};  // made with other penalties
  }
  result.statistics = sums.labels.empty() ? pass(penalties) : std::move(sums);
  set_component_penalties(options, stage.sparsity, design, result.statistics, state.components, penalties);
  const auto value_of = [&](const Components& components) {
    return objective(design, penalties, result.statistics, components, state.transitions,
                     trace_options.threads)
        .total();
  };
  PenaltyValues penalty_values;  // of the components that were judged last
  const auto judge = [&] {
    penalty_values = penalty_values_of(design, state.components, trace_options.threads);
    result.objective = objective_of_pass(penalties, result.statistics, penalty_values);
  };
  judge();

  const auto propose = [&](const Components& judged) {
    const Clock::time_point start = Clock::now();
    Components proposal =
        update_components(design, penalties, result.statistics, component_options, judged, penalty_values);
    result.seconds.components += seconds_since(start);
    return proposal;
  };
  const auto pass_and_judge = [&] {
    result.statistics = pass(penalties);
    judge();
  };

  Extrapolation extrapolation;
  State before, updated;
  // Traces that depend on where their solver begins are kept along with the components; others are only its
  // beginning.
  const bool has_memory = options.prior == TracePrior::lds || penalties.gamma4.size() > 0;
  const auto keep_traces = [has_memory](const State& from, State& to) {
    if (!has_memory) return;
    to.traces = from.traces;
    to.transitions = from.transitions;
  };
  const auto normalise_state = [&] {
    if (has_memory)
      normalise(design, Scale::length_one, state, trace_options.threads);
    else  // the pass scales what it begins from, while it is in the cache
      state.pending_scale =
          normalise_components(design, Scale::length_one, state.components, trace_options.threads);
  };
  const auto go_back = [&] {
    state.components = before.components;
    keep_traces(before, state);
  };
  for (int iteration = 1; iteration <= stage.max_iterations; ++iteration) {
    before.components = std::move(state.components);
    keep_traces(state, before);
    const double value_before = result.objective.total();

    state.components = propose(before.components);
    normalise_state();
    keep_traces(state, updated);
    if (stage.is_accelerated)
      state.components = extrapolation.ahead_of(design, std::move(state.components), nonnegative_components,
                                                trace_options.threads);
    pass_and_judge();
    if (extrapolation.is_active() && !(result.objective.total() <= value_before)) {
      state.components = extrapolation.updated();
      keep_traces(updated, state);
      pass_and_judge();
      extrapolation.restart();
    } else {
      extrapolation.encourage();
    }
    if (result.objective.total() > value_before) {
      go_back();
      pass_and_judge();
      state.components =
          shorten_step(propose(before.components), before.components, result.objective.total(), value_of);
      normalise_state();
      pass_and_judge();
    }
    // Both updates lower F by construction. If it rose all the same the digits are used up: stay where we
    // were.
    const bool is_exhausted = result.objective.total() > value_before;
    if (is_exhausted) {
      go_back();
      pass_and_judge();
    }

    const double value = result.objective.total();
    if (!std::isfinite(value))
      throw Error(ErrorKind::numerical,
                  fmt::format("fit: the objective is {} after iteration {}", value, iteration));
    IterationRecord record;
    record.iteration = iteration;
    record.stage = stage.number;
    record.objective = result.objective;
    record.r2 = data.variation() > 0 ? 1.0 - result.objective.fit / data.variation() : 1.0;
    record.relative_change = value_before > 0 ? (value_before - value) / value_before : 0.0;
    record.component_change =
        largest_movement(design, state.components, before.components, trace_options.threads);
    record.seconds = seconds_since(begin);
    if (on_iteration(record) == Continue::stop) {
      result.reason = StopReason::interrupted;
      return result;
    }
    if (is_exhausted ||
        (record.relative_change <= stage.tolerance && record.component_change <= stage.component_tolerance)) {
      result.reason = StopReason::converged;
      return result;
    }
  }
  result.reason = StopReason::iteration_limit;
  return result;
}

}  // namespace milcci
