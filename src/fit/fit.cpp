#include "milcci/fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>

#include "data/check_trials.hpp"
#include "fit/canonical.hpp"
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

using Clock = std::chrono::steady_clock;
double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

// Firmly sparse first, so that components settle on their channels, then as gently as asked.
std::vector<Stage> schedule(const FitOptions& options, bool has_start) {
  constexpr double kFirmSparsity = 0.05;
  constexpr int kFirmIterations = 30;
  std::vector<Stage> stages;
  if (!has_start && !options.gamma1 && options.sparsity < kFirmSparsity && options.sparsity > 0)
    stages.push_back({.number = 1,
                      .sparsity = kFirmSparsity,
                      .max_iterations = kFirmIterations,
                      .tolerance = 1e-4,
                      .component_tolerance = 0.05});
  stages.push_back({.number = static_cast<int>(stages.size()) + 1,
                    .sparsity = options.sparsity,
                    .max_iterations = options.max_iterations,
                    .tolerance = options.tolerance,
                    .component_tolerance = options.component_tolerance});
  return stages;
}

std::string describe(StopReason reason, const FitSummary& summary) {
  const std::size_t n = summary.iterations.size();
  switch (reason) {
    case StopReason::converged:
      return fmt::format("converged after {} iterations", n);
    case StopReason::interrupted:
      return fmt::format("interrupted after {} iterations; this is the best model so far", n);
    case StopReason::iteration_limit:
      break;
  }
  return fmt::format("reached the limit of {} iterations before the tolerance; raise max-iterations to go on",
                     summary.options.max_iterations);
}

// More rounds over the variants save iterations. They are worth having where one takes a tenth of a pass at
// most, which is some five hundred values of the data per membership.
int rounds_worth_having(const TrialData& data, const Design& design, const Components& components) {
  constexpr double kValuesPerMembership = 500;
  double n_data = 0;
  for (std::size_t m = 0; m < data.n_trials(); ++m)
    n_data += static_cast<double>(data.n_channels() * data.n_times(m));
  return kValuesPerMembership * static_cast<double>(n_values(design, components)) <= n_data ? 2 : 1;
}

// Moves what it can: two copies of the traces would be the most memory of the whole fit.
Model make_model(const Trials& trials, Design design, State state) {
  Model model;
  model.channel_names = trials.channel_names;
  model.channel_groups = trials.channel_groups;
  model.times = trials.times;
  model.transitions = std::move(state.transitions);
  for (std::size_t k = 0; k < design.n_categories(); ++k)
    model.categories.push_back({std::move(design.categories[k]), std::move(state.components[k])});
  for (Matrix& phi : state.traces) {
    model.traces.push_back(phi.transpose());
    phi.resize(0, 0);
  }
  return model;
}

// `take_data` is called once the trials are checked, and may leave them without values.
FitResult fit(const Trials& trials, const std::function<TrialData()>& take_data, const FitOptions& options,
              const ProgressCallback& progress, const std::optional<Start>& start) {
  const Clock::time_point begin = Clock::now();
  FitResult result;
  FitSummary& summary = result.summary;
  summary.options = options;
  summary.version = kVersion;

  validate(options);
  summary.warnings = check_trials(trials, options.threads);
  Design design = make_design(resolve_categories(options.categories, trials), trials.n_trials());
  summary.data_fingerprint = fingerprint(trials, options.threads);
  std::optional<TrialData> held(take_data());
  const TrialData& data = *held;
  check_against_data(options, design, data, summary.warnings);
  if (!(data.energy() > 0))
    throw Error(ErrorKind::bad_input, "every observed value is zero; there is nothing to fit");

  State state;
  bool is_interrupted = false;
  if (start) {
    state.components = components_from(*start, design, data.n_channels(), options, summary.warnings);
  } else {
    SearchResult found = search(data, design, options, progress);
    state.components = std::move(found.components);
    summary.candidates = std::move(found.candidates);
    summary.stability = std::move(found.stability);
    is_interrupted = found.is_interrupted;
  }
  summary.seconds_start = seconds_since(begin);

  StageResult last;
  for (Stage stage : schedule(options, start.has_value())) {
    const int done = static_cast<int>(summary.iterations.size());
    stage.rounds = rounds_worth_having(data, design, state.components);
    stage.max_iterations = is_interrupted ? 0 : std::min(stage.max_iterations, options.max_iterations - done);
    const auto tell = [&](IterationRecord record) {
      record.iteration += done;
      record.seconds = seconds_since(begin);
      summary.iterations.push_back(record);
      if (!progress) return Continue::yes;
      return progress(
          {.stage = "fit", .step = record.iteration, .max_steps = options.max_iterations, .record = record});
    };
    last = alternate(data, design, options, stage, state, tell, std::move(last.statistics));
    summary.seconds_traces += last.seconds.traces;
    summary.seconds_components += last.seconds.components;
    is_interrupted |= last.reason == StopReason::interrupted;
  }
  summary.reason = is_interrupted ? StopReason::interrupted : last.reason;
  const Stage exact_traces{.number = 0, .sparsity = options.sparsity, .max_iterations = 0, .traces = {}};
  last = {};
  last = alternate(data, design, options, exact_traces, state,
                   [](const IterationRecord&) { return Continue::yes; });
  summary.message = describe(summary.reason, summary);
  summary.r2 = data.variation() > 0 ? 1.0 - last.objective.fit / data.variation() : 1.0;

  warn_of_cancellation(last.statistics, data, summary.warnings);
  if (options.consistency > 0) warn_of_dissimilar_variants(design, state.components, summary.warnings);
  // Firm assignments show a large number in their own column, coin tosses two alike.
  const Matrix gain = own_gains(design, std::move(last.statistics), state.components) / data.energy();
  held.reset();  // the model takes memory of its own
  const std::vector<Index> order = make_canonical(design, options.nonnegative == NonNegative::none, state);
  summary.category_gain = gain(order, Eigen::all);
  if (summary.stability.size() > 0) summary.stability = summary.stability(order).eval();
  summary.explained = explained_energy(design, state);
  result.model = make_model(trials, std::move(design), std::move(state));
  result.model.tanh = options.tanh;
  warn_of_dead_components(result.model, summary.warnings);
  summary.seconds_total = seconds_since(begin);
  return result;
}

}  // namespace

FitResult fit(const Trials& trials, const FitOptions& options, const ProgressCallback& progress,
              const std::optional<Start>& start) {
  const auto refer = [&] {
    return TrialData(trials, options.tanh, options.precision, resolve_threads(options.threads));
  };
  return fit(trials, refer, options, progress, start);
}

FitResult fit(Trials&& trials, const FitOptions& options, const ProgressCallback& progress,
              const std::optional<Start>& start) {
  const auto take = [&] {
    return TrialData(std::move(trials), options.tanh, options.precision, resolve_threads(options.threads));
  };
  return fit(trials, take, options, progress, start);
}

}  // namespace milcci
