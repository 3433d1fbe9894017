// Traces of new trials: one trace update with the components fixed.
#include <fmt/format.h>

#include <optional>

#include "data/check_trials.hpp"
#include "data/trial_data.hpp"
#include "fit/noise_model.hpp"
#include "loop/explained_energy.hpp"
#include "loop/normalise.hpp"
#include "loop/penalties.hpp"
#include "loop/ruler.hpp"
#include "milcci/files.hpp"
#include "milcci/fit.hpp"
#include "milcci/version.hpp"
#include "transform/fixed_components.hpp"
#include "util/parallel.hpp"

namespace milcci {
namespace {

// What can be said before anything is computed. Options are those of the fit: penalties and signs are needed
// again by whoever transforms with the result.
FitSummary summary_of_run(const FitSummary& fitted, const TrialSource& trials, const RunOptions& run) {
  FitSummary summary;
  summary.reason = StopReason::transformed;
  summary.options = fitted.options;
  summary.options.threads = run.threads;
  summary.version = kVersion;
  summary.data_fingerprint = fingerprint(trials, run.threads);
  summary.fitted_fingerprint =
      fitted.reason == StopReason::transformed ? fitted.fitted_fingerprint : fitted.data_fingerprint;
  summary.message =
      fmt::format("traces of {} {} under components that were fitted to data {}", trials.n_trials(),
                  trials.n_trials() == 1 ? "trial" : "trials", summary.fitted_fingerprint);
  return summary;
}

// A variant that was made from others is known no better than the least known of them.
void add_errors_of_new_options(Model& model) {
  for (std::size_t k = 0; k < model.noise.standard_errors.size(); ++k) {
    std::vector<Matrix>& errors = model.noise.standard_errors[k];
    Matrix largest = errors.front();
    for (const Matrix& known : errors) largest = largest.cwiseMax(known);
    errors.resize(model.categories[k].variants.size(), largest);
  }
}

// Channels in another order or another unit have traces, too, and no message of their own.
std::optional<std::string> worse_than_fitted(const FitSummary& fitted, double r2) {
  constexpr double kFarBelow = 0.5;
  const bool knows_fitted = fitted.reason != StopReason::transformed && fitted.r2 > 0;
  if (!knows_fitted || r2 >= kFarBelow * fitted.r2) return std::nullopt;
  return fmt::format(
      "R2 of these trials is {:.3g}, that of the trials of the fit {:.3g}: the components describe their own "
      "trials and not these; see whether channels have the same order and unit, else fit fewer components, "
      "or "
      "to more trials",
      r2, fitted.r2);
}

}  // namespace

FitResult transform(const FitResult& fitted, const TrialSource& trials, const RunOptions& run) {
  const std::vector<std::string> about_trials = check_trials(trials, run.threads);
  FitResult result{.model = {}, .summary = summary_of_run(fitted.summary, trials, run)};
  auto& [model, summary] = result;
  summary.warnings = about_trials;
  FixedComponents fixed = fix_components(fitted.model, trials);
  summary.warnings.insert(summary.warnings.end(), fixed.warnings.begin(), fixed.warnings.end());

  TrialData data(trials, summary.options.transform, Precision::float64,
                 resolve_threads(summary.options.threads));
  data.set_frame(fixed.frame);
  State state;
  state.components = std::move(fixed.components);
  const Statistics statistics = find_traces(summary.options, fixed, data, state);
  const Calibration* calibration = fixed.calibration ? &*fixed.calibration : nullptr;
  Penalties penalties = trace_penalties(summary.options, data, fixed.design.n_components());
  calibrate_traces(calibration, summary.options, penalties);
  if (summary.options.loss == Loss::squared || !(fixed.noise_level > 0)) {
    summary.objective =
        objective_of_state(summary.options, calibration, summary.options.sparsity.value_or(kDefaultSparsity),
                           fixed.design, statistics, state, penalties);
    summary.r2 = r2_of_data(data, fixed.design, state, statistics.objective.fit);
  } else {
    report_huber(calibration, data, fixed.design, state, fixed.noise_level, summary);
  }
  if (const auto warning = worse_than_fitted(fitted.summary, summary.r2))
    summary.warnings.push_back(*warning);
  leave_frame(fixed.frame, fixed.design, state);
  normalise(fixed.design, Scale::sum_one, state);
  summary.explained = explained_energy(fixed.design, state);

  model.channel_names = fitted.model.channel_names;
  model.channel_groups = fitted.model.channel_groups;
  model.transform = fitted.model.transform;
  model.noise = fitted.model.noise;
  model.times = trials.times();
  model.trial_names = trials.trial_names();
  model.labels = trials.labels();
  model.history = trials.history();
  model.categories = std::move(fixed.categories);
  for (std::size_t k = 0; k < fixed.design.n_categories(); ++k)
    model.categories[k].variants = std::move(state.components[k]);
  add_errors_of_new_options(model);
  for (const Matrix& phi : state.traces) model.traces.push_back(phi.transpose());
  model.transitions = std::move(state.transitions);
  return result;
}

}  // namespace milcci
