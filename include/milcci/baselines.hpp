// The methods that ours is compared with, each on the same trials and with its result in the same form:
// components, and a trace of every component in every trial.
//
//   const BaselineFit found = fit_baseline(trials, Baseline::fa, {.n_components = 8});
//   const double r2 = evaluate(found.model, trials).r2;
//   const double predicted = cosmooth(found, new_trials).r2;
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "milcci/evaluate.hpp"
#include "milcci/field.hpp"
#include "milcci/labels.hpp"
#include "milcci/model.hpp"
#include "milcci/trial_source.hpp"

namespace milcci {

enum class Baseline {
  svd,                  ///< of all trials side by side, missing entries as zeros
  pca,                  ///< principal components, about each channel's mean
  ppca,                 ///< probabilistic PCA: one noise level
  fa,                   ///< factor analysis: a noise level per channel
  nmf,                  ///< non-negative matrix factorisation
  parafac,              ///< canonical polyadic decomposition by alternating least squares
  parafac_nonnegative,  ///< the same with factors >= 0
  tucker,               ///< HOSVD, then higher-order orthogonal iteration
  slicetca_1,           ///< a channel vector times a time x trial slice per component
  slicetca_1_positive,  ///< the same with factors >= 0
  slicetca_2,           ///< a time vector times a channel x trial slice per component
  slicetca_2_positive,  ///< the same with factors >= 0
  sibblings             ///< every label tuple is a state with components of its own, tied by graphs
};
const std::vector<std::string>& value_names(Baseline);
std::vector<Baseline> all_baselines();

struct BaselineOptions {
  /// Components, the same number as of the model that it is compared with.
  int n_components = 4;
  /// Of random starts.
  std::uint64_t seed = 1234;
  /// Starts of the methods that depend on one; the best result is kept. The first one is that of the
  /// method's usual package (from singular vectors), where there is one; all others are random.
  int restarts = 4;
  /// Most iterations of one start.
  int max_iterations = 1000;
  /// Stop when what a method minimises fell by less than this share of itself; for likelihoods, when minus
  /// the log-likelihood per observed entry fell by less than this.
  double tolerance = 1e-6;
  /// Seconds after which the best result so far is returned.
  std::optional<double> time_limit = {};
  /// Of `sibblings`: strength of its sparsity, times the usual one.
  double sibblings_sparsity = 1;
  /// Asked in every iteration; true ends the fit with the best result so far.
  std::function<bool()> should_stop = {};
};

/// Calls visit(Field, member) for every option of a baseline.
template <OptionsOf<BaselineOptions> Options, class Visitor>
void visit_fields(Options&& o, Visitor&& visit) {
  visit(Field{"n_components", "P", "components of every method", 1, 1e5}, o.n_components);
  visit(Field{"seed", "", "seed of all random numbers", 0, 1.8e19}, o.seed);
  visit(Field{"restarts", "", "starts of the methods that depend on one, the best is kept", 1, 1e6},
        o.restarts);
  visit(Field{"max_iterations", "", "most iterations of one start", 1, 1e9}, o.max_iterations);
  visit(Field{"tolerance", "", "relative fall of the error that counts as none", 0, 1}, o.tolerance);
  visit(Field{"time_limit", "", "most seconds per method; unset: none", 0, kUnlimited}, o.time_limit);
  visit(Field{"sibblings_sparsity", "", "sparsity of SiBBlInGS, times the usual one", 0, 1e6},
        o.sibblings_sparsity);
}

/// How a method finds the traces of a trial under its fitted components, at each time point by itself:
///   min_phi sum_n weight_n (y_n - b_n - a_n phi)^2 + phi' ridge phi        (and phi >= 0)
/// over the observed channels; or, where `shapes` are given, over whole trials: Phi = sum_q theta_q shape_q,
/// with the numbers theta (>= 0 if traces are) to be found.
struct TraceRule {
  bool is_nonnegative = false;
  Vector weight = {};  ///< N, or empty: all one
  /// P x P, or empty: none; the shortest solution where there are several. Of methods without a probability
  /// model, their noise over the energy of each trace, both as fitted; where signs are free, over the matrix
  /// of second moments of the traces, so that mixtures of the same components predict the same.
  Matrix ridge = {};
  std::vector<Matrix> shapes = {};  ///< P x T each; of tensor methods, whose trials share their time courses
  /// Empty, or why new trials have no traces under this method.
  std::string why_impossible = {};
};

/// What a method found.
struct BaselineFit {
  Baseline method = Baseline::svd;
  /// One category: of kind fixed where all trials have the same components, otherwise with as many options
  /// as there are sets of components. Offsets are in `noise`, if the method has them.
  Model model;
  StopReason reason = StopReason::converged;
  std::string message;  ///< why it stopped, as a sentence
  int iterations = 0;   ///< of the start that was kept
  double seconds = 0;
  /// What the method minimises, after every iteration of the start that was kept: squared error, or minus
  /// the log-likelihood. Of `sibblings` squared error and penalties, which may rise; the least was kept.
  std::vector<double> objective;
  /// Of the observed entries, where the method has a probability model.
  std::optional<double> marginal_log_likelihood;
  Vector noise_variance;                     ///< N, where the method estimates it
  std::vector<std::string> notes;            ///< what was done to the data to suit the method
  std::optional<double> degrees_of_freedom;  ///< without the noise level; none if they cannot be counted
  std::string degrees_of_freedom_note;       ///< how they were counted
  TraceRule trace_rule;
};

/// Fits the method. The same bits for the same seed, unless the time limit is reached. `categories` name the
/// labels for `sibblings`; the other methods do not look at labels. Throws Error(bad_option) for invalid
/// options and more components than the method can have, Error(bad_input) for data that it cannot take,
/// Error(numerical) if its numbers become infinite.
BaselineFit fit_baseline(const TrialSource& trials, Baseline method, const BaselineOptions& options = {},
                         const std::vector<CategorySpec>& categories = {});

/// What a method of somebody else found, in the same form: components (N x P) that all trials share, traces
/// (P x T_m), and an offset per channel or none. Traces of new trials are found as `TraceRule` says, with
/// the ridge of its noise. Throws Error(bad_input) for other sizes than those of the trials, or numbers that
/// are none.
BaselineFit baseline_fit_of(const TrialSource& trials, const Matrix& components, std::vector<Matrix> traces,
                            Vector offset = {}, bool is_nonnegative = false);

/// Multiplies the ridge by which traces of new trials are found. 0 is least squares.
void scale_trace_ridge(BaselineFit& fitted, double factor);

/// The traces (P x T_m) of trials, found from these channels (0, 1, ...) alone. Throws Error(bad_input) if
/// the method knows no traces of new trials.
std::vector<Matrix> infer_traces(const BaselineFit& fitted, const TrialSource& trials,
                                 const std::vector<Index>& channels);
/// From all channels.
std::vector<Matrix> infer_traces(const BaselineFit& fitted, const TrialSource& trials);

/// Co-smoothing as of our own models: the same folds and scores.
CoSmoothing cosmooth(const BaselineFit& fitted, const TrialSource& trials,
                     const CoSmoothingOptions& options = {});

}  // namespace milcci
