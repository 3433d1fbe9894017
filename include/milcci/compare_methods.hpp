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

struct CompareOptions {
  /// Of our model. Its categories say how many components every method has. Seed and time limit are those
  /// of `baselines`.
  FitOptions fit;
  /// Names of `Baseline` and "milcci"; empty, or "all" alone: all.
  std::vector<std::string> methods = {};
  /// Of all other methods. The number of components is set by the categories.
  BaselineOptions baselines = {};
  /// Share of the trials that are held out for co-smoothing, after fits to the others; 0: no co-smoothing.
  double held_out = 0.2;
  CoSmoothingOptions cosmoothing = {};
};

/// Calls visit(Field, member) for the options that only a comparison has.
template <OptionsOf<CompareOptions> Options, class Visitor>
void visit_fields(Options&& o, Visitor&& visit) {
  visit(Field{.name = "methods",
              .help = "all, or names with commas between them: milcci, svd, pca, ppca, fa, nmf, parafac, "
                      "parafac_nonnegative, tucker, slicetca_1, slicetca_1_positive, slicetca_2, "
                      "slicetca_2_positive, sibblings",
              .placeholder = "NAME,..."},
        o.methods);
  visit(Field{"held_out", "", "share of trials held out for co-smoothing, 0: none", 0, 0.9}, o.held_out);
}

/// One method: how it ended, and its scores. Those that it cannot have are empty.
struct MethodScores {
  std::string name;
  std::string failed;   ///< why there are no scores; empty if there are
  std::string stopped;  ///< a name of `StopReason`
  std::string message;  ///< the same as a sentence
  int iterations = 0;
  double seconds = 0;  ///< of the fit to all trials
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
};

struct MethodComparison {
  std::size_t n_trials = 0, n_held_out = 0;
  Index n_channels = 0, n_components = 0;
  double n_observed = 0;  ///< entries
  int folds = 0;
  std::uint64_t seed = 0;
  std::vector<MethodScores> methods;  ///< in the order asked for
};

/// Told the name of each method before it begins; `stop` leaves out it and all that follow.
using MethodCallback = std::function<Continue(const std::string& name)>;

/// Fits and scores all methods. One that cannot be fitted is a row with its reason. Throws Error(bad_option)
/// for invalid options, Error(bad_input) for trials that do not fit together.
MethodComparison compare_methods(const TrialSource& trials, const CompareOptions& options,
                                 const MethodCallback& progress = {});

enum class WithComponents { no, yes };
std::string to_json(const MethodComparison& comparison, WithComponents with_components = WithComponents::no);
/// A table for people.
std::string to_table(const MethodComparison& comparison);

}  // namespace milcci
