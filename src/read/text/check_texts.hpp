// Names and labels must be text that others can show: UTF-8 without NUL.
#pragma once

#include <string>

#include "milcci/trials.hpp"

namespace milcci::read {

/// Throws Error(bad_file) that shows the first name or label that is not.
void check_texts(const std::string& path, const Trials& trials);

}  // namespace milcci::read
