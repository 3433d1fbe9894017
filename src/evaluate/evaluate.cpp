// Score a model: how well it explains the trials, how sparse it is, and how near it is to the truth.
#include "milcci/evaluate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "data/check_trials.hpp"
#include "data/trial_data.hpp"
#include "evaluate/correlation.hpp"
#include "evaluate/matching.hpp"
#include "evaluate/scores.hpp"
#include "evaluate/transitions.hpp"
#include "loop/huber.hpp"
#include "loop/normalise.hpp"
#include "loop/ruler.hpp"
#include "milcci/error.hpp"
#include "util/percentile.hpp"

namespace milcci {
namespace {

[[noreturn]] void refuse(const std::string& problem) {
  throw Error(ErrorKind::bad_input,
              fmt::format("evaluating a model: {}; give the trials that the model was fitted to", problem));
}

void check_shapes(const Model& model, const TrialSource& trials) {
  if (model.n_trials() != trials.n_trials())
    refuse(
        fmt::format("there are {} trials, the model has traces of {}", trials.n_trials(), model.n_trials()));
  if (model.n_channels() != trials.n_channels())
    refuse(fmt::format("the trials have {} channels, the model {}", trials.n_channels(), model.n_channels()));
  for (std::size_t n = 0; n < trials.channel_names().size(); ++n)
    if (trials.channel_names()[n] != model.channel_names[n])
      refuse(fmt::format("channel {} is called \"{}\" in the trials and \"{}\" in the model", n + 1,
                         trials.channel_names()[n], model.channel_names[n]));
  for (std::size_t m = 0; m < trials.n_trials(); ++m)
    if (trials.n_times(m) != model.traces[m].cols())
      refuse(fmt::format("trial {} has {} time points, its traces in the model {}", m + 1, trials.n_times(m),
                         model.traces[m].cols()));
}

void check_truth(const TrialSource& trials) {
  const Truth& truth = *trials.truth();
  if (truth.traces.size() != trials.n_trials())
    refuse(fmt::format("there are {} trials, their truth has traces of {}", trials.n_trials(),
                       truth.traces.size()));
  for (std::size_t m = 0; m < trials.n_trials(); ++m)
    if (truth.traces[m].cols() != trials.n_times(m))
      refuse(fmt::format("trial {} has {} time points, its true traces {}", m + 1, trials.n_times(m),
                         truth.traces[m].cols()));
  for (const CategoryComponents& category : truth.categories)
    for (const Matrix& variant : category.variants)
      if (variant.rows() != trials.n_channels())
        refuse(fmt::format("the trials have {} channels, the true components of category \"{}\" {}",
                           trials.n_channels(), category.name, variant.rows()));
  if (truth.transitions.empty()) return;
  if (truth.transitions.size() != trials.n_trials())
    refuse(fmt::format("there are {} trials, their truth has transitions of {}", trials.n_trials(),
                       truth.transitions.size()));
  for (std::size_t m = 0; m < trials.n_trials(); ++m)
    if (const Index P = truth.traces[m].rows();
        truth.transitions[m].rows() != P || truth.transitions[m].cols() != P)
      refuse(fmt::format("the true transition of trial {} is {} x {}, its true traces are of {} components",
                         m + 1, truth.transitions[m].rows(), truth.transitions[m].cols(), P));
}

double share_of_zeros(const Model& model) {
  double n = 0, n_zero = 0;
  for (const FittedCategory& category : model.categories)
    for (const Matrix& variant : category.variants) {
      n += static_cast<double>(variant.size());
      n_zero += static_cast<double>((variant.array() == 0.0).count());
    }
  return n > 0 ? n_zero / n : 0.0;
}

double mean_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) /
         static_cast<double>(std::max<std::size_t>(values.size(), 1));
}

CorrelationSummary summarise(const std::vector<double>& correlations) {
  if (correlations.empty()) return {};
  return {mean_of(correlations), *std::min_element(correlations.begin(), correlations.end()),
          percentile(correlations, 0.05)};
}

// One correlation per trial between the true trace `truth` and the estimated trace of its match.
std::vector<double> trace_correlations(const Model& model, const TrialSource& trials, Index truth,
                                       const Match& match) {
  std::vector<double> correlations(trials.n_trials(), 0.0);
  if (match.estimate < 0) return correlations;
  const Category& category = model.categories[model.place(match.estimate).category].category;
  for (std::size_t m = 0; m < trials.n_trials(); ++m) {
    const auto& [estimate, sign] = match.under_option[static_cast<std::size_t>(category.option_of_trial[m])];
    const Matrix a = standardise_columns(trials.truth()->traces[m].row(truth).transpose());
    const Matrix b = standardise_columns(model.traces[m].row(estimate).transpose());
    correlations[m] = sign * a.col(0).dot(b.col(0));
  }
  return correlations;
}

// One correlation per trial, of W and of W - I. A single entry correlates with nothing.
void compare_transitions(const Model& model, const TrialSource& trials, const std::vector<Match>& matches,
                         TruthComparison& comparison) {
  const std::vector<Matrix>& truth = trials.truth()->transitions;
  if (truth.empty() || model.transitions.empty() || matches.size() < 2) return;
  const auto P = static_cast<Index>(matches.size());
  const auto correlate = [](const Matrix& a, const Matrix& b) {
    return standardise_columns(a.reshaped()).col(0).dot(standardise_columns(b.reshaped()).col(0));
  };
  std::vector<double> of_transitions, of_changes;
  const std::vector<Matrix> found = transitions_of_truth(model, trials, matches);
  const Matrix identity = Matrix::Identity(P, P);
  for (std::size_t m = 0; m < trials.n_trials(); ++m) {
    of_transitions.push_back(correlate(truth[m], found[m]));
    of_changes.push_back(correlate(truth[m] - identity, found[m] - identity));
  }
  comparison.transition_correlation = summarise(of_transitions);
  comparison.transition_change_correlation = summarise(of_changes);
}

// Whether every variant that it was matched with is zero: it may sit in the right category, but nothing was
// found there.
bool is_matched_with_nothing(const FittedCategory& fitted, Index first, const Match& match) {
  for (std::size_t i = 0; i < fitted.variants.size(); ++i)
    if ((fitted.variants[i].col(match.under_option[i].estimate - first).array() != 0).any()) return false;
  return true;
}

TruthComparison compare_with_truth(const Model& model, const TrialSource& trials) {
  const std::vector<Match> matches = match_components(model, trials);
  TruthComparison comparison;
  comparison.same_category = true;
  std::vector<double> of_components, of_traces;
  for (Index position = 0; const CategoryComponents& category : trials.truth()->categories)
    for (Index j = 0; j < category.n_components(); ++j, ++position) {
      const Match& match = matches[static_cast<std::size_t>(position)];
      const auto in_trials = trace_correlations(model, trials, position, match);
      of_components.insert(of_components.end(), match.option_correlations.begin(),
                           match.option_correlations.end());
      of_traces.insert(of_traces.end(), in_trials.begin(), in_trials.end());

      MatchedComponent found{
          position,          match.estimate, category.name, "", mean_of(match.option_correlations),
          mean_of(in_trials)};
      bool is_found = false;
      if (match.estimate >= 0) {
        const auto [k, component] = model.place(match.estimate);
        const FittedCategory& fitted = model.categories[k];
        found.estimated_category = fitted.category.spec.name;
        if (fitted.category.spec.kind == CategoryKind::free)
          for (std::size_t i = 0; i < match.under_option.size(); ++i)
            found.per_option.push_back({fitted.category.options[i], match.under_option[i].estimate});
        is_found = !is_matched_with_nothing(fitted, match.estimate - component, match);
      }
      if (!is_found || found.estimated_category != found.true_category) comparison.same_category = false;
      comparison.matches.push_back(std::move(found));
    }
  comparison.component_correlation = summarise(of_components);
  comparison.trace_correlation = summarise(of_traces);
  compare_transitions(model, trials, matches, comparison);
  return comparison;
}

// The model as the loop had it: at length one, under the variants that its own trials chose.
Objective objective_of(const Model& model, FitOptions fitted_with, const TrialSource& trials) {
  fitted_with.threads = 1;
  std::vector<Category> categories;
  State state;
  for (const FittedCategory& fitted : model.categories) {
    categories.push_back(fitted.category);
    state.components.push_back(fitted.variants);
  }
  for (const Matrix& phi : model.traces) state.traces.push_back(phi.transpose());
  state.transitions = model.transitions;
  const Design design = make_design(std::move(categories), trials.n_trials());
  const Frame frame = frame_of(model.noise);
  if (frame.weight.size() > 0)
    for (std::vector<Matrix>& variants : state.components)
      for (Matrix& variant : variants) variant.array().colwise() *= frame.weight.array();
  normalise(design, Scale::length_one, state);
  TrialData data(trials, model.transform, fitted_with.precision);
  data.set_frame(frame);
  std::optional<Calibration> calibration = calibration_of(model.noise);
  if (calibration) set_uncertainty(data, design, fitted_with, state, *calibration);
  const Calibration* estimated = calibration ? &*calibration : nullptr;
  const double noise_level = noise_level_of(model.noise);
  if (fitted_with.loss == Loss::squared || !(noise_level > 0))
    return objective_of_state(fitted_with, estimated, data, design, state);
  const HuberTargets targets = huber_targets(data, design, state, noise_level, 1);
  Objective terms = objective_of_state(fitted_with, estimated, targets.data, design, state);
  terms.fit += targets.charge;
  return terms;
}

}  // namespace

Evaluation evaluate(const Model& model, const TrialSource& trials) {
  check_trials(trials);
  check_shapes(model, trials);
  Evaluation evaluation;
  score(model, trials, evaluation);
  evaluation.sparsity = share_of_zeros(model);
  evaluation.dead_components = model.dead_components();
  if (trials.truth()) {
    check_truth(trials);
    evaluation.truth = compare_with_truth(model, trials);
  }
  return evaluation;
}

Evaluation evaluate(const FitResult& fitted, const TrialSource& trials) {
  Evaluation evaluation = evaluate(fitted.model, trials);
  evaluation.objective = objective_of(fitted.model, fitted.summary.options, trials);
  return evaluation;
}

}  // namespace milcci
