// Trials that keep their numbers when some of them are taken.
#pragma once

#include <vector>

#include "milcci/labels.hpp"
#include "milcci/trial_source.hpp"

namespace milcci {

struct NumberedTrials {
  TrialSource trials;                    ///< with a label column of their numbers, if a category needs it
  std::vector<CategorySpec> categories;  ///< the same, with an ordinal of that column per trial_number
};

/// Components that drift with the trial number are those of a trial, not of its place among some trials. The
/// truth is left behind.
NumberedTrials numbered_trials(const TrialSource& trials, std::vector<CategorySpec> categories);

}  // namespace milcci
