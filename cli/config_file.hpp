// Configuration files: TOML, read as keys and values that stand in for flags.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace milcci::cli {

/// One line of the file: a key, where it stands, and its value, or the values of its array, as they would be
/// typed.
struct ConfigEntry {
  std::vector<std::string> sections;  ///< [fit] is {"fit"}; empty at the top of the file
  std::string key;
  std::size_t line = 0;
  std::vector<std::string> values;
};

/// In the order of the file. Throws Error(bad_file) if it cannot be read or is empty, Error(bad_option) if it
/// is not TOML, with the line, or holds what no flag takes, such as dates.
std::vector<ConfigEntry> read_config(const std::string& path);

}  // namespace milcci::cli
