// What is said of a path where there is no file, in the same words by all that open files.
#pragma once

#include <string>
#include <string_view>

namespace milcci {

/// Whether a path is an address in a network, such as https://example.org/trials.csv, and names no file.
inline bool is_address(std::string_view path) {
  return path.find("://") != std::string_view::npos;
}

inline constexpr const char* kAddressIsNotWritten =
    "is an address, and files are only written to folders; give the name of a file";

/// Why a path at which nothing is cannot be read, and what to do.
inline std::string why_not_there(std::string_view path) {
  return is_address(path)
             ? "is an address, and files are not fetched; download it and give the name of the file"
             : "cannot be opened, there is no such file; check the path";
}

}  // namespace milcci
