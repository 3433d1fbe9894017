#include "read/tables/time_columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "read/errors.hpp"
#include "read/text/number.hpp"

namespace milcci::read {

namespace {

// A name such as 1,500 among times must not be left for a label in silence: it counts as one, not known
// which.
void add_if_time(Position position, std::string_view text, std::optional<double> time, TimeColumns& columns) {
  if (!time && comma_hint(text).empty()) return;
  columns.positions.push_back(position);
  columns.times.push_back(time.value_or(std::numeric_limits<double>::quiet_NaN()));
}

// Where the number at the end of a name begins.
std::size_t word_length(const std::string& name) {
  const std::size_t digits = name.find_last_not_of("0123456789.,") + 1;
  return std::min(name.find_first_not_of(',', digits), name.size());
}

[[noreturn]] void fail_unclear(const std::string& path, const std::string& name) {
  std::string hint = comma_hint(name);
  if (hint.empty()) hint = comma_hint(std::string_view(name).substr(word_length(name)));
  fail_line(path, 1, fmt::format("column {} is named by a time that is not clear{}", shown(name), hint));
}

}  // namespace

TimeColumns time_columns(const std::vector<std::string>& names, const Positions& candidates) {
  TimeColumns found;
  for (const Position p : candidates) add_if_time(p, names[p], parse_time(names[p]), found);
  if (found.positions.size() >= 2) return found;
  std::map<std::string, TimeColumns> by_word;
  for (const Position p : candidates) {
    const std::size_t length = word_length(names[p]);
    const std::string_view number = std::string_view(names[p]).substr(length);
    add_if_time(p, number, parse_finite(number), by_word[names[p].substr(0, length)]);
  }
  for (auto& [word, group] : by_word)
    if (group.positions.size() >= 2 && group.positions.size() > found.positions.size())
      found = std::move(group);
  return found.positions.size() >= 2 ? found : TimeColumns{};
}

TimeColumns sorted_by_time(const std::string& path, const std::vector<std::string>& names,
                           const TimeColumns& columns) {
  for (std::size_t i = 0; i < columns.times.size(); ++i)
    if (std::isnan(columns.times[i])) fail_unclear(path, names[columns.positions[i]]);
  std::vector<std::size_t> order(columns.times.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return columns.times[a] < columns.times[b]; });
  TimeColumns sorted;
  for (const std::size_t i : order) {
    if (!sorted.times.empty() && sorted.times.back() == columns.times[i])
      fail_line(path, 1,
                fmt::format("columns {} and {} are the same time, must differ",
                            shown(names[sorted.positions.back()]), shown(names[columns.positions[i]])));
    sorted.positions.push_back(columns.positions[i]);
    sorted.times.push_back(columns.times[i]);
  }
  return sorted;
}

}  // namespace milcci::read
