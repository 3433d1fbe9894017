// The ridge of a search, where penalties are estimated but nothing is known yet.
#pragma once

#include "data/trial_data.hpp"
#include "label_graphs/design.hpp"
#include "milcci/options.hpp"

namespace milcci {

/// Noise against the energy of a trace, by what no model of so many variants could describe: the variance
/// beyond as many principal components. A ridge that is too large favours many small components over one, one
/// that is too small lets noise into the traces. `kFirstRidge` at most, and where channels are too few to
/// tell.
double first_ridge(const TrialData& data, const Design& design, const FitOptions& options);

}  // namespace milcci
