// Names of the options' values, and what makes options invalid whatever the file.
#include <fmt/format.h>

#include <set>

#include "core/field_checks.hpp"
#include "milcci/error.hpp"
#include "milcci/read.hpp"

namespace milcci {

namespace {

[[noreturn]] void refuse(const std::string& problem) {
  throw Error(ErrorKind::bad_option, problem);
}

void check_names(const char* option, const std::vector<std::string>& names) {
  std::set<std::string> seen;
  for (const std::string& name : names) {
    if (name.empty())
      refuse(fmt::format("`{}`: a name is empty; write names with commas between them", option));
    if (!seen.insert(name).second) refuse(fmt::format("`{}`: {} is there twice, must be once", option, name));
  }
}

void check_dims(const std::vector<std::string>& dims) {
  static const std::set<std::string> known = {"channel", "time", "trial"};
  constexpr const char* kExample =
      "must be channel, time and trial in the order of the array's axes, such as "
      "`dims` = trial,channel,time";
  check_names("dims", dims);
  for (const std::string& dim : dims)
    if (!known.contains(dim)) refuse(fmt::format("`dims`: there is no axis {}; {}", dim, kExample));
  if (dims.size() == 1) refuse(fmt::format("`dims` = {}: one axis is too few; {}", dims.front(), kExample));
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

// What only NWB files have.
void check_cutting(const ReadOptions& options) {
  constexpr double kMostBins = 10000;
  if (!options.align.empty() && options.before + options.after <= 0)
    refuse(fmt::format(
        "`align` = {}: say how long a trial is with `before` and `after`, seconds around the event",
        options.align));
  if (options.smooth_window / options.bin_width > kMostBins)
    refuse(fmt::format("`smooth_window` = {}: must be at most {} bins of {} s; give a larger `bin_width`",
                       options.smooth_window, kMostBins, options.bin_width));
}

}  // namespace

void validate(const ReadOptions& options) {
  const std::vector<std::string> problems = range_violations(options);
  if (!problems.empty()) refuse(fmt::format("{}", fmt::join(problems, "; ")));
  check_cutting(options);
  check_dims(options.dims);
  check_names("trial", options.trial);
  check_names("label_columns", options.label_columns);
  check_names("ignore_columns", options.ignore_columns);
  const std::string& separator = options.separator;
  const bool is_tab = separator == "tab" || separator == "\\t" || separator == "\t";
  const bool is_usable = separator.size() == 1 && separator.find_first_of("\"\n\r.+-0123456789") != 0;
  if (!separator.empty() && !is_tab && !is_usable)
    refuse(fmt::format("`separator` = {}: must be tab, or one character that is in no number and no quote",
                       separator));
}

}  // namespace milcci
