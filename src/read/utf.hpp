// Characters of other encodings as UTF-8. What is no character becomes a question mark.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace milcci::read {

void append_utf8(std::string& text, std::uint64_t code);
std::string from_utf16(const std::vector<std::uint64_t>& units);

}  // namespace milcci::read
