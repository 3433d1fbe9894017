// milcci traces: what the components do over time, by label.
#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "console.hpp"
#include "help.hpp"
#include "milcci/files.hpp"
#include "milcci/trace_summary.hpp"
#include "option_flags.hpp"
#include "streams.hpp"
#include "verb.hpp"

namespace milcci::cli {
namespace {

struct TracesRequest {
  std::string model;
  TraceSummaryOptions options;
  OutputOptions output;
  CommonOptions common;
};

ExitCode show_traces(const TracesRequest& request) {
  check_inputs_are_kept(request.output, {request.model, request.common.config});
  const FitResult result = read_model(request.model);
  const TraceSummary summary = summarise_traces(result.model, request.options);
  if (!request.output.path.empty()) {
    write_table(request.output.path, summary, request.output.overwrite());
    note_written(request.output.path);
    Console(request.common.quiet).say("written to " + request.output.path);
  }
  if (request.common.json) {
    nlohmann::ordered_json json = nlohmann::ordered_json::parse(to_json(summary));
    json["file"] = request.model;
    print_json(json);
  } else if (request.output.path.empty() || !request.common.quiet) {
    print_text(to_text(summary));
  }
  return kDone;
}

}  // namespace

Verb add_traces(CLI::App& program) {
  auto request = std::make_shared<TracesRequest>();
  CLI::App& parser = *program.add_subcommand("traces",
                                             "Shows what each component does over time in the trials that "
                                             "share a label, fitted or not, and whether two "
                                             "values of it differ by more than chance.");
  add_input(parser, "MODEL", request->model, "model file, from fit");
  visit_fields(request->options, [&](const Field& field, auto& member) {
    add_field(parser, field, member)->group("What to show");
  });
  add_output(parser, request->output, "table (CSV)")->required(false);
  add_common(parser, request->common);
  set_examples(parser, {"milcci traces model.h5 --by choice",
                        "milcci traces model.h5 --by choice --between left,right -o traces.csv"});
  return {&parser, [request] { return show_traces(*request); }};
}

}  // namespace milcci::cli
