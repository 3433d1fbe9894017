// The library names options as its structs do, in backticks: `max_iterations` = 10. Whoever types commands
// knows them as flags: --max-iterations 10.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace milcci::cli {

/// The text with flags in place of the options in it. Other words in backticks stay as they are, and so does
/// what is said to be the name of a key, a category or a column.
std::string with_flags(const std::string& text);

/// All texts within a piece of JSON, likewise.
template <class Json>
Json json_with_flags(const Json& json) {
  if (json.is_string()) return with_flags(json.template get<std::string>());
  Json out = json;
  if (json.is_structured())
    for (auto& item : out) item = json_with_flags(item);
  return out;
}

}  // namespace milcci::cli
