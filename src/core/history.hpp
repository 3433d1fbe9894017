// What was done to a recording, kept with the trials: a JSON object per step, {"step": name, ...}.
#pragma once

#include <string>
#include <vector>

#include "core/json_object.hpp"
#include "milcci/trials.hpp"

namespace milcci {

/// Adds a step with its settings and what it found.
void add_history(Trials& trials, const std::string& step, const Json& settings,
                 const std::vector<std::string>& notes);

}  // namespace milcci
