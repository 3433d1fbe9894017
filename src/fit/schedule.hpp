// The stages of a fit, and how much work its component updates are worth.
#pragma once

#include <vector>

#include "data/trial_data.hpp"
#include "label_graphs/design.hpp"
#include "loop/stage.hpp"
#include "milcci/options.hpp"

namespace milcci {

/// Firmly sparse first, so that components settle on their channels, then as gently as asked. A start that
/// was given has settled already.
std::vector<Stage> schedule(const FitOptions& options, bool has_start);

/// Sweeps of a component update, two or one. A second sweep over the variants saves iterations. It
/// is worth having where a sweep takes at most a tenth of a pass, which is some five hundred values
/// of the data per membership.
int rounds_worth_having(const TrialData& data, const Design& design, const Components& components);

}  // namespace milcci
