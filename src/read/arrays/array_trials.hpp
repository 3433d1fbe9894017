// Trials from a file of arrays: which item holds the values, what its axes are, and which items are labels,
// channel names and times.
#pragma once

#include <string>

#include "milcci/read.hpp"
#include "read/arrays/arrays.hpp"

namespace milcci::read {

/// `format` is its name in the notes. Throws as `read_data`.
ReadResult read_arrays(const std::string& path, const std::string& format, const ArrayFile& file,
                       const ReadOptions& options);

}  // namespace milcci::read
