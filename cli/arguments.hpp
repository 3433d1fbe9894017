// The command line before it is parsed: unknown flags are caught with a suggestion, and what a configuration
// file says is put in front.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "verb.hpp"

namespace milcci::cli {

/// The verb that the arguments name. Throws Error(bad_option) if they name another word; nullptr if there is
/// none, as in `milcci --help`.
const Verb* find_verb(const std::vector<Verb>& verbs, const std::vector<std::string>& arguments);

/// Throws Error(bad_option) for the first flag that the verb does not have, that is given twice or lacks its
/// value.
void check_flags(const CLI::App& parser, const std::vector<std::string>& arguments);

/// The arguments, preceded by those of the file that `--config` names, if any. Keys are flags without their
/// dashes (underscores will do), at the top of the file or in a section with the name of the verb; sections
/// of the other verbs are left alone. A flag given in the arguments replaces the file's. Throws
/// Error(bad_option) for a key that the verb does not have, Error(bad_file) for a file that cannot be read.
std::vector<std::string> with_config(const std::vector<Verb>& verbs, const Verb& verb,
                                     const std::vector<std::string>& arguments);

}  // namespace milcci::cli
