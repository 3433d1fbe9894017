// NWB 2 files: spikes of units, or a time series, cut into the trials of a table.
#pragma once

#include <string>

#include "milcci/read.hpp"

namespace milcci::read {

/// Throws as `read_data`.
ReadResult read_nwb(const std::string& path, const ReadOptions& options);

}  // namespace milcci::read
