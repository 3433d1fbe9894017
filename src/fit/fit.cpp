#include "milcci/fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "data/check_trials.hpp"
#include "fit/canonical.hpp"
#include "fit/schedule.hpp"
#include "fit/warnings.hpp"
#include "label_graphs/categories.hpp"
#include "loop/alternate.hpp"
#include "loop/explained_energy.hpp"
#include "milcci/error.hpp"
#include "milcci/files.hpp"
#include "milcci/version.hpp"
#include "start/candidate.hpp"
#include "start/given_start.hpp"
#include "start/search.hpp"
#include "util/parallel.hpp"

namespace milcci {
namespace {

std::string describe(StopReason reason, const FitSummary& summary) {
  const std::size_t n = summary.iterations.size();
  switch (reason) {
    case StopReason::converged:
      return fmt::format("converged after {} iterations", n);
    case StopReason::interrupted:
      return fmt::format("interrupted after {} iterations; this is the best model so far", n);
    case StopReason::stalled:
      return fmt::format(
          "stalled after {} iterations: no step lowers the objective, though the components would still move "
          "(by {:.1e}, more than `component_tolerance` = {:.1e}); {}",
          n, summary.iterations.back().component_change, summary.options.component_tolerance,
          summary.is_at_rest() ? "so small a step does not matter"
                               : "try another seed, or less of the penalty that is largest");
    case StopReason::iteration_limit:
    case StopReason::transformed:  // never of a fit
      break;
  }
  return fmt::format(
      "reached the limit of {} iterations before the tolerance; raise `max_iterations` to go on",
      summary.options.max_iterations);
}

// Moves what it can: two copies of the traces would be the most memory of the whole fit.
Model make_model(const TrialSource& trials, Design design, State state) {
  Model model;
  model.channel_names = trials.channel_names();
  model.channel_groups = trials.channel_groups();
  model.times = trials.times();
  model.trial_names = trials.trial_names();
  model.labels = trials.labels();
  model.history = trials.history();
  model.transitions = std::move(state.transitions);
  for (std::size_t k = 0; k < design.n_categories(); ++k)
    model.categories.push_back({std::move(design.categories[k]), std::move(state.components[k])});
  for (Matrix& phi : state.traces) {
    model.traces.push_back(phi.transpose());
    phi.resize(0, 0);
  }
  return model;
}

// Components to begin from: given, or searched for. Returns whether the search was interrupted.
bool find_start(const TrialData& data, const Design& design, const FitOptions& options,
                const ProgressCallback& progress, const std::optional<Start>& start, State& state,
                FitSummary& summary) {
  if (start) {
    state.components = components_from(*start, design, data.n_channels(), options, summary.warnings);
    return false;
  }
  SearchResult found = search(data, design, options, progress);
  state.components = std::move(found.components);
  summary.candidates = std::move(found.candidates);
  summary.stability = std::move(found.stability);
  return found.is_interrupted;
}

// All stages of the schedule, then the traces exactly. Returns the last pass.
StageResult run_stages(const TrialData& data, const Design& design, const FitOptions& options,
                       std::vector<Stage> stages, State& state, Monitor& monitor, FitSummary& summary) {
  StageResult last;
  for (Stage& stage : stages) {
    stage.rounds = rounds_worth_having(data, design, state.components);
    stage.max_iterations = std::min(stage.max_iterations, options.max_iterations - monitor.n_iterations());
    last = alternate(data, design, options, stage, state, monitor, std::move(last.statistics));
    summary.reason = last.reason;
    if (last.reason == StopReason::interrupted) break;
  }
  const Stage exact_traces{.number = 0, .sparsity = options.sparsity, .max_iterations = 0, .traces = {}};
  last = {};
  return alternate(data, design, options, exact_traces, state, monitor);
}

// `take_data` is called once the trials are checked, and may leave them without values.
FitResult fit(const TrialSource& trials, const std::function<TrialData()>& take_data,
              const FitOptions& options, const ProgressCallback& progress,
              const std::optional<Start>& start) {
  FitResult result;
  FitSummary& summary = result.summary;
  summary.options = options;
  summary.version = kVersion;
  Monitor monitor([&](const IterationRecord& record) {
    summary.iterations.push_back(record);
    if (!progress) return Continue::yes;
    return progress(
        {.stage = "fit", .step = record.iteration, .max_steps = options.max_iterations, .record = record});
  });

  // Pose the problem.
  validate(options);
  summary.warnings = check_trials(trials, options.threads);
  Design design = make_design(resolve_categories(options.categories, trials), trials.n_trials());
  summary.data_fingerprint = fingerprint(trials, options.threads);
  std::optional<TrialData> data(take_data());
  check_against_data(options, design, *data, summary.warnings);

  // Start.
  State state;
  const bool is_interrupted = find_start(*data, design, options, progress, start, state, summary);
  summary.seconds_start = monitor.seconds_so_far();

  // Fit.
  std::vector<Stage> stages = schedule(options, start.has_value());
  if (is_interrupted) stages.clear();
  summary.reason = StopReason::interrupted;  // until a stage says otherwise
  StageResult last = run_stages(*data, design, options, std::move(stages), state, monitor, summary);
  summary.seconds_traces = monitor.seconds().traces;
  summary.seconds_components = monitor.seconds().components;

  // Report.
  summary.message = describe(summary.reason, summary);
  summary.r2 = data->variation() > 0 ? 1.0 - last.objective.fit / data->variation() : 1.0;
  warn_of_cancellation(last.statistics, *data, summary.warnings);
  if (options.consistency > 0) warn_of_dissimilar_variants(design, state.components, summary.warnings);
  // Firm assignments show a large number in their own column, uncertain ones two similar numbers.
  const Matrix gain = own_gains(design, std::move(last.statistics), state.components) / data->energy();
  data.reset();  // the model takes memory of its own
  const std::vector<Index> order = make_canonical(design, options.nonnegative == NonNegative::none, state);
  summary.category_gain = gain(order, Eigen::all);
  if (summary.stability.size() > 0) summary.stability = summary.stability(order).eval();
  summary.explained = explained_energy(design, state);
  result.model = make_model(trials, std::move(design), std::move(state));
  result.model.transform = options.transform;
  warn_of_dead_components(result.model, summary.warnings);
  summary.seconds_total = monitor.seconds_so_far();
  return result;
}

}  // namespace

FitResult fit(const TrialSource& trials, const FitOptions& options, const ProgressCallback& progress,
              const std::optional<Start>& start) {
  const auto refer = [&] {
    return TrialData(trials, options.transform, options.precision, resolve_threads(options.threads));
  };
  return fit(trials, refer, options, progress, start);
}

FitResult fit(Trials&& trials, const FitOptions& options, const ProgressCallback& progress,
              const std::optional<Start>& start) {
  const auto take = [&] {
    return TrialData(std::move(trials), options.transform, options.precision,
                     resolve_threads(options.threads));
  };
  return fit(TrialSource(std::as_const(trials)), take, options, progress, start);
}

}  // namespace milcci
