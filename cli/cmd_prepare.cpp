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
#include "reading.hpp"
#include "streams.hpp"
#include "verb.hpp"

namespace milcci::cli {
namespace {

struct PrepareRequest {
  std::string input;
  Recipe recipe = Recipe::none;
  ReadOptions reading;
  std::vector<std::string> bin_labels, block_labels, drop_trials, scale;
  std::string smooth;
  PrepareOptions options;
  OutputOptions output;
  CommonOptions common;
};

ExitCode prepare_file(PrepareRequest& request) {
  for (const std::string& text : request.bin_labels)
    request.options.bin_labels.push_back(parse_bin_label(text));
  for (const std::string& column : request.block_labels) request.options.block_labels.push_back({column});
  if (!request.smooth.empty()) request.options.smooth = parse_smooth(request.smooth);
  for (const std::string& text : request.drop_trials)
    request.options.drop_trials.push_back(parse_drop_trials(text));
  for (const std::string& text : request.scale) request.options.scale.push_back(parse_scale(text));
  check_output(request.output, {request.input, request.reading.labels});
  const Console console(request.common.quiet);
  ReadResult read = read_recording(request.input, request.reading, console, request.recipe);
  for (const std::string& note : prepare(read.trials, request.options)) {
    console.say("  " + note);
    read.notes.push_back(note);
  }
  const std::vector<std::string> warnings = check_trials(read.trials);
  write_trials(request.output.path, read.trials, request.output.overwrite());
  console.warn(warnings);
  if (request.common.json) {
    nlohmann::json json = nlohmann::json::parse(describe_json(read.trials));
    json["file"] = request.output.path;
    json["notes"] = read.notes;
    json["warnings"] = warnings;
    print_json(json);
  } else {
    console.say(describe_text(read.trials) + "\nwritten to " + request.output.path);
  }
  return kDone;
}

// Every step may be asked for several times.
void add_steps(CLI::App& parser, PrepareRequest& request) {
  const auto add = [&](const char* flag, std::vector<std::string>& texts, const char* type,
                       const char* help) {
    parser.add_option(flag, texts, help)
        ->type_name(type)
        ->allow_extra_args(false)
        ->group("Steps, in this order");
  };
  parser
      .add_flag("--number-trials", request.options.number_trials,
                "add the label column trial_number: 1, 2, ... in the order of the recording")
      ->group("Steps, in this order");
  add("--bin-label", request.bin_labels, "NAME=EDGE,...|quantiles:COUNT",
      "add the label column NAME_bin: the numbers of NAME cut at these edges, or into bins with equally many "
      "trials");
  add("--block-label", request.block_labels, "NAME",
      "add the label column NAME_block: 1, 2, ..., one more wherever NAME changes from trial to trial");
  add("--drop-trials", request.drop_trials, "NAME[=VALUE,...]",
      "leave out the trials whose label NAME is missing, or has one of these values");
  parser
      .add_option(
          "--smooth", request.smooth,
          "smooth every channel within its trials by a Gaussian of this width, in the unit of time (in "
          "samples without times); of the Gaussian, WINDOW is used (default 10 SIGMA)")
      ->type_name("SIGMA[:WINDOW]")
      ->group("Steps, in this order");
  add("--scale", request.scale, "METHOD[:SCOPE]",
      "scale the values: sqrt, log1p, tanh, zscore or range (minimum to 99th percentile); zscore and range "
      "within each channel (the default), over all values (all), or over the trials with the same label "
      "(label=NAME). Several are applied one after the other");
}

}  // namespace

Verb add_prepare(CLI::App& program) {
  auto request = std::make_shared<PrepareRequest>();
  CLI::App& parser = *program.add_subcommand(
      "prepare", "Reads a recording of any known format, checks it, and writes it as a trials file.");
  add_input(parser, "RECORDING", request->input, kRecordingHelp);
  add_output(parser, request->output, "trials file");
  add_steps(parser, *request);
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
