#include "core/nearest_name.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace milcci {

namespace {

// Levenshtein distance, one row of the table at a time.
std::size_t edit_distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, diagonal + 1, row[j] + 1});
    }
  }
  return row.back();
}

}  // namespace

std::string nearest_name(const std::string& name, const std::vector<std::string>& known) {
  // A name from a broken file can be of any length; nothing that long is a slip of the finger.
  constexpr std::size_t kLongestSlip = 200;
  if (name.size() > kLongestSlip) return {};
  std::string nearest;
  std::size_t fewest = std::string::npos;
  for (const std::string& candidate : known) {
    const std::size_t edits = edit_distance(name, candidate);
    if (edits < fewest && 2 * edits <= candidate.size()) {
      fewest = edits;
      nearest = candidate;
    }
  }
  return nearest;
}

std::string suggestion(const std::string& name, const std::vector<std::string>& known) {
  const std::string nearest = nearest_name(name, known);
  if (!nearest.empty()) return fmt::format(", did you mean '{}'?", nearest);
  std::string list;
  for (const std::string& candidate : known) list += (list.empty() ? "'" : ", '") + candidate + "'";
  return list.empty() ? "" : "; known are " + list;
}

}  // namespace milcci
