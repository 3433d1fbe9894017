// milcci prepare: a recording of any format in, scaled and labelled as asked, a trials file out.
#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "console.hpp"
#include "data/check_trials.hpp"
#include "help.hpp"
#include "milcci/describe.hpp"
#include "milcci/files.hpp"
#include "milcci/prepare.hpp"
#include "option_flags.hpp"
#include "option_words.hpp"
#include "reading.hpp"
#include "streams.hpp"
#include "verb.hpp"

namespace milcci::cli {
namespace {

struct PrepareRequest {
  std::string input;
  Recipe recipe = Recipe::none;
  ReadOptions reading;
  PrepareOptions options;
  OutputOptions output;
  CommonOptions common;
};

ExitCode prepare_file(PrepareRequest& request) {
  check_output(request.output, {request.input, request.reading.labels, request.common.config});
  const Console console(request.common.quiet);
  ReadResult read = read_recording(request.input, request.reading, console, request.recipe);
  for (const std::string& note : prepare(read.trials, request.options)) {
    console.say("  " + note);
    read.notes.push_back(note);
  }
  const std::vector<std::string> warnings = check_trials(read.trials);
  write_trials(request.output.path, read.trials, request.output.overwrite());
  note_written(request.output.path);
  console.warn(warnings);
  if (request.common.json) {
    nlohmann::json json = nlohmann::json::parse(describe_json(read.trials));
    json["file"] = request.output.path;
    json["notes"] = read.notes;
    json["warnings"] = json_with_flags(nlohmann::json(warnings));
    print_json(json);
  } else {
    console.say(describe_text(read.trials) + "\nwritten to " + request.output.path);
  }
  return kDone;
}

}  // namespace

Verb add_prepare(CLI::App& program) {
  auto request = std::make_shared<PrepareRequest>();
  CLI::App& parser = *program.add_subcommand(
      "prepare", "Reads a recording of any known format, checks it, and writes it as a trials file.");
  add_input(parser, "RECORDING", request->input, kRecordingHelp);
  add_output(parser, request->output, "trials file");
  visit_fields(request->options, [&](const Field& field, auto& steps) {
    add_field(parser, field, steps)->group("Steps, in this order");
  });
  const Field recipe{.name = "recipe", .help = "how a public data set becomes trials, see docs/examples.md"};
  add_field(parser, recipe, request->recipe)->group("Data sets");
  add_reading(parser, request->reading);
  add_common(parser, request->common);
  set_examples(parser, {"milcci prepare recording.csv --labels labels.csv --scale zscore -o trials.h5",
                        "milcci prepare session.nwb --table trials --align go_time --before 0.2 --after 0.5 "
                        "--min-rate 0.5 --drop-trials choice -o trials.h5"});
  return {&parser, [request] { return prepare_file(*request); }};
}

}  // namespace milcci::cli
