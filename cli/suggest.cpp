#include "suggest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace milcci::cli {
namespace {

// Letters to insert, drop, replace or swap with their neighbour (optimal string alignment).
std::size_t edit_distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> before_last(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  std::iota(last.begin(), last.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
    std::swap(before_last, last);
    std::swap(last, row);
  }
  return last[b.size()];
}

}  // namespace

std::string nearest(const std::string& word, const std::vector<std::string>& words) {
  std::string best;
  std::size_t best_distance = word.size() / 3 + 2;
  for (const std::string& candidate : words) {
    // An unfinished word is as near as one wrong letter.
    const bool is_beginning = word.size() > 2 && candidate.compare(0, word.size(), word) == 0;
    const std::size_t distance = is_beginning ? 1 : edit_distance(word, candidate);
    if (distance < best_distance) {
      best = candidate;
      best_distance = distance;
    }
  }
  return best;
}

std::string did_you_mean(const std::string& word, const std::vector<std::string>& words) {
  const std::string meant = nearest(word, words);
  return meant.empty() ? "." : fmt::format(". Did you mean {}?", meant);
}

}  // namespace milcci::cli
