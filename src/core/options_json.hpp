// Options as JSON values, for those who put them into larger JSON. Text: milcci/options.hpp.
#pragma once

#include "core/json_object.hpp"
#include "milcci/options.hpp"

namespace milcci {

Json options_to_json(const FitOptions& options);
/// Throws Error(kind).
FitOptions options_from_json(const Json& json, ErrorKind kind);

Json category_to_json(const CategorySpec& spec);
/// `what` names the category in errors.
CategorySpec category_from_json(const Json& json, const std::string& what, ErrorKind kind);

}  // namespace milcci
