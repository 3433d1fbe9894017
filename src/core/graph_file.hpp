// A label graph given by the user: a CSV file whose first row and first column name the options.
#pragma once

#include <string>
#include <vector>

#include "milcci/types.hpp"

namespace milcci {

struct GraphTable {
  std::vector<std::string> options;
  Matrix similarities;
};

/// Throws Error(bad_file) if the file cannot be read and Error(bad_option) if it is not a square table of
/// finite numbers >= 0 with the same names along both sides.
GraphTable read_graph_file(const std::string& path);

}  // namespace milcci
