#include "reading.hpp"

#include <fmt/format.h>

#include "option_flags.hpp"
#include "option_words.hpp"

namespace milcci::cli {

void add_reading(CLI::App& parser, ReadOptions& options) {
  visit_fields(options, [&](const Field& field, auto& member) {
    add_field(parser, field, member)->group("Reading other files than trials files");
  });
}

ReadResult read_recording(const std::string& path, const ReadOptions& options, const Console& console,
                          Recipe recipe) {
  ReadResult result = read_with(recipe, path, options);
  for (std::string& note : result.notes) note = with_flags(note);
  for (std::size_t i = 0; i < result.notes.size(); ++i)
    console.say(i == 0 ? fmt::format("{}: {}", path, result.notes[i]) : "  " + result.notes[i]);
  return result;
}

}  // namespace milcci::cli
