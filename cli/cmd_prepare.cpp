// milcci prepare: a recording of any format in, a trials file out.
#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "describe.hpp"
#include "fields.hpp"
#include "help.hpp"
#include "milcci/files.hpp"
#include "prepare/check_trials.hpp"
#include "reading.hpp"
#include "talk.hpp"
#include "verb.hpp"

namespace milcci::cli {
namespace {

struct PrepareRequest {
  std::string input;
  Recipe recipe = Recipe::none;
  ReadOptions reading;
  OutputOptions output;
  CommonOptions common;
};

ExitCode prepare_file(const PrepareRequest& request) {
  check_output(request.output, {request.input, request.reading.labels});
  const Talk talk(request.common.quiet);
  const ReadResult read = read_recording(request.input, request.reading, talk, request.recipe);
  const std::vector<std::string> warnings = check_trials(read.trials);
  write_trials(request.output.path, read.trials, request.output.overwrite());
  talk.warn(warnings);
  if (request.common.json) {
    nlohmann::json json = describe_json(read.trials);
    json["file"] = request.output.path;
    json["notes"] = read.notes;
    json["warnings"] = warnings;
    print_json(json);
  } else {
    talk.say(describe_text(read.trials) + "\nwritten to " + request.output.path);
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
  const Field recipe{.name = "recipe", .help = "how a public data set becomes trials, see docs/examples.md"};
  add_field(parser, recipe, request->recipe)->group("Data sets");
  add_reading(parser, request->reading);
  add_common(parser, request->common);
  set_examples(parser,
               {"milcci prepare recording.csv --labels labels.csv -o trials.h5",
                "milcci prepare recording.npy --dims trial,channel,time --labels labels.csv -o trials.h5"});
  return {&parser, [request] { return prepare_file(*request); }};
}

}  // namespace milcci::cli
