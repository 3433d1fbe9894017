// The steps of a fit's history, repeated on other trials (`prepare_as_fitted`).
#pragma once

#include <string>
#include <vector>

#include "milcci/model.hpp"

namespace milcci {

/// Whether a history has steps of `prepare` at all; it may hold what else was done to a recording.
bool has_steps(const std::vector<std::string>& history);

/// Does to trials of which only the labels matter what `prepare_as_fitted` does to labels, and leaves out
/// those that it leaves out; scaling and smoothing are not done. Labels that are there already stay, and a
/// step whose own column is not there is not done. Returns what was done. Error(bad_input) if quantiles are
/// asked for, and the labels are not those of the model's trials.
std::vector<std::string> prepare_labels_as_fitted(Trials& trials, const Model& model);

}  // namespace milcci
