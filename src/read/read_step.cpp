#include "read/read_step.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <utility>

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
  visit_fields(options,
               [&](const Field& field, const auto& value) { values[field.name] = value_json(value); });
  return values;
}

// Kinds of files, to be added up.
enum Kind : unsigned { kOurs = 0, kTable = 1, kArrays = 2, kNwb = 4 };
constexpr std::pair<Kind, const char*> kKinds[] = {
    {kTable, "tables"}, {kArrays, "files of arrays (NPY, NPZ, MAT, HDF5)"}, {kNwb, "NWB files"}};

Kind kind_of(FileFormat format) {
  switch (format) {
    case FileFormat::trials_file:
    case FileFormat::model_file:
      return kOurs;
    case FileFormat::table:
      return kTable;
    case FileFormat::nwb:
      return kNwb;
    default:
      return kArrays;
  }
}

// What is not listed is for any file.
struct OptionKinds {
  std::string_view name;
  unsigned kinds;
  bool is_for_labels = false;  ///< also for the table of labels
};
constexpr OptionKinds kOptionKinds[] = {
    {"layout", kTable},
    {"separator", kTable, true},
    {"trial", kTable, true},
    {"value", kTable},
    {"absent", kTable},
    {"time", kTable | kArrays},
    {"dims", kArrays},
    {"dataset", kArrays | kNwb},
    {"channel", kTable | kArrays | kNwb},
    {"channel_group", kTable | kArrays | kNwb},
    {"label_columns", kTable | kArrays | kNwb, true},
    {"ignore_columns", kTable | kArrays | kNwb, true},
    {"table", kNwb},
    {"align", kNwb},
    {"before", kNwb},
    {"after", kNwb},
    {"bin_width", kNwb},
    {"smooth_sigma", kNwb},
    {"smooth_window", kNwb},
    {"min_rate", kNwb},
    {"series_labels", kNwb},
};

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

void refuse_options_of_others(const std::string& path, FileFormat format, const ReadOptions& options) {
  const Kind kind = kind_of(format);
  for (const auto& given : given_options(options)) {
    const std::string& name = given.first;
    const auto known = std::find_if(std::begin(kOptionKinds), std::end(kOptionKinds),
                                    [&](const OptionKinds& option) { return option.name == name; });
    const bool is_for_labels =
        known != std::end(kOptionKinds) && known->is_for_labels && !options.labels.empty();
    if (known == std::end(kOptionKinds) || (known->kinds & kind) != 0 || is_for_labels) continue;
    std::vector<std::string> wanted;
    for (const auto& [one, description] : kKinds)
      if ((known->kinds & one) != 0) wanted.push_back(description);
    throw Error(ErrorKind::bad_option, fmt::format("`{}` is for {}, and file \"{}\" is none; leave it out",
                                                   name, fmt::join(wanted, ", "), path));
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
