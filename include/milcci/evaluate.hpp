// Score a model: against the data it was fitted to, against the truth where the trials carry one, and by how
// well it predicts channels from other channels.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "milcci/model.hpp"
#include "milcci/options.hpp"
#include "milcci/trial_source.hpp"

namespace milcci {

struct CorrelationSummary {
  double mean = 0, min = 0, p05 = 0;
};

/// Which of the model's components a true one is under one option.
struct MatchedOption {
  std::string option;
  Index estimate = 0;
};

/// How one true component was found again.
struct MatchedComponent {
  Index truth = 0;  ///< position among the true components
  /// Position among the model's, -1 if the model has fewer. Where the match differs between options, the one
  /// of most trials; no two matches share one.
  Index estimate = -1;
  std::string true_category, estimated_category;
  double component_correlation = 0;  ///< mean over options
  double trace_correlation = 0;      ///< mean over trials
  /// Found in a category of kind free: its variants are not tied to one another, so every option is matched
  /// by itself. Empty otherwise.
  std::vector<MatchedOption> per_option = {};
};

struct TruthComparison {
  CorrelationSummary component_correlation;  ///< one Pearson correlation per component and option
  CorrelationSummary trace_correlation;      ///< one per component and trial
  /// One per trial, over the entries of W in the truth's order, signs and scale of components. Only if model
  /// and truth both have transitions of at least two components.
  std::optional<CorrelationSummary> transition_correlation = {};
  /// The same of W - I: W is near the identity, and so the identity itself correlates highly with it.
  std::optional<CorrelationSummary> transition_change_correlation = {};
  bool same_category = false;  ///< every true component was found in its own category
  std::vector<MatchedComponent> matches;
};

/// How well a channel is predicted.
struct PredictedChannel {
  std::string name;
  int fold = 0;               ///< from 0; it is predicted from the channels of all other folds
  double r2 = 0;              ///< NaN if it never changes
  double bits_per_spike = 0;  ///< of counts; NaN for other data, and without a spike
};

struct CoSmoothing {
  /// Over observed entries, about each channel's mean: 0 is as good as that mean, 1 perfect; NaN if no
  /// channel ever changes.
  double r2 = 0;
  /// Only if all observed values are whole numbers, none below zero, some above: what the predictions say of
  /// the counts beyond the channel's mean, as rates of Poisson counts, in bits and per spike. Predictions
  /// below a hundredth of that mean count as a hundredth.
  std::optional<double> bits_per_spike = {};
  std::vector<PredictedChannel> channels;
  int folds = 0;
  std::uint64_t seed = 0;
  std::vector<std::string> warnings;  ///< of the trials, and one per option value never seen in the fit
};

/// How well a part of the data is described: a trial, a channel, or the trials of one option. Over observed
/// entries. The squared errors of all trials add up to that of the whole, and so do those of all channels,
/// and of all options of one category.
struct Score {
  std::string name;           ///< empty for trials without names
  std::string category = {};  ///< options only: whose they are
  std::size_t n_trials = 0;   ///< with something observed in them
  double squared_error = 0;
  double r2 = 0;              ///< about each channel's mean over all trials; NaN if there is no variation
  double relative_error = 0;  ///< squared error over squared data
};

/// What the components of one category do. The score is of a reconstruction by them alone.
struct CategoryScore : Score {
  double r2_without = 0;  ///< of a reconstruction by the components of all other categories
};

struct Evaluation {
  double r2 = 0;              ///< over observed entries, about each channel's mean; NaN if none ever changes
  double relative_error = 0;  ///< squared error over squared data, observed entries
  double squared_error = 0;   ///< over observed entries
  std::vector<Score> trials, channels;
  std::vector<Score> labels;  ///< one per category and option that the trials have
  std::vector<CategoryScore> categories;
  double sparsity = 0;  ///< share of memberships that are exactly zero
  std::vector<Index> dead_components;
  std::optional<TruthComparison> truth;
  /// As in `FitSummary`, recomputed from trials, components and traces. Empty without the options of
  /// the fit.
  std::optional<Objective> objective;
  /// The last two are not made by `evaluate`; whoever makes them puts them here, to be reported
  /// with the rest.
  std::optional<CoSmoothing> cosmoothing;
  bool is_transformed = false;  ///< the trials are not those of the fit; their traces are from `transform`
};

/// Throws Error(bad_input) if the model was not fitted to trials of this shape.
Evaluation evaluate(const Model& model, const TrialSource& trials);
/// Also with the objective, by the options that the model was fitted with.
Evaluation evaluate(const FitResult& fitted, const TrialSource& trials);

struct CoSmoothingOptions {
  /// Folds that the channels are divided into. More folds leave more channels to predict from and
  /// take longer.
  int folds = 5;
  /// Decides which channels share a fold.
  std::uint64_t seed = 1234;
};

/// Calls visit(Field, member) for every option of co-smoothing.
template <OptionsOf<CoSmoothingOptions> Options, class Visitor>
void visit_fields(Options&& o, Visitor&& visit) {
  visit(Field{"folds", "", "folds that the channels are dealt into, at most one per channel", 2, kUnlimited},
        o.folds);
  visit(Field{"seed", "", "seed of the random folds", 0, kUnlimited}, o.seed);
}

/// Co-smoothing: the channels are divided into folds at random. For each fold, the traces of every
/// trial are found from the other channels, with the components fixed and the penalties and signs
/// of the fit, and the fold's channels are predicted from them. Components that describe channels
/// one by one reconstruct well and predict badly; pieces or mixtures of the right components
/// predict about as well as the components themselves. The trials need not be those of the fit;
/// their variants are chosen as by `transform`. Throws Error(bad_input) for other channels or fewer
/// than two, Error(bad_option) for more folds than channels.
CoSmoothing cosmooth(const Model& model, const FitOptions& fitted_with, const TrialSource& trials,
                     const CoSmoothingOptions& options = {});

std::string to_json(const Evaluation& evaluation);
/// A table for people.
std::string to_table(const Evaluation& evaluation);

}  // namespace milcci
