// Names that users gave, as they may be shown to people. A name may hold escape codes that a terminal would
// obey, line breaks that would look like other lines, and megabytes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace milcci {

/// The name with control characters, and bytes that are not UTF-8, as \n, \t or \xNN, and its middle left out
/// where it is longer than `longest` characters.
std::string shown_name(std::string_view name, std::size_t longest = 60);
std::vector<std::string> shown_names(const std::vector<std::string>& names, std::size_t longest = 60);

/// The same without shortening, and line breaks and tabs kept: for whole texts.
std::string without_escape_codes(std::string_view text);

/// Characters, not bytes.
std::size_t n_characters(std::string_view text);

/// The text and as many spaces as make it `width` characters long, after it or before it.
std::string left_aligned(const std::string& text, std::size_t width);
std::string right_aligned(const std::string& text, std::size_t width);

}  // namespace milcci
