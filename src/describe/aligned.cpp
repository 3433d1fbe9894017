#include "describe/aligned.hpp"

#include <algorithm>

#include "core/shown_name.hpp"

namespace milcci {

std::string aligned(const std::vector<std::vector<std::string>>& rows, std::size_t n_left,
                    const std::string& indent) {
  std::vector<std::size_t> width;
  for (const auto& row : rows)
    for (std::size_t c = 0; c < row.size(); ++c) {
      if (c == width.size()) width.push_back(0);
      width[c] = std::max(width[c], n_characters(row[c]));
    }
  std::string out;
  for (const auto& row : rows) {
    std::string line = indent;
    for (std::size_t c = 0; c < row.size(); ++c) {
      if (c > 0) line += "  ";
      line += c < n_left ? left_aligned(row[c], width[c]) : right_aligned(row[c], width[c]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + "\n";
  }
  return out;
}

}  // namespace milcci
