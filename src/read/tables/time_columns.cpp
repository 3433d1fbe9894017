#include "read/tables/time_columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "read/errors.hpp"
#include "read/text/number.hpp"

namespace milcci::read {

TimeColumns time_columns(const std::vector<std::string>& names, const Positions& candidates) {
  TimeColumns found;
  for (const Position p : candidates)
    if (const auto time = parse_time(names[p])) {
      found.positions.push_back(p);
      found.times.push_back(*time);
    }
  if (found.positions.size() >= 2) return found;
  std::map<std::string, TimeColumns> by_word;
  for (const Position p : candidates) {
    const std::size_t word_length = names[p].find_last_not_of("0123456789.") + 1;
    if (const auto number = parse_number(std::string_view(names[p]).substr(word_length))) {
      TimeColumns& group = by_word[names[p].substr(0, word_length)];
      group.positions.push_back(p);
      group.times.push_back(*number);
    }
  }
  for (auto& [word, group] : by_word)
    if (group.positions.size() >= 2 && group.positions.size() > found.positions.size())
      found = std::move(group);
  return found.positions.size() >= 2 ? found : TimeColumns{};
}

TimeColumns sorted_by_time(const std::string& path, const std::vector<std::string>& names,
                           const TimeColumns& columns) {
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
