// Steps on what was read, whatever the format: channels chosen by name, and numbers that mark what is
// missing.
#pragma once

#include "milcci/read.hpp"

namespace milcci::read {

/// Leaves out the channels that `keep_channels` and `drop_channels` of the options leave out. Throws
/// Error(bad_option) for a name or pattern that no channel has, and if no channel is left.
void select_channels(const ReadOptions& options, ReadResult& result);

/// Makes the numbers in `missing_value` missing.
void mark_missing(const ReadOptions& options, ReadResult& result);

}  // namespace milcci::read
