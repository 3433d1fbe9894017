// Options to JSON and back, by walking `visit_fields`.
#include "core/options_json.hpp"

#include "core/json_object.hpp"

namespace milcci {

Json category_to_json(const CategorySpec& spec) {
  Json json = Json::object();
  visit_fields(spec,
               [&](const Field& field, const auto& member) { json[field.name] = to_json_value(member); });
  return json;
}

CategorySpec category_from_json(const Json& json, const std::string& what, ErrorKind kind) {
  CategorySpec spec;
  JsonObject object(json, what, kind, MissingKey::keeps_default);
  visit_fields(spec, [&](const Field& field, auto& member) { object.read(field.name, member); });
  object.refuse_unknown_keys();
  return spec;
}

Json options_to_json(const FitOptions& options) {
  Json json = Json::object();
  json["categories"] = Json::array();
  for (const CategorySpec& spec : options.categories) json["categories"].push_back(category_to_json(spec));
  visit_fields(options,
               [&](const Field& field, const auto& member) { json[field.name] = to_json_value(member); });
  return json;
}

FitOptions options_from_json(const Json& json, ErrorKind kind) {
  FitOptions options;
  JsonObject object(json, "the options", kind, MissingKey::keeps_default);
  const Json& categories = object.find_array("categories");
  for (std::size_t k = 0; k < categories.size(); ++k)
    options.categories.push_back(
        category_from_json(categories[k], "category " + std::to_string(k) + " of the options", kind));
  // `transform` was called `tanh` and was true or false.
  bool is_tanh = false;
  object.read("tanh", is_tanh);
  if (is_tanh) options.transform = Transform::tanh;
  visit_fields(options, [&](const Field& field, auto& member) { object.read(field.name, member); });
  object.refuse_unknown_keys();
  return options;
}

std::string to_json(const FitOptions& options) {
  return dump_json(options_to_json(options), 2, "the options", ErrorKind::bad_option);
}

FitOptions options_from_json(const std::string& json) {
  return options_from_json(parse_json(json, "the options", ErrorKind::bad_option), ErrorKind::bad_option);
}

}  // namespace milcci
