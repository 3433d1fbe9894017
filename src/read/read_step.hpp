// How a recording was read, as the first step of its history.
#pragma once

#include <map>
#include <string>

#include "core/json_object.hpp"
#include "milcci/read.hpp"

namespace milcci::read {

/// The options that differ from their defaults, by name.
std::map<std::string, Json> given_options(const ReadOptions& options);

/// Throws Error(bad_option) for options that files of this format do not have: they would be ignored.
void refuse_options_of_others(const std::string& path, FileFormat format, const ReadOptions& options);

/// The file's name, the options that were given and the notes.
void add_read_step(const std::string& path, const ReadOptions& options, ReadResult& result);

}  // namespace milcci::read
