#include "read/read_step.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "core/history.hpp"
#include "milcci/error.hpp"

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

std::map<std::string, Json> given_options(const ReadOptions& options) {
  const std::map<std::string, Json> defaults = all_options({});
  std::map<std::string, Json> given = all_options(options);
  std::erase_if(given, [&](const auto& option) { return option.second == defaults.at(option.first); });
  return given;
}

void refuse_nwb_options(const std::string& path, const ReadOptions& options) {
  const auto given = given_options(options);
  for (const char* name : {"table", "align", "before", "after", "bin_width", "smooth_sigma", "smooth_window",
                           "min_rate", "series_labels"}) {
    if (!given.contains(name)) continue;
    std::string flag = name;
    std::replace(flag.begin(), flag.end(), '_', '-');
    throw Error(ErrorKind::bad_option,
                fmt::format("--{} is for NWB files, and file \"{}\" is none; leave it out", flag, path));
  }
}

void add_read_step(const std::string& path, const ReadOptions& options, ReadResult& result) {
  ReadOptions named = options;
  named.labels = file_name(options.labels);
  Json settings = {{"file", file_name(path)}, {"options", Json::object()}};
  for (const auto& [name, value] : given_options(named)) settings["options"][name] = value;
  add_history(result.trials, "read", settings, result.notes);
}

}  // namespace milcci::read
