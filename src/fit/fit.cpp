#include "milcci/fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "data/check_trials.hpp"
#include "data/observed_together.hpp"
#include "fit/calibrate.hpp"
#include "fit/canonical.hpp"
#include "fit/first_frame.hpp"
#include "fit/noise_model.hpp"
#include "fit/run_stages.hpp"
#include "fit/time_limit.hpp"
#include "fit/warnings.hpp"
#include "label_graphs/categories.hpp"
#include "loop/alternate.hpp"
#include "loop/explained_energy.hpp"
#include "loop/huber.hpp"
#include "loop/normalise.hpp"
#include "loop/penalties.hpp"
#include "loop/ruler.hpp"
#include "milcci/error.hpp"
#include "milcci/files.hpp"
#include "milcci/version.hpp"
#include "start/candidate.hpp"
#include "start/first_ridge.hpp"
#include "start/given_start.hpp"
#include "start/least_gain.hpp"
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
    case StopReason::time_limit:
      return fmt::format(
          "stopped at the time limit of {} s, after {} iterations; this is the best model so far",
          *summary.options.time_limit, n);
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

// Components to begin from: given, or searched for, and what rivals them.
struct FoundStart {
  bool is_interrupted = false;
  std::vector<bool> is_dropped;  // per component, by the search
  Vector r2_gain;                // by how much R2 would rise with it
  std::vector<Rival> rivals;
  bool has_no_baseline = false;  // what looked like one are traces that stay away from zero
};
FoundStart find_start(const TrialData& data, const Design& design, const FitOptions& options,
                      TimeLimit& limit, const std::optional<Start>& start, State& state,
                      FitSummary& summary) {
  if (start) {
    state.components = components_from(*start, design, data.n_channels(), options, summary.warnings);
    return {};
  }
  SearchResult found = search(
      data, design, options, [&](const Progress& now) { return limit.tell(now); },
      [&] { return limit.is_late(); });
  state.components = std::move(found.components);
  summary.candidates = std::move(found.candidates);
  summary.stability = std::move(found.stability);
  summary.times_found = found.times_found;
  if (found.is_cut_short && !found.is_interrupted)
    summary.warnings.emplace_back(
        "the time limit cut the search short, so a better answer may have been missed and no component was "
        "judged; "
        "raise `time_limit`");
  summary.certainty = std::move(found.certainty);
  return {found.is_interrupted, std::move(found.is_dropped), std::move(found.r2_gain),
          std::move(found.rivals), false};
}

// Squared errors over the number of values less those that the living traces took.
double error_per_value(const TrialData& data, const Design& design, const FitOptions& options, State state,
                       Monitor& monitor) {
  const double error = make_traces_exact(data, design, options, nullptr, state, monitor).objective.fit;
  double n_taken = 0;
  for (const Matrix& phi : state.traces)
    n_taken += static_cast<double>(phi.rows() * (phi.colwise().squaredNorm().array() > 0).count());
  const double n_values = data.channel_sums().count.sum();
  return error / std::max(0.1 * n_values, n_values - n_taken);
}

// What may be an offset, or not: the other answer is tried then, and how much better it must be.
enum class Doubt { none, traces_away_from_zero, nearly_all_is_described };

// Where traces may not be negative, traces that stay away from zero look like a baseline. Where they may, an
// offset takes the mean of a trace away, and components are then told by the rest of it alone. Noise drowns
// that; where there is next to none, the model without offsets is tried.
Doubt doubt_of_offset(const TrialData& data, const Frame& guess, const FitOptions& options,
                      double error_with) {
  constexpr double kLittle = 0.03;
  if (options.nonnegative != NonNegative::none && options.nonnegative != NonNegative::components)
    return guess.offset.minCoeff() >= 0 ? Doubt::traces_away_from_zero : Doubt::none;
  return error_with * data.channel_sums().count.sum() < kLittle * data.variation()
             ? Doubt::nearly_all_is_described
             : Doubt::none;
}

// The same, and whether channels have a baseline, where that is in doubt.
FoundStart find_start_and_offset(TrialData& data, const Design& design, const FitOptions& options,
                                 TimeLimit& limit, const std::optional<Start>& start, Monitor& monitor,
                                 State& state, FitSummary& summary) {
  const Frame guess = data.frame();
  const FitSummary blank = summary;
  FoundStart with = find_start(data, design, options, limit, start, state, summary);
  if (with.is_interrupted || options.offset != Offset::automatic || guess.offset.size() == 0) return with;
  const double error_with = error_per_value(data, design, options, state, monitor);
  const Doubt doubt = doubt_of_offset(data, guess, options, error_with);
  if (doubt == Doubt::none) return with;
  // Of pure noise on a baseline neither describes more. Of two that describe nearly all, offsets must earn
  // their place.
  const double allowed = doubt == Doubt::traces_away_from_zero ? 0.98 : 1.0;
  data.set_frame({});
  State state_without;
  FitSummary summary_without = blank;
  FoundStart without = find_start(data, design, options, limit, start, state_without, summary_without);
  if (!without.is_interrupted &&
      error_per_value(data, design, options, state_without, monitor) < allowed * error_with) {
    state = std::move(state_without);
    summary = std::move(summary_without);
    without.has_no_baseline = true;
    return without;
  }
  data.set_frame(guess);
  return with;
}

// The components of the rivals, in the order and scale of the model.
std::vector<Components> keep_alternatives(const Design& design, std::vector<Rival> rivals,
                                          const std::vector<Index>& order, FitSummary& summary) {
  std::vector<Components> alternatives;
  for (Rival& rival : rivals) {
    for (std::size_t k = 0; k < design.n_categories(); ++k) {
      std::vector<Index> columns;
      for (Index j = design.first[k]; j < design.first[k + 1]; ++j)
        columns.push_back(order[static_cast<std::size_t>(j)] - design.first[k]);
      for (Matrix& variant : rival.components[k]) variant = variant(Eigen::all, columns).eval();
    }
    normalise_components(design, Scale::sum_one, rival.components, 1);
    summary.alternatives.push_back({rival.behind, rival.similarity(order)});
    alternatives.push_back(std::move(rival.components));
  }
  return alternatives;
}

// What belongs to the components, in the order of the model.
std::vector<bool> in_order(const std::vector<bool>& words, const std::vector<Index>& order) {
  std::vector<bool> ordered;
  for (const Index j : order) ordered.push_back(words[static_cast<std::size_t>(j)]);
  return ordered;
}

void put_in_order(const std::vector<Index>& order, const Matrix& gain, FoundStart& found,
                  FitSummary& summary) {
  summary.category_gain = gain(order, Eigen::all);
  if (summary.stability.size() > 0) summary.stability = summary.stability(order).eval();
  if (found.r2_gain.size() > 0) found.r2_gain = found.r2_gain(order).eval();
  const std::vector<Certainty> certainty = std::move(summary.certainty);
  const std::vector<bool> is_dropped = std::move(found.is_dropped);
  summary.certainty.clear();
  found.is_dropped.clear();
  for (const Index j : order) {
    const auto position = static_cast<std::size_t>(j);
    if (!certainty.empty()) summary.certainty.push_back(certainty[position]);
    if (!is_dropped.empty()) found.is_dropped.push_back(is_dropped[position]);
  }
}

// F and R2 of the model, of the data with their outliers.
void measure(const TrialData& data, TrialData* with_outliers, const Design& design,
             const Calibrator& calibrator, const State& state, const StageResult& last, FitSummary& summary) {
  if (with_outliers == nullptr) {
    summary.objective = last.objective;
    summary.r2 = r2_of_data(data, design, state, last.objective.fit);
    return;
  }
  with_outliers->set_frame(data.frame());
  const double noise_level = std::sqrt(calibrator.noise());
  if (noise_level > 0) {
    report_huber(calibrator.calibration(), *with_outliers, design, state, noise_level, summary);
  } else {  // there was no time to estimate it
    summary.objective = objective_of_state(summary.options, nullptr, *with_outliers, design, state);
    summary.r2 = r2_of_data(*with_outliers, design, state, std::nullopt);
  }
}

// What components that are dead may have died of.
Deaths deaths_of(const FoundStart& found, std::vector<bool> is_noise, const FitOptions& options,
                 bool is_given_start) {
  return {.is_dropped = found.is_dropped,
          .r2_gain = found.r2_gain,
          .redundancy = options.redundancy.value_or(kDefaultRedundancy),
          .is_judged_by_noise = is_judged_by_noise(options),
          .is_noise = std::move(is_noise),
          .is_given_start = is_given_start};
}

// `take_data` is called once the trials are checked, and may leave them without values.
FitResult fit(const TrialSource& trials, const std::function<TrialData()>& take_data,
              const FitOptions& options, const ProgressCallback& progress,
              const std::optional<Start>& start) {
  FitResult result;
  FitSummary& summary = result.summary;
  summary.options = options;
  summary.version = kVersion;
  TimeLimit limit(options.time_limit, progress);
  Monitor monitor([&](const IterationRecord& record) {
    summary.iterations.push_back(record);
    return limit.tell(
        {.stage = "fit", .step = record.iteration, .max_steps = options.max_iterations, .record = record});
  });

  // Pose the problem.
  validate(options);
  summary.warnings = check_trials(trials, options.threads);
  Design design = make_design(resolve_categories(options.categories, trials), trials.n_trials());
  summary.data_fingerprint = fingerprint(trials, options.threads);
  std::optional<TrialData> data(take_data());
  std::optional<TrialData> with_outliers;
  if (options.loss == Loss::huber) {
    with_outliers = std::move(data);
    data = within_usual_range(*with_outliers, resolve_threads(options.threads));
  }
  check_against_data(options, design, *data, summary.warnings);
  const ObservedTogether together = observed_together(*data);
  warn_of_channels_apart(together, summary.warnings);

  // Start.
  data->set_frame(first_frame(*data, options));
  FitOptions first_options = options;  // before the noise is known
  if (has_first_ridge(options)) first_options.ridge = first_ridge(*data, design, options);
  State state;
  FoundStart found =
      find_start_and_offset(*data, design, first_options, limit, start, monitor, state, summary);
  summary.seconds_start = monitor.seconds_so_far();

  // Fit.
  summary.reason = StopReason::interrupted;  // unless there is time for a stage
  FitOptions fitted_options = options;
  if (found.has_no_baseline) fitted_options.offset = first_options.offset = Offset::none;
  Calibrator calibrator(*data, design, fitted_options, first_options);
  StageResult last = found.is_interrupted
                         ? make_traces_exact(*data, design, options, nullptr, state, monitor)
                         : run_stages(*data, with_outliers ? &*with_outliers : nullptr, design,
                                      fitted_options, calibrator, state, monitor, summary);
  if (summary.reason == StopReason::interrupted && limit.is_over()) summary.reason = StopReason::time_limit;
  summary.seconds_traces = monitor.seconds().traces;
  summary.seconds_components = monitor.seconds().components;

  // Report.
  summary.message = describe(summary.reason, summary);
  measure(*data, with_outliers ? &*with_outliers : nullptr, design, calibrator, state, last, summary);
  warn_of_cancellation(last.statistics, *data, summary.warnings);
  const bool may_flip = options.nonnegative == NonNegative::none;
  if (options.consistency.value_or(kDefaultConsistency) > 0)
    warn_of_dissimilar_variants(design, may_flip, state, summary.warnings);
  NoiseModel noise = describe_noise(*data, design, calibrator, state);
  // Firm assignments show a large number in their own column, uncertain ones two similar numbers.
  const Matrix gain = own_gains(design, std::move(last.statistics), state.components) / data->energy();
  leave_frame(data->frame(), design, state);
  data.reset(), with_outliers.reset();  // the model takes memory of its own
  const std::vector<Index> order = make_canonical(design, may_flip, state);
  put_in_order(order, gain, found, summary);
  std::vector<Components> alternatives = keep_alternatives(design, std::move(found.rivals), order, summary);
  summary.explained = explained_energy(design, state);
  result.model = make_model(trials, std::move(design), std::move(state));
  result.model.transform = options.transform;
  result.model.noise = in_order(std::move(noise), order);
  result.model.alternatives = std::move(alternatives);
  if (!summary.certainty.empty())
    for (const Index dead : result.model.dead_components())
      summary.certainty[static_cast<std::size_t>(dead)] = Certainty::none;
  warn_of_uncertainty(summary, summary.warnings);
  warn_of_components_of_one_session(result.model, together, summary.warnings);
  warn_of_dead_components(
      result.model, deaths_of(found, in_order(calibrator.is_noise(), order), options, start.has_value()),
      together, summary.warnings);
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
