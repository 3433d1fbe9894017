// UTF-8, and characters of other encodings in it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace milcci::read {

/// Bytes of the character that a text begins with; 0 if it begins with none. The text must not be empty.
std::size_t character_length(std::string_view text);
bool is_utf8(std::string_view text);

// What is no character becomes a question mark.
void append_utf8(std::string& text, std::uint64_t code);
std::string from_utf16(const std::vector<std::uint64_t>& units);

}  // namespace milcci::read
