#include "core/objective_text.hpp"

#include <fmt/format.h>

#include <string_view>

namespace milcci {
namespace {

template <class Terms, class Visitor>
void visit_objective(Terms&& objective, Visitor&& visit) {
  visit("fit", objective.fit);
  visit("sparsity", objective.sparsity);
  visit("consistency", objective.consistency);
  visit("smoothness", objective.smoothness);
  visit("decorrelation", objective.decorrelation);
  visit("transition", objective.transition);
  visit("ridge", objective.ridge);
  visit("uncertainty", objective.uncertainty);
}

}  // namespace

Json objective_to_json(const Objective& objective) {
  Json json = Json::object();
  visit_objective(objective, [&](const char* key, double term) { json[key] = to_json_value(term); });
  // Said for people and scripts; not read back.
  json["total"] = to_json_value(objective.total());
  return json;
}

Objective objective_from_json(const Json& json, const std::string& what) {
  Objective objective;
  JsonObject terms(json, what, ErrorKind::bad_file, MissingKey::is_an_error);
  visit_objective(objective, [&](const char* key, double& term) {
    const bool is_newer = std::string_view(key) == "uncertainty";  // than some files
    if (!is_newer || json.contains(key)) terms.read(key, term);
  });
  terms.find("total");
  terms.refuse_unknown_keys();
  return objective;
}

std::string objective_to_text(const Objective& objective) {
  std::string terms;
  visit_objective(objective, [&](const char* name, double term) {
    if (term != 0 || terms.empty())
      terms += fmt::format("{}{} {:.4g}", terms.empty() ? "" : ", ", name, term);
  });
  return fmt::format("{:.6g} ({})", objective.total(), terms);
}

}  // namespace milcci
