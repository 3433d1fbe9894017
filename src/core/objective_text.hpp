// An objective term by term, as JSON and as text.
#pragma once

#include <string>

#include "core/json_object.hpp"
#include "milcci/model.hpp"

namespace milcci {

/// The terms and their `total`.
Json objective_to_json(const Objective& objective);
/// The total is not read. `what` names the object in errors; throws Error(bad_file).
Objective objective_from_json(const Json& json, const std::string& what);

/// "1.234 (fit 1, sparsity 0.234)": the total, and every term that is not zero.
std::string objective_to_text(const Objective& objective);

}  // namespace milcci
