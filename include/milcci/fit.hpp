// Fit the model to trials, and find the traces of new trials under a fitted model.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "milcci/model.hpp"
#include "milcci/options.hpp"
#include "milcci/trial_source.hpp"

namespace milcci {

enum class Continue { yes, stop };

/// What a fit is doing, reported after every iteration of its main loop and many times during its
/// start, always by the thread that called `fit`.
struct Progress {
  std::string stage;       ///< "start" or "fit"
  std::string phase = {};  ///< of the start, such as "round 2 of 4"
  int step = 0;            ///< iteration of the fit; of the start, how much of `max_steps` is done
  int max_steps = 0;       ///< may grow: how much is needed shows while searching
  IterationRecord record;  ///< stage "fit" only
};
/// Return Continue::stop to end the fit with the best model so far.
using ProgressCallback = std::function<Continue(const Progress&)>;

/// Components to begin from, one entry per category of the options, in their order; options by name.
using Start = std::vector<CategoryComponents>;
/// The components of a model, to begin another fit from.
Start start_of(const Model& model);

/// Fits the model to trials, or to any other source of them, whose values are read in place. Throws
/// Error(bad_option) for invalid options and Error(bad_input) for trials that do not fit together.
/// Reaching the iteration limit is an outcome, reported in the summary.
FitResult fit(const TrialSource& trials, const FitOptions& options, const ProgressCallback& progress = {},
              const std::optional<Start>& start = {});
/// The same, taking over the values of the trials: single precision and tanh then need no second
/// copy.
FitResult fit(Trials&& trials, const FitOptions& options, const ProgressCallback& progress = {},
              const std::optional<Start>& start = {});

/// The peak memory of a fit of these trials, in bytes, including the trials.
double estimate_memory(const TrialSource& trials, const FitOptions& options);
/// What a fit takes here, in seconds: starts and iterations of the search, and iterations on a sample of the
/// trials, are measured and multiplied by how many are usual. Within a factor of two or so, if the cores are
/// free. 0 where a fit would be refused.
double estimate_seconds(const TrialSource& trials, const FitOptions& options);
/// What one iteration takes here: a few of them on a sample of the trials, scaled up.
double estimate_seconds_per_iteration(const TrialSource& trials, const FitOptions& options);

/// How to run, where the options of a fit do not say it.
struct RunOptions {
  /// 0 = all cores. The result has the same bits for any number.
  int threads = 0;
};

/// The traces of new trials under the components of a fit, with its penalties and signs. An option
/// never seen in the fit gets a variant of its own: interpolated by the kernel where the category
/// is ordered, otherwise the mean variant, with a warning. The summary describes this run: it has
/// R2, warnings and fingerprint of the new trials, the fit's own fingerprint as
/// `fitted_fingerprint`, its options, and nothing else of the fit.
FitResult transform(const FitResult& fitted, const TrialSource& trials, const RunOptions& run = {});

}  // namespace milcci
