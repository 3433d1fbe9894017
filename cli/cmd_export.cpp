// milcci export: a model as tables that every program reads.
#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "console.hpp"
#include "help.hpp"
#include "milcci/components.hpp"
#include "milcci/evaluate.hpp"
#include "milcci/files.hpp"
#include "reading.hpp"
#include "streams.hpp"
#include "verb.hpp"

namespace milcci::cli {
namespace {

struct ExportRequest {
  std::string model, trials;
  OutputOptions output;
  ReadOptions reading;
  CommonOptions common;
};

ExitCode export_model(const ExportRequest& request) {
  const Console console(request.common.quiet);
  for (const std::string& path : export_paths(request.output.path))
    check_inputs_are_kept({.path = path, .force = request.output.force},
                          {request.model, request.trials, request.reading.labels, request.common.config});
  const FitResult result = read_model(request.model);
  std::optional<Evaluation> evaluation;
  if (!request.trials.empty()) {
    const Trials trials = read_for_model(request.trials, request.reading, result, console);
    evaluation = evaluate(result, trials);
    warn_of_other_trials(result, trials, console);
  }
  const std::vector<std::string> paths = export_tables(
      request.output.path, result, evaluation ? &*evaluation : nullptr, request.output.overwrite());
  note_written(request.output.path);
  if (request.common.json) print_json(nlohmann::json{{"files", paths}});
  for (const std::string& path : paths) console.say("written to " + path);
  return kDone;
}

}  // namespace

Verb add_export(CLI::App& program) {
  auto request = std::make_shared<ExportRequest>();
  CLI::App& parser =
      *program.add_subcommand("export",
                              "Writes a model as tables (CSV): memberships, traces, trials with their "
                              "labels, components, channels and what is told of the fit.");
  add_input(parser, "MODEL", request->model, "model file, from fit");
  parser
      .add_option("TRIALS", request->trials,
                  "the trials that the model was fitted to: their errors are written, too")
      ->type_name("");
  add_output(parser, request->output, "folder")->type_name("FOLDER");
  add_reading(parser, request->reading);
  add_common(parser, request->common);
  set_examples(parser,
               {"milcci export model.h5 -o tables", "milcci export model.h5 trials.h5 -o tables --force"});
  return {&parser, [request] { return export_model(*request); }};
}

}  // namespace milcci::cli
