// A start given by the user: components of an earlier fit, or the truth of simulated trials.
#pragma once

#include <string>
#include <vector>

#include "label_graphs/design.hpp"
#include "milcci/fit.hpp"

namespace milcci {

/// The start's components for every category and option of the design, matched by name, at length one. An
/// option the start lacks gets the mean variant, with a warning. Throws Error(bad_input) if a category is
/// missing or has another number of components or channels.
Components components_from(const Start& start, const Design& design, Index n_channels,
                           const FitOptions& options, std::vector<std::string>& warnings);

}  // namespace milcci
