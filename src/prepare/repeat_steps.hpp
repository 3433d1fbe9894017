// The steps of a fit's history, repeated on other trials (`prepare_as_fitted`).
#pragma once

#include <string>
#include <vector>

namespace milcci {

/// Whether a history has steps of `prepare` at all; it may hold what else was done to a recording.
bool has_steps(const std::vector<std::string>& history);

}  // namespace milcci
