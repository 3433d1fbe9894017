// How the transitions of a model compare with those of the truth.
#pragma once

#include <vector>

#include "evaluate/matching.hpp"

namespace milcci {

/// The transition of every trial as the truth would write it: entry (i, j) is from true component j to true
/// component i. Traces of the model are those of the truth times D, after matching; what turns phi into phi'
/// is then D W D^-1 in the model, and D is undone here. Zero where a component was not found. The model must
/// have transitions.
std::vector<Matrix> transitions_of_truth(const Model& model, const TrialSource& trials,
                                         const std::vector<Match>& matches);

}  // namespace milcci
