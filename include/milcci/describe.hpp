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

/// What a fit estimated of the noise: `noise` in `fit --json` and `info --json`; "null" if nothing was. And
/// in a few lines.
std::string noise_json(const NoiseModel& noise);
std::string noise_text(const NoiseModel& noise);

}  // namespace milcci
