// The help texts: what a verb does, how it is called, its options with their defaults, two examples.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace milcci::cli {

/// Help of the program or of one verb, made from what the parser knows.
std::string help_text(const CLI::App& parser);

/// The examples at the end of a verb's help.
void set_examples(CLI::App& parser, const std::vector<std::string>& examples);

}  // namespace milcci::cli
