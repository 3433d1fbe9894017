// "Did you mean ...": the known name closest to one that is not known.
#pragma once

#include <string>
#include <vector>

namespace milcci {

/// The known name with the fewest edits (insert, delete, replace one byte) from `name`; empty if every one
/// is further away than half its length, so that nothing absurd is suggested.
std::string nearest_name(const std::string& name, const std::vector<std::string>& known);

/// ", did you mean 'x'?" or "; known are 'a', 'b'".
std::string suggestion(const std::string& name, const std::vector<std::string>& known);

}  // namespace milcci
