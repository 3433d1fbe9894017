#include "read/read_step.hpp"

#include <filesystem>
#include <map>

#include "core/history.hpp"

namespace milcci::read {

namespace {

Json value_json(const std::optional<int>& value) {
  return value ? Json(*value) : Json();
}
template <class T>
Json value_json(const T& value) {
  if constexpr (std::is_enum_v<T>)
    return value_names(value)[static_cast<std::size_t>(value)];
  else
    return Json(value);
}

std::map<std::string, Json> all_options(const ReadOptions& options) {
  std::map<std::string, Json> values;
  visit_read_fields(options,
                    [&](const Field& field, const auto& value) { values[field.name] = value_json(value); });
  return values;
}

std::string file_name(const std::string& path) {
  return std::filesystem::path(path).filename().string();
}

}  // namespace

void add_read_step(const std::string& path, const ReadOptions& options, ReadResult& result) {
  const std::map<std::string, Json> defaults = all_options({});
  ReadOptions given = options;
  given.labels = file_name(options.labels);
  Json settings = {{"file", file_name(path)}, {"options", Json::object()}};
  for (const auto& [name, value] : all_options(given))
    if (value != defaults.at(name)) settings["options"][name] = value;
  add_history(result.trials, "read", settings, result.notes);
}

}  // namespace milcci::read
