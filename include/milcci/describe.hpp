// What trials and models hold: sizes, labels, components, where they come from. For people and for programs.
#pragma once

#include <string>
#include <vector>

#include "milcci/model.hpp"
#include "milcci/trials.hpp"

namespace milcci {

/// One JSON object (docs/command-line.md, `info --json`).
std::string describe_json(const Trials& trials);
std::string describe_json(const FitResult& result);

/// A line per label column and category; for a model also the whole report of its fit.
std::string describe_text(const Trials& trials);
std::string describe_text(const FitResult& result);

/// How trials were read and prepared, a line per step, each after a line break; empty without a history.
std::string history_text(const std::vector<std::string>& history);

/// Per component, after how many time points the correlation of its trace with itself, about its mean over
/// all trials, has fallen to 1 / e. NaN where it does not fall so far within a trial, or there is no trace.
Vector time_constants(const Model& model);

/// What a fit estimated of the noise: `noise` in `fit --json` and `info --json`; "null" if nothing was. And
/// in a few lines.
std::string noise_json(const Model& model);
std::string noise_text(const Model& model);

}  // namespace milcci
