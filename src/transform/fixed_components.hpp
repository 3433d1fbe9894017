// Components fixed as a model has them, for trials it was not fitted to: which variants the trials' labels
// choose, and the traces under them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "data/trial_data.hpp"
#include "loop/calibration.hpp"
#include "loop/state.hpp"
#include "milcci/model.hpp"
#include "milcci/options.hpp"
#include "milcci/trial_source.hpp"

namespace milcci {

struct FixedComponents {
  std::vector<FittedCategory> categories;  ///< as the trials choose from them, with options never seen added
  Design design;
  Components components;  ///< of the categories, in the frame of the fit, at length one
  Frame frame;            ///< how the fit looked at the data
  std::optional<Calibration> calibration;
  double noise_level = 0;             ///< of every channel in the frame; 0 if it is not known
  std::vector<std::string> warnings;  ///< one per option never seen
};

/// Throws Error(bad_input) if the trials have other channels than the model, or a label is missing.
FixedComponents fix_components(const Model& model, const TrialSource& trials);

/// One trace update (with the lds prior two) under the penalties and signs of the fit. `state` has components
/// of length one, or some of their channels: those of `data`, which are in the frame of the fit. With `loss`
/// huber it is repeated until targets and traces agree; the sums are those of the targets.
Statistics find_traces(const FitOptions& fitted_with, const FixedComponents& fixed, const TrialData& data,
                       State& state);

}  // namespace milcci
