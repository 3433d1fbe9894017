// Our model beside other methods, with the same number of components on the same trials.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "milcci/baselines.hpp"
#include "milcci/evaluate.hpp"
#include "milcci/fit.hpp"
#include "milcci/options.hpp"

namespace milcci {

/// A method of somebody else, fitted by a function that returns its result as `baseline_fit_of` makes it.
struct OtherMethod {
  std::string name;
  std::function<BaselineFit(const TrialSource& trials, const BaselineOptions& options)> fit;
};

struct CompareOptions {
  /// Of our model. Its categories say how many components every method has. Seed and time limit are those
  /// of `baselines`.
  FitOptions fit;
  /// Names of `Baseline`, "milcci" (with the signs of `fit`) and "milcci_nonnegative". "all" alone: all of
  /// them; so does no name, unless there are others.
  std::vector<std::string> methods = {};
  /// Methods that are not ours to fit.
  std::vector<OtherMethod> others = {};
  /// Of all other methods. The number of components is set by the categories.
  BaselineOptions baselines = {};
  /// Share of the trials that are held out for co-smoothing, after fits to the others; 0: no co-smoothing.
  double held_out = 0.2;
  CoSmoothingOptions cosmoothing = {};
  /// How often all of it is done, each time with the next seed and other trials and channels held out.
  int repeats = 1;
  /// Whether the knob of each method (docs/command-line.md) is chosen by co-smoothing, inside the trials that
  /// are not held out.
  bool tune = false;
};

/// Calls visit(Field, member) for the options that only a comparison has.
template <OptionsOf<CompareOptions> Options, class Visitor>
void visit_fields(Options&& o, Visitor&& visit) {
  visit(
      Field{.name = "methods",
            .help = "all, or names with commas between them: milcci, milcci_nonnegative, svd, pca, ppca, fa, "
                    "nmf, parafac, parafac_nonnegative, tucker, slicetca_1, slicetca_1_positive, slicetca_2, "
                    "slicetca_2_positive, sibblings",
            .placeholder = "NAME,..."},
      o.methods);
  visit(Field{"repeats", "", "how often all is done, each time with the next seed and other trials held out",
              1, 1e4},
        o.repeats);
  visit(Field{"tune", "", "choose a knob of each method by co-smoothing inside the training trials"}, o.tune);
  visit(Field{"held_out", "", "share of trials held out for co-smoothing, 0: none", 0, 0.9}, o.held_out);
}

/// Distances between pairs of memberships of length one.
struct DistanceSummary {
  std::size_t n_pairs = 0;
  double mean = 0;
  std::vector<double> quantiles = {};  ///< 5, 25, 50, 75 and 95 %; empty without pairs
};

/// How far components move with the labels, against how far they are apart.
struct VariantDistances {
  DistanceSummary same;              ///< one component under two of its variants
  DistanceSummary different_within;  ///< two components in one condition
  DistanceSummary different_across;  ///< two components in two conditions
};

/// One method: how it ended, and its scores. Those that it cannot have are empty.
struct MethodScores {
  std::string name;
  std::string failed;   ///< why there are no scores; empty if there are
  std::string stopped;  ///< a name of `StopReason`
  std::string message;  ///< the same as a sentence
  int iterations = 0;
  int n_components = 0;
  int n_asked = 0;         ///< components that it was asked for
  double added_noise = 0;  ///< to the data, as a share of their standard deviation, after it failed without
  std::string tuned;       ///< the knob and its value, such as "ridge x 3"; empty: not tuned
  double seconds = 0;      ///< of the fit to all trials
  std::optional<double> peak_memory;  ///< of the same fit, bytes above what was there before
  std::optional<double> r2, relative_error, squared_error;
  std::optional<double> log_likelihood;  ///< of Gaussian errors around the reconstruction
  std::optional<double> degrees_of_freedom, aic, bic, hqc;
  std::string degrees_of_freedom_note;
  std::optional<double> marginal_log_likelihood;  ///< of methods with a probability model
  std::optional<double> sparsity;                 ///< share of memberships that are exactly zero
  /// Channels of held-out trials, predicted from their other channels.
  std::optional<double> cosmoothing_r2, bits_per_spike;
  std::string cosmoothing_note;                                                ///< why there is none
  std::optional<CorrelationSummary> component_correlation, trace_correlation;  ///< with a truth
  std::vector<std::string> notes;              ///< what was done to the data to suit the method
  std::vector<CategoryComponents> components;  ///< as `FittedCategory`
  VariantDistances distances;
  std::vector<double> trial_errors;  ///< squared error over squared data, of each trial
};

/// One score of a method over the repeats that have it, and its place among all methods (1 is best, ties
/// share the mean). Infinite scores count as none.
struct ScoreSpread {
  std::string score;  ///< a name of the JSON keys
  std::size_t n = 0;  ///< repeats that have it
  double mean = 0, min = 0, max = 0;
  std::optional<double> sd;                             ///< with two or more
  std::optional<double> rank_mean, rank_min, rank_max;  ///< of methods with as many components as asked for
};

struct ComparisonRun {
  std::uint64_t seed = 0;
  std::vector<MethodScores> methods;  ///< in the order asked for; what failed, and then what it did with less
  std::vector<std::size_t> held_out_trials = {};  ///< from 0, in order; empty without co-smoothing
  std::vector<int> channel_folds = {};            ///< of every channel, from 0; empty without co-smoothing
  std::vector<std::string> notes = {};            ///< what was not done as it was asked for
};

struct MethodComparison {
  std::size_t n_trials = 0, n_held_out = 0;
  Index n_channels = 0, n_components = 0;
  double n_observed = 0;  ///< entries
  int folds = 0;
  std::uint64_t seed = 0;
  bool is_interrupted = false;      ///< by the callback: not all was done
  std::vector<ComparisonRun> runs;  ///< one per repeat, at least one

  const std::vector<MethodScores>& methods() const { return runs.front().methods; }
  /// One per method of the first run.
  std::vector<std::vector<ScoreSpread>> spreads() const;
};

/// What a comparison is doing. Called before each method begins, and often while it is fitted.
struct MethodProgress {
  std::string method;
  int repeat = 0;       ///< 0, 1, ...
  bool is_new = false;  ///< the method begins
};
/// Return Continue::stop to end with what there is: the method at work keeps its best result so far.
using MethodCallback = std::function<Continue(const MethodProgress& progress)>;

/// Fits and scores all methods. One that cannot be fitted is a row with its reason. If there were too many
/// components, a row with as many as it can have follows; if its numbers became infinite, rows with fewer
/// components and noise added to the data. Throws Error(bad_option) for invalid options, Error(bad_input) for
/// trials that do not fit together.
MethodComparison compare_methods(const TrialSource& trials, const CompareOptions& options,
                                 const MethodCallback& progress = {});

enum class WithComponents { no, yes };
std::string to_json(const MethodComparison& comparison, WithComponents with_components = WithComponents::no);
/// A table for people.
std::string to_table(const MethodComparison& comparison);

}  // namespace milcci
