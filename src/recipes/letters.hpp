// Texts without regard to case.
#pragma once

#include <string>
#include <string_view>

namespace milcci::recipes {

/// Of the letters a to z; all other bytes stay.
inline std::string upper_case(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  return out;
}

}  // namespace milcci::recipes
