#include "read/select_channels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <string_view>

#include "core/nearest_name.hpp"
#include "core/shown_name.hpp"
#include "milcci/error.hpp"

namespace milcci::read {
namespace {

constexpr std::string_view kGroup = "group:";

// * is any text, ? any byte. The last * is where to go on from when a guess turns out wrong.
bool matches(std::string_view pattern, std::string_view text) {
  std::size_t p = 0, t = 0, star = std::string_view::npos, from = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      from = t;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
      ++p, ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++from;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

// Per channel, whether one of the patterns names it. A channel of exactly that name comes first: names may
// hold a star themselves.
std::vector<bool> named_by(const char* option, const std::vector<std::string>& patterns,
                           const Trials& trials) {
  std::vector<bool> is_named(trials.channel_names.size(), false);
  for (const std::string& pattern : patterns) {
    const bool is_exact = std::ranges::find(trials.channel_names, pattern) != trials.channel_names.end();
    const bool is_group = !is_exact && pattern.starts_with(kGroup);
    if (is_group && trials.channel_groups.empty())
      throw Error(
          ErrorKind::bad_option,
          fmt::format("`{}` = {}: the channels have no groups; name channels instead", option, pattern));
    const std::vector<std::string>& names = is_group ? trials.channel_groups : trials.channel_names;
    const std::string_view wanted = is_group ? std::string_view(pattern).substr(kGroup.size()) : pattern;
    bool is_any = false;
    for (std::size_t n = 0; n < names.size(); ++n) {
      if (is_exact ? names[n] != pattern : !matches(wanted, names[n])) continue;
      is_named[n] = is_any = true;
    }
    if (!is_any) {
      const std::string meant = nearest_name(std::string(wanted), names);
      throw Error(ErrorKind::bad_option,
                  fmt::format("`{}` = {}: there is no such channel{}{}", option, shown_name(pattern),
                              is_group ? " group" : "",
                              meant.empty() ? "" : fmt::format(", did you mean {}?", shown_name(meant))));
    }
  }
  return is_named;
}

void keep_rows(Trials& trials, const std::vector<Index>& kept) {
  const auto select = [&](std::vector<std::string>& names) {
    std::vector<std::string> out;
    for (const Index n : kept) out.push_back(std::move(names[static_cast<std::size_t>(n)]));
    names = std::move(out);
  };
  select(trials.channel_names);
  if (!trials.channel_groups.empty()) select(trials.channel_groups);
  for (Matrix& values : trials.values) values = values(kept, Eigen::all).eval();
  if (!trials.truth) return;
  for (CategoryComponents& category : trials.truth->categories)
    for (Matrix& variant : category.variants) variant = variant(kept, Eigen::all).eval();
  for (Vector* numbers : {&trials.truth->offset, &trials.truth->noise})
    if (numbers->size() > 0) *numbers = (*numbers)(kept).eval();
}

}  // namespace

void select_channels(const ReadOptions& options, ReadResult& result) {
  if (options.keep_channels.empty() && options.drop_channels.empty()) return;
  Trials& trials = result.trials;
  const std::vector<bool> is_kept = named_by("keep_channels", options.keep_channels, trials),
                          is_dropped = named_by("drop_channels", options.drop_channels, trials);
  std::vector<Index> kept;
  for (std::size_t n = 0; n < trials.channel_names.size(); ++n)
    if ((options.keep_channels.empty() || is_kept[n]) && !is_dropped[n])
      kept.push_back(static_cast<Index>(n));
  const std::size_t n_all = trials.channel_names.size();
  if (kept.empty())
    throw Error(ErrorKind::bad_option,
                fmt::format("`keep_channels` and `drop_channels` leave none of the {} channels", n_all));
  if (kept.size() < n_all) keep_rows(trials, kept);
  result.notes.push_back(fmt::format("{} of {} channels kept", kept.size(), n_all));
}

void mark_missing(const ReadOptions& options, ReadResult& result) {
  if (options.missing_value.empty()) return;
  std::size_t n_marked = 0;
  for (Matrix& values : result.trials.values)
    for (double& value : values.reshaped())
      if (std::ranges::find(options.missing_value, value) != options.missing_value.end()) {
        value = std::numeric_limits<double>::quiet_NaN();
        ++n_marked;
      }
  result.notes.push_back(fmt::format("{} values marked as missing by `missing_value`", n_marked));
}

}  // namespace milcci::read
