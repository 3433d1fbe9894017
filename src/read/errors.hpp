// How readers complain: file, place in it, the offending text, what was expected, what to do.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace milcci::read {

/// Throws Error(bad_file): `file "x.csv": message`, with ", line 12" or ", `name`" as the place.
[[noreturn]] void fail(const std::string& path, const std::string& message);
[[noreturn]] void fail_line(const std::string& path, std::uint64_t line, const std::string& message);
[[noreturn]] void fail_item(const std::string& path, std::string_view item, const std::string& message);

/// A text from a file as it may be shown: in double quotes, at most 40 characters, control characters and
/// broken UTF-8 as \xNN.
std::string shown(std::string_view text);

}  // namespace milcci::read
