// Long lists of names in short messages.
#pragma once

#include <string>
#include <vector>

namespace milcci {

/// "a, b, c", of more than a few the first ones "and 7 more".
std::string some_names(const std::vector<std::string>& names);

}  // namespace milcci
