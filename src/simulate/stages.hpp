// The steps of a simulation, in order: labels, components, traces, and what is done to the values at the end.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "milcci/simulate.hpp"
#include "util/random.hpp"

namespace milcci::simulation {

/// Every purpose draws from random streams of its own, so that changing one part of the options leaves the
/// other parts of the data as they were. The numbers start far from the streams a fit uses, so that the same
/// seed for both does not make them share random numbers.
enum class Stream : std::uint64_t {
  lengths = 0x40,       ///< trial lengths
  cells = 0x41,         ///< which label combinations stay empty, and the trials per combination
  order = 0x42,         ///< label combinations over trials
  components = 0x43,    ///< memberships; one stream per component
  mean_traces = 0x44,   ///< one stream per component and option
  trial_traces = 0x45,  ///< one stream per component and trial
  noise = 0x46,         ///< one stream per trial
  missing = 0x47,       ///< one stream per trial
  transitions = 0x48,   ///< of linear dynamics; one stream per label
  states = 0x49,        ///< traces of linear dynamics; one stream per trial
  noise_levels = 0x4A,  ///< of all channels
  baseline = 0x4B,      ///< of all channels
  counts = 0x4C,        ///< one stream per trial
  outliers = 0x4D       ///< one stream per trial
};

inline Random random_for(std::uint64_t seed, Stream purpose, std::uint64_t component = 0,
                         std::uint64_t item = 0) {
  return Random(seed, static_cast<std::uint64_t>(purpose) << 56 | component << 32 | item);
}

/// The options of one category and the option of every trial.
struct CategoryLabels {
  std::vector<std::string> options;
  std::vector<int> option_of_trial;
};
/// True for the kinds that have a label column of their own.
bool has_label_column(const SimulatedCategory& category);
std::vector<CategoryLabels> draw_labels(const SimulateOptions& options);
std::vector<LabelColumn> label_columns(const SimulateOptions& options,
                                       const std::vector<CategoryLabels>& labels);

/// The components of every category, in their order.
std::vector<CategoryComponents> draw_components(const SimulateOptions& options,
                                                const std::vector<CategoryLabels>& labels);

/// The traces of every trial (P x T_m), shifted but not yet scaled.
std::vector<Matrix> draw_traces(const SimulateOptions& options, const std::vector<CategoryLabels>& labels,
                                const std::vector<Index>& lengths);

/// Traces of linear dynamics, in place of `draw_traces`, and W of every trial.
struct Dynamics {
  std::vector<Matrix> traces, transitions;
};
Dynamics draw_dynamics(const SimulateOptions& options, const std::vector<CategoryLabels>& labels,
                       const std::vector<Index>& lengths);

/// Makes what was recorded of what components and traces make: noise, baseline, counts and outliers.
void observe(const SimulateOptions& options, std::vector<Matrix>& values, Truth& truth);

/// Sets `options.missing` of all entries to NaN.
void remove_entries(const SimulateOptions& options, std::vector<Matrix>& values);

}  // namespace milcci::simulation
