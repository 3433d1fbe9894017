// How deep arrays and objects of a JSON text are in one another. What is nested a hundred thousand times is
// walked through, printed and destroyed by functions that call themselves as often, which no stack survives.
#pragma once

#include <algorithm>
#include <string_view>

namespace milcci {

/// Nothing of ours is half as deep.
constexpr int kDeepestJson = 64;

inline int json_depth(std::string_view text) {
  int depth = 0, most = 0;
  bool is_in_text = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (is_in_text && text[i] == '\\')
      ++i;
    else if (text[i] == '"')
      is_in_text = !is_in_text;
    else if (!is_in_text && (text[i] == '[' || text[i] == '{'))
      most = std::max(most, ++depth);
    else if (!is_in_text && (text[i] == ']' || text[i] == '}'))
      --depth;
  }
  return most;
}

}  // namespace milcci
