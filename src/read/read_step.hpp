// How a recording was read, as the first step of its history.
#pragma once

#include <string>

#include "milcci/read.hpp"

namespace milcci::read {

/// The file's name, the options that were given and the notes.
void add_read_step(const std::string& path, const ReadOptions& options, ReadResult& result);

}  // namespace milcci::read
