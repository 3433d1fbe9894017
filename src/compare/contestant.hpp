// A method that takes part in a comparison, ours or another: how it is fitted, and which knob it has.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "milcci/compare_methods.hpp"

namespace milcci {

/// One way to run a method.
struct Attempt {
  std::uint64_t seed = 0;
  int n_components = 0;
  std::optional<double> knob = {};  ///< as told by `Contestant`; empty: the method's default
};

/// What every method tells of its fit.
struct ContestantFit {
  Model model;
  MethodScores scores;  ///< how it ended, notes and degrees of freedom; no scores yet
  /// Channels of other trials; empty if the method has no traces of them.
  std::function<CoSmoothing(const TrialSource& trials, const CoSmoothingOptions& options)> cosmooth;
  std::string why_no_cosmoothing;
  /// Sets a knob that the fit does not depend on; empty if there is none.
  std::function<void(double)> set_knob;
};

struct Contestant {
  std::string name;
  std::string knob;                       ///< what can be tuned; empty: nothing
  std::vector<double> knob_values;        ///< those that are tried, after the usual one
  std::optional<double> usual_knob = {};  ///< empty: the method finds it by itself
  bool is_knob_of_fit = true;             ///< otherwise of the prediction: one fit serves all values
  bool can_have_fewer_components = false;
  std::function<ContestantFit(const TrialSource& trials, const Attempt& attempt)> fit;
};

/// Those that the options name, ours and others, in their order; then the other methods of the options. The
/// second of a name is numbered. Ours have `own_categories`. The options must outlive them. `should_stop` is
/// asked while they are fitted.
std::vector<Contestant> contestants(const CompareOptions& options,
                                    const std::vector<CategorySpec>& own_categories,
                                    const std::function<bool()>& should_stop);

/// All names that `CompareOptions::methods` may have, besides "all".
std::vector<std::string> method_names();
/// Those that the options name. "all" has ours with signs free and non-negative, unless the options make the
/// two one.
std::vector<std::string> names_of(const CompareOptions& options);
/// Whether "all" is one less because the two are one.
bool leaves_out_nonnegative(const CompareOptions& options);

}  // namespace milcci
