#include "reading.hpp"

#include <fmt/format.h>

#include "milcci/files.hpp"
#include "milcci/prepare.hpp"
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

Trials read_for_model(const std::string& path, const ReadOptions& options, const FitResult& fitted,
                      const Console& console) {
  const FitSummary& summary = fitted.summary;
  const std::string& fingerprint =
      summary.reason == StopReason::transformed ? summary.fitted_fingerprint : summary.data_fingerprint;
  Trials trials = read_recording(path, options, console).trials;
  for (const std::string& note : prepare_as_fitted(trials, fitted.model.history, fingerprint))
    console.say("  " + note);
  return trials;
}

void warn_of_other_trials(const FitResult& fitted, const TrialSource& trials, const Console& console) {
  if (fingerprint(trials) == fitted.summary.data_fingerprint) return;
  console.warn(
      {"these are not the trials whose traces the model has: values, labels or their order differ, so "
       "that errors may be those of other trials; give the same trials, prepared in the same way"});
}

}  // namespace milcci::cli
