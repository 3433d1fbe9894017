// The standard streams. Results go to standard output and must arrive. Messages go to standard
// error and may fail: no work should be lost because nobody could read them.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace milcci::cli {

/// Puts /dev/null where descriptor 0, 1 or 2 is closed, so that no file the program opens becomes a standard
/// stream. Writing to a standard output that was closed still fails. Call first. False if it cannot be done.
bool occupy_standard_streams();

/// Writes to standard error, whether or not that succeeds. Names that users gave may hold escape codes: they
/// are shown, not obeyed.
void talk(const std::string& text);
/// The same for a text of our own that has escape codes.
void draw(const std::string& text);

/// Writes a text for people to standard output, escape codes shown as such. Whether it arrived is known at
/// the end, see `results_arrived`.
void print_text(const std::string& text);
/// Writes to standard output as it is: JSON.
void print_result(const std::string& text);
/// Names of files need not be UTF-8: what is not is replaced.
void print_json(const nlohmann::json& json);
void print_json(const nlohmann::ordered_json& json);

/// To be told if results do not arrive.
void note_written(const std::string& path);
/// The last file that was written, or nothing.
const std::string& written_file();

/// Writes out what is still on its way to standard output; false if any of it was lost.
bool results_arrived();

}  // namespace milcci::cli
