// Tables for people.
#pragma once

#include <string>
#include <vector>

namespace milcci {

/// Columns padded to the width of their widest cell; the first `n_left` are aligned to the left, and the last
/// column is not padded.
std::string aligned(const std::vector<std::vector<std::string>>& rows, std::size_t n_left,
                    const std::string& indent);

}  // namespace milcci
