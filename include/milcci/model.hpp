// The fitted model: components per category, traces per trial, and how the fit went.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "milcci/labels.hpp"
#include "milcci/options.hpp"
#include "milcci/trials.hpp"
#include "milcci/types.hpp"

namespace milcci {

/// One category with its fitted variants. variants[i] is N x p_k; absolute memberships of a component sum
/// to one, or are all zero if the component is dead under that option.
struct FittedCategory {
  Category category;
  std::vector<Matrix> variants;

  Index n_components() const { return variants.empty() ? 0 : variants.front().cols(); }
};

/// What was estimated beside components and traces. Each part is empty if it was not.
struct NoiseModel {
  Vector offset;  ///< N: b_n, in the unit of the data; reconstructions contain it
  Vector level;   ///< N: standard deviation of the noise of every channel
  /// The weights of the penalties, per component, where channels are divided by their noise level (as a
  /// ratio to `unit`) and every variant then has Euclidean length one.
  double unit = 1;                  ///< the noise level of a channel with weight one
  Vector ridge;                     ///< P: noise over the variance of each trace
  Vector smoothness;                ///< P: noise over the variance of its steps
  std::vector<Vector> consistency;  ///< [k] p_k: noise over the variance between variants; gamma2
  /// Noise is so little that members were told by sparsity, and not by their standard errors.
  bool keeps_sparsity = false;
  /// Standard errors of the memberships, as the variants of the categories.
  std::vector<std::vector<Matrix>> standard_errors;

  bool is_calibrated() const { return level.size() > 0; }
};

struct Model {
  std::vector<std::string> channel_names;
  std::vector<std::string> channel_groups;  ///< N or empty
  std::vector<FittedCategory> categories;
  std::vector<Matrix> traces;       ///< per trial P x T_m, the categories' rows one after the other
  std::vector<Vector> times;        ///< per trial T_m, or empty
  std::vector<Matrix> transitions;  ///< lds prior only: W_m, P x P per trial

  /// What else is known of the trials whose traces these are. Empty in models from before it was kept.
  std::vector<std::string> trial_names;  ///< M or empty
  std::vector<LabelColumn> labels;       ///< all columns, also those of no category
  std::vector<std::string> history;      ///< as in `Trials`

  /// Components of other answers, in the places of those they correspond to: `FitSummary::alternatives`
  /// says how well they do. [answer][category][option], as the variants of the categories.
  std::vector<std::vector<std::vector<Matrix>>> alternatives;

  Transform transform = Transform::none;  ///< the model describes the data after this
  NoiseModel noise;

  std::size_t n_trials() const { return traces.size(); }
  Index n_channels() const { return static_cast<Index>(channel_names.size()); }
  Index n_components() const;
  /// A^(L_m): the variants chosen by trial m's label side by side, N x P.
  Matrix loading(std::size_t trial) const;
  /// b 1' + A^(L_m) Phi_m, N x T_m.
  Matrix reconstruction(std::size_t trial) const;
  /// Position and category of component j among all P.
  struct Place {
    std::size_t category;
    Index component;
  };
  Place place(Index component) const;
  /// Components that are zero under every option, by position among all P.
  std::vector<Index> dead_components() const;
};

/// The objective, term by term. What each term is: docs/design.md.
struct Objective {
  double fit = 0;
  double sparsity = 0;
  double consistency = 0;
  double smoothness = 0;  ///< or the lds prior
  double decorrelation = 0;
  double transition = 0;   ///< distance of W from the identity, lds only
  double ridge = 0;        ///< squared traces
  double uncertainty = 0;  ///< squared memberships times the variance of the traces

  double total() const {
    return fit + sparsity + consistency + smoothness + decorrelation + transition + ridge + uncertainty;
  }
};

enum class StopReason {
  converged,        ///< neither the objective nor the components move any more
  iteration_limit,  ///< of the options, before that
  interrupted,      ///< by the callback
  time_limit,       ///< of the options
  stalled,          ///< no step lowers the objective, though the components would still move
  transformed       ///< no fit at all: traces of other trials under its components, from `transform`
};
const std::vector<std::string>& value_names(StopReason);

struct IterationRecord {
  int iteration = 0;
  int stage = 0;  ///< penalty weights are constant within a stage
  Objective objective;
  double r2 = 0;
  double relative_change = 0;   ///< fall of the objective over the objective before
  double component_change = 0;  ///< largest movement of a component, root mean square over its variants
  double seconds = 0;           ///< since the fit began
};

/// One sparse start that was tried.
struct CandidateRecord {
  std::uint64_t stream = 0;  ///< of the random numbers it was drawn from
  int round = 0;             ///< the last round of the tournament it took part in, from 1
  double objective = 0;      ///< at the end of that round; comparable within a round
  double behind = 0;         ///< its objective over the best one of that round, less one
  double similarity = 0;     ///< mean |cosine| of its components with the winner's, category by category

  /// Whether it is another answer than the winner's, not the same one found again.
  bool is_distinct() const { return similarity < 0.98; }
};

/// What is known of a component beside its numbers.
enum class Certainty {
  firm,         ///< every answer that explains the data about as well has it
  alternative,  ///< some answer that explains the data about as well does without it
  unstable,     ///< at least two of them do, and at least half
  none          ///< it is dead
};
const std::vector<std::string>& value_names(Certainty);

/// Another answer that explains the data about as well as the model does.
struct Alternative {
  double behind = 0;  ///< its objective over the model's, less one, on the time points of the search
  Vector similarity;  ///< per component of the model, |cosine| with the one in its place

  /// Whether it has the model's component j as well.
  bool has(Index component) const { return similarity(component) >= 0.9; }
};

struct FitSummary {
  StopReason reason = StopReason::iteration_limit;
  std::string message;  ///< why it stopped, as a sentence
  std::vector<IterationRecord> iterations;
  double r2 = 0;  ///< over observed entries, about each channel's mean
  /// With `loss` huber: of the data with outliers moved to within two noise levels of the model.
  std::optional<double> r2_without_outliers = {};
  /// At the model itself, by the weights that belong to its components and traces: comparable between
  /// fits of the same data with the same options, which the last iteration's is not. Empty in models
  /// from before it was kept.
  std::optional<Objective> objective;
  double seconds_start = 0, seconds_traces = 0, seconds_components = 0, seconds_total = 0;
  std::vector<CandidateRecord> candidates;
  /// category_gain(j, k): share of the data's energy that variants along category k would save or do save.
  Matrix category_gain;
  /// Share of the fitted energy that each component carries.
  Vector explained;
  /// Share of the starts that found this component in its category (|cosine| of at least 0.9); empty if a
  /// start was given.
  Vector stability;
  /// How many finalists of the search led to this answer.
  int times_found = 0;
  /// Per component; empty if a start was given, or the search was cut short.
  std::vector<Certainty> certainty;
  /// Answers about as good as this one, best first, at most three.
  std::vector<Alternative> alternatives;
  std::vector<std::string> warnings;
  FitOptions options;  ///< as resolved
  std::string version;
  std::string data_fingerprint;  ///< of the trials whose traces the model has
  /// Of the trials that the components were fitted to, if these are others (`transform`); else empty.
  std::string fitted_fingerprint;

  /// The first distinct candidate after the winner, or null: how far it is behind tells how clear the win
  /// was.
  const CandidateRecord* next_distinct() const;
  /// Per component, its gain from its own category over the largest from another: far above one is a firm
  /// assignment, about one a coin toss. Empty with one category.
  Vector firmness() const;
  /// Whether the fit ended at rest: converged, or stalled with a step refused that was hardly larger than the
  /// tolerance (ten times `component_tolerance` at most), as happens with the lds prior.
  bool is_at_rest() const;
  std::string brief_report() const;
  std::string full_report() const;
};

/// The summary as one JSON object.
std::string to_json(const FitSummary& summary);
/// The inverse of `to_json(FitSummary)`.
FitSummary summary_from_json(const std::string& json);

struct FitResult {
  Model model;
  FitSummary summary;
};

}  // namespace milcci
