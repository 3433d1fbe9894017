// Names of the options' values, and what makes options invalid whatever the file.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <type_traits>

#include "milcci/error.hpp"
#include "milcci/read.hpp"

namespace milcci {

namespace {

[[noreturn]] void refuse(const std::string& problem) {
  throw Error(ErrorKind::bad_option, problem);
}

void check_names(const char* flag, const std::vector<std::string>& names) {
  std::set<std::string> seen;
  for (const std::string& name : names) {
    if (name.empty())
      refuse(fmt::format("--{}: a name is empty; write names with commas between them", flag));
    if (!seen.insert(name).second) refuse(fmt::format("--{}: {} is there twice, must be once", flag, name));
  }
}

void check_dims(const std::vector<std::string>& dims) {
  static const std::set<std::string> known = {"channel", "time", "trial"};
  constexpr const char* kExample =
      "must be channel, time and trial in the order of the array's axes, such as "
      "--dims trial,channel,time";
  check_names("dims", dims);
  for (const std::string& dim : dims)
    if (!known.contains(dim)) refuse(fmt::format("--dims: there is no axis {}; {}", dim, kExample));
  if (dims.size() == 1) refuse(fmt::format("--dims {}: one axis is too few; {}", dims.front(), kExample));
}

}  // namespace

const std::vector<std::string>& value_names(Layout) {
  static const std::vector<std::string> names = {"automatic", "long", "wide", "series"};
  return names;
}

const std::vector<std::string>& value_names(Absent) {
  static const std::vector<std::string> names = {"missing", "zero"};
  return names;
}

namespace {

void check_range(const Field& field, const std::optional<double>& value) {
  const bool has_range = field.minimum != field.maximum;
  if (!value || !has_range || (*value >= field.minimum && *value <= field.maximum)) return;
  std::string flag = field.name;
  std::replace(flag.begin(), flag.end(), '_', '-');
  refuse(fmt::format("--{} {}: must be {} to {}", flag, *value, field.minimum, field.maximum));
}

// What only NWB files have.
void check_cutting(const ReadOptions& options) {
  constexpr double kMostBins = 10000;
  if (!options.align.empty() && options.before + options.after <= 0)
    refuse(
        fmt::format("--align {}: say how long a trial is with --before and --after, seconds around the event",
                    options.align));
  if (options.smooth_window / options.bin_width > kMostBins)
    refuse(fmt::format("--smooth-window {}: must be at most {} bins of {} s; give a larger --bin-width",
                       options.smooth_window, kMostBins, options.bin_width));
}

}  // namespace

void validate(const ReadOptions& options) {
  visit_read_fields(options, [](const Field& field, const auto& value) {
    using Value = std::decay_t<decltype(value)>;
    if constexpr (std::is_same_v<Value, double>)
      check_range(field, value);
    else if constexpr (std::is_same_v<Value, std::optional<int>>)
      check_range(field, value ? std::optional<double>(*value) : std::nullopt);
  });
  check_cutting(options);
  check_dims(options.dims);
  check_names("trial", options.trial);
  check_names("label-columns", options.label_columns);
  check_names("ignore-columns", options.ignore_columns);
  const std::string& separator = options.separator;
  const bool is_tab = separator == "tab" || separator == "\\t" || separator == "\t";
  const bool is_usable = separator.size() == 1 && separator.find_first_of("\"\n\r.+-0123456789") != 0;
  if (!separator.empty() && !is_tab && !is_usable)
    refuse(fmt::format("--separator {}: must be tab, or one character that is in no number and no quote",
                       separator));
}

}  // namespace milcci
