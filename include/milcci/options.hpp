// Every option of a fit, described once. `visit_fields` is the only list of them: the command line, the
// JSON echo, the model file and the documentation table all walk it, as they do for other options.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "milcci/field.hpp"
#include "milcci/labels.hpp"

namespace milcci {

enum class NonNegative { none, components, traces, both };
enum class Precision { float64, float32 };
enum class TracePrior { smoothness, lds };
/// What is done to every value of the data before the fit.
enum class Transform { none, tanh };
/// A constant per channel that belongs to no component. `automatic`: `channel` if penalties are estimated,
/// none otherwise.
enum class Offset { automatic, none, channel };
/// Whether channels are trusted by how noisy they are. `automatic`: `channel` if penalties are estimated,
/// `equal` otherwise.
enum class Noise { automatic, equal, channel };
/// What an error costs: its square, or beyond two noise levels only its size, for data with outliers.
enum class Loss { squared, huber };
/// Whether penalties that are not given are estimated from the data, or have fixed defaults.
enum class PenaltyChoice { automatic, fixed };
/// How long to look for the best answer.
enum class Effort { quick, normal, thorough };

/// Penalties come in three forms. Those that are not given have the defaults named below, or, with
/// `penalties` automatic, are estimated from the data. Given ones are free of units: multiplying the data by
/// 1000 or doubling the number of trials leaves the components as they are. `gamma1` ... `gamma5` are the
/// paper's absolute weights; one that is given replaces its unit-free counterpart.
struct FitOptions {
  std::vector<CategorySpec> categories;

  /// Which factors may not be negative. Use for counts, rates and shares.
  NonNegative nonnegative = NonNegative::none;
  /// Fit tanh(Y) in place of Y.
  Transform transform = Transform::none;

  /// Whether penalties that are not given are estimated from the noise of the data (`automatic`, for
  /// recordings), or have fixed defaults, which minimises the paper's objective.
  PenaltyChoice penalties = PenaltyChoice::automatic;
  /// b: a baseline per channel. Where traces may not be negative, only what no component needs.
  Offset offset = Offset::automatic;
  /// sigma: noise levels, as weights of the channels.
  Noise noise = Noise::automatic;

  /// What an error costs. `huber` limits what one outlier can do, and takes a second copy of the data.
  Loss loss = Loss::squared;

  /// s: memberships below about s times the mean membership are cut to zero. Raise for sparser groups.
  /// Unset: 0.01.
  std::optional<double> sparsity = {};
  /// c: pull of the other variants, against the average option's own evidence. Raise when options have few
  /// trials; 0 leaves the variants alone. Unset: by how much variants differ beyond their error; fixed: 0.01.
  std::optional<double> consistency = {};
  /// q: squared change of a trace between samples, against the squared error. Raise for noisy data. Unset: by
  /// the traces' own time course; fixed: 0, or 1 with the lds prior.
  std::optional<double> smoothness = {};
  /// d: a mean correlation of one between the traces of a trial costs d / 4 of the trial's energy. 0.01 makes
  /// traces visibly less correlated where the data leave it open; from 0.04 on components may suffer.
  double decorrelation = 0.0;

  /// r: squared traces against squared data. Restrains components that would cancel each other, or
  /// that hardly any observed channel belongs to. Unset: noise against the energy of each trace; fixed:
  /// 0.001, or 1e-6 where neither factor may be negative.
  std::optional<double> ridge = {};
  /// Missing entries count as zeros of this weight, so that no component lives on what was never seen.
  double missing_weight = 0.01;

  /// A component is dropped during the search if the others reach the same R2 without it, to within
  /// this much: better dead than a piece of a real one. 0 keeps all. Unset: 0.001.
  std::optional<double> redundancy = {};

  /// What is assumed of a trace over time: small steps, or a linear dynamical system per trial.
  TracePrior prior = TracePrior::smoothness;
  /// Weight of the distance of every transition matrix W from the identity, against the traces'
  /// mean energy (lds only).
  double transition_pull = 0.1;
  /// Alternations of traces and W within one iteration (lds only).
  int dynamics_iterations = 4;

  std::optional<double> gamma1, gamma2, gamma3, gamma4, gamma5;

  int max_iterations = 500;
  /// Stop when the objective fell by less than this share of itself ...
  double tolerance = 1e-6;
  /// ... and no component moved by more than this (Euclidean, components have length one).
  double component_tolerance = 1e-3;

  /// How the data are kept while fitting. float32 halves what an iteration reads; components agree
  /// to 1e-4 and mostly to 1e-6, because long sums are still made in double.
  Precision precision = Precision::float64;

  std::uint64_t seed = 1234;
  /// How long to look for the best answer: one tournament of starts; up to three, until the best answer
  /// was found twice; up to thirty, until it was found four times.
  Effort effort = Effort::normal;
  /// No tournament or round of moves begins after half of this many seconds, and the fit ends after
  /// all of them, with the best model so far. Only a fit that takes half of it depends on the machine.
  std::optional<double> time_limit = {};
  /// Independent sparse starts of a tournament; the one with the best objective continues.
  int restarts = 16;
  /// Finalists of the search; where they differ, those not far behind are tried on the whole data.
  int candidates = 2;
  /// 0 = all cores. The result has the same bits for any number.
  int threads = 0;
};

/// Calls visit(Field, member) for every scalar option, in the order they are documented.
template <OptionsOf<FitOptions> Options, class Visitor>
void visit_fields(Options&& o, Visitor&& visit) {
  visit(Field{"nonnegative", "", "factors that may not be negative: none, components, traces or both"},
        o.nonnegative);
  visit(Field{"transform", "", "what is done to every value before the fit: none or tanh"}, o.transform);
  visit(Field{"penalties", "", "penalties that are not given: fixed, or auto: from the noise of the data"},
        o.penalties);
  visit(Field{"offset", "b", "baseline per channel: auto (with estimated penalties), none or channel"},
        o.offset);
  visit(Field{"noise", "sigma", "noise levels: auto (with estimated penalties), equal or channel"}, o.noise);
  visit(Field{"loss", "", "what an error costs: squared, or huber, for data with outliers"}, o.loss);
  visit(Field{"sparsity", "s", "cut memberships below this share of the mean membership; unset: 0.01", 0,
              0.999},
        o.sparsity);
  visit(Field{"consistency", "c", "pull between variants, against an option's own evidence; fixed: 0.01", 0,
              kUnlimited},
        o.consistency);
  visit(Field{"smoothness", "q", "weight of squared steps of the traces; fixed: 0, or 1 with the lds prior",
              0, kUnlimited},
        o.smoothness);
  visit(Field{"decorrelation", "d", "weight of correlations between the traces of a trial", 0, kUnlimited},
        o.decorrelation);
  visit(Field{"ridge", "r", "weight of squared traces; fixed: 0.001, or 1e-6 if both are non-negative", 0,
              kUnlimited},
        o.ridge);
  visit(Field{"missing_weight", "u", "weight of missing entries, as if they were zero", 0, 1},
        o.missing_weight);
  visit(
      Field{"redundancy", "", "drop components without which R2 falls by less than this; unset: 0.001", 0, 1},
      o.redundancy);
  visit(Field{"prior", "", "what is assumed of traces over time: smoothness or lds"}, o.prior);
  visit(Field{"transition_pull", "", "lds: pull of the transitions to the identity", 0, kUnlimited},
        o.transition_pull);
  visit(Field{"dynamics_iterations", "", "lds: alternations of traces and transitions", 1, 100},
        o.dynamics_iterations);
  visit(Field{"gamma1", "gamma_1", "absolute sparsity weight, replaces sparsity", 0, kUnlimited}, o.gamma1);
  visit(Field{"gamma2", "gamma_2", "absolute consistency weight, replaces consistency", 0, kUnlimited},
        o.gamma2);
  visit(Field{"gamma3", "gamma_3", "absolute smoothness weight, replaces smoothness", 0, kUnlimited},
        o.gamma3);
  visit(Field{"gamma4", "gamma_4", "absolute decorrelation weight, replaces decorrelation", 0, kUnlimited},
        o.gamma4);
  visit(Field{"gamma5", "gamma_5", "absolute transition pull, replaces transition-pull", 0, kUnlimited},
        o.gamma5);
  visit(Field{"max_iterations", "", "most iterations, all stages together", 1, 1e9}, o.max_iterations);
  visit(Field{"tolerance", "", "relative fall of the objective that counts as none", 0, 1}, o.tolerance);
  visit(Field{"component_tolerance", "", "movement of a component that counts as none", 0, 1},
        o.component_tolerance);
  visit(Field{"precision", "", "how the data are kept while fitting: float64 or float32"}, o.precision);
  visit(Field{"seed", "", "seed of all random numbers", 0, 1.8e19}, o.seed);
  visit(Field{"effort", "", "how long to look for the best answer: quick, default or thorough"}, o.effort);
  visit(Field{"time_limit", "", "most seconds; unset: none", 0, kUnlimited}, o.time_limit);
  visit(Field{"restarts", "", "independent starts of a tournament, the best goes on", 1, 1e6}, o.restarts);
  visit(Field{"candidates", "", "finalists among the starts", 1, 1e6}, o.candidates);
  visit(Field{"threads", "", "threads, 0 = all cores", 0, 4096}, o.threads);
}

/// Names of the values of an enumeration, in order; the n-th belongs to the value n.
const std::vector<std::string>& value_names(NonNegative);
const std::vector<std::string>& value_names(TracePrior);
const std::vector<std::string>& value_names(Precision);
const std::vector<std::string>& value_names(Transform);
const std::vector<std::string>& value_names(Effort);
const std::vector<std::string>& value_names(Offset);
const std::vector<std::string>& value_names(Noise);
const std::vector<std::string>& value_names(PenaltyChoice);
const std::vector<std::string>& value_names(Loss);

/// What penalties that are not given have with `penalties` fixed, and at least otherwise.
constexpr double kDefaultSparsity = 0.01, kDefaultConsistency = 0.01, kDefaultRedundancy = 0.001;
/// What `automatic` means in these options.
bool has_offset(const FitOptions& options);
bool has_noise_levels(const FitOptions& options);

template <class Enum>
const std::string& to_text(Enum value) requires std::is_enum_v<Enum> {
  return value_names(value)[static_cast<std::size_t>(value)];
}

/// One sentence per violated constraint, such as "`sparsity` = -1, must be between 0 and 0.999"; empty if
/// valid.
std::vector<std::string> violations(const FitOptions& options);
/// Throws Error(bad_option) that lists all violations.
void validate(const FitOptions& options);

/// The options as one JSON object (categories included), and back. Unknown keys are refused.
std::string to_json(const FitOptions& options);
FitOptions options_from_json(const std::string& json);

}  // namespace milcci
