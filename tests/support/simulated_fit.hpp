// Small simulated trials, and the options of the fit that asks for what they were made of.
#pragma once

#include "milcci/simulate.hpp"

namespace milcci::testing {

/// The paper's categories (difficulty=2:ordinal, choice=2) on few channels, trials and time points.
inline SimulateOptions small_paper(std::uint64_t seed = 0) {
  SimulateOptions simulated;
  simulated.n_channels = 30;
  simulated.n_trials = 30;
  simulated.min_length = simulated.max_length = 60;
  simulated.seed = seed;
  return simulated;
}

inline FitOptions options_for(const SimulateOptions& simulated) {
  FitOptions options;
  options.penalties = PenaltyChoice::fixed;  // the paper's objective
  for (const SimulatedCategory& c : simulated.categories)
    options.categories.push_back({.name = c.name, .n_components = c.n_components, .kind = c.kind});
  options.nonnegative = simulated.is_signed ? NonNegative::none : NonNegative::both;
  return options;
}

}  // namespace milcci::testing
