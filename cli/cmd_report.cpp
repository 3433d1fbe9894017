// milcci report: one page that explains a model.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>

#include "console.hpp"
#include "help.hpp"
#include "milcci/error.hpp"
#include "milcci/files.hpp"
#include "milcci/report.hpp"
#include "option_flags.hpp"
#include "read/arrays/bytes.hpp"
#include "reading.hpp"
#include "streams.hpp"
#include "verb.hpp"

namespace milcci::cli {
namespace {

struct ReportRequest {
  std::string model, trials, comparison;
  ReportOptions options;
  OutputOptions output;
  ReadOptions reading;
  CommonOptions common;
};

std::string comparison_text(const std::string& path) {
  const std::string text = read::read_bytes(path, 0, read::file_size(path));
  if (text.empty())
    throw Error(ErrorKind::bad_file,
                fmt::format("file \"{}\": is empty; give the results of milcci compare -o", path));
  return text;
}

ExitCode write_page(const ReportRequest& request) {
  const Console console(request.common.quiet);
  if (request.output.path.empty() && !request.common.json)
    throw Error(ErrorKind::bad_option, "-o is missing: the page to write, such as -o report.html");
  check_inputs_are_kept(request.output,
                        {request.model, request.trials, request.comparison, request.common.config});
  if (!request.output.path.empty()) check_writable(request.output.path, request.output.overwrite());
  const FitResult fitted = read_model(request.model);
  const std::string comparison = request.comparison.empty() ? "" : comparison_text(request.comparison);
  std::optional<TrialSource> trials;
  if (!request.trials.empty())
    trials.emplace(read_for_model(request.trials, request.reading, fitted, console));
  const ReportInput input{.fitted = fitted,
                          .trials = trials ? &*trials : nullptr,
                          .model_file = request.model,
                          .trials_file = request.trials,
                          .comparison = comparison};
  const std::string report = report_json(input, request.options);
  if (trials) warn_of_other_trials(fitted, *trials, console);
  if (!request.output.path.empty()) {
    write_report(request.output.path, report, request.output.overwrite());
    note_written(request.output.path);
    console.say(fmt::format("written to {}; open it in a browser", request.output.path));
  }
  if (request.common.json) print_result(report + "\n");
  return kDone;
}

}  // namespace

Verb add_report(CLI::App& program) {
  auto request = std::make_shared<ReportRequest>();
  CLI::App& parser = *program.add_subcommand(
      "report",
      "Writes one page (HTML) that explains a model: components and what changes between options, traces, "
      "single trials, how the fit went and what is firm. It needs no network and can be sent by mail.");
  add_input(parser, "MODEL", request->model, "model file, from fit");
  parser
      .add_option("TRIALS", request->trials,
                  "the trials that the model was fitted to: data and errors are shown, too")
      ->type_name("");
  visit_fields(request->options, [&](const Field& field, auto& member) {
    add_field(parser, field, member)->group("What to show");
  });
  parser
      .add_option("--comparison", request->comparison,
                  "how other methods do on the same trials: results of compare -o")
      ->type_name("FILE")
      ->group("What to show");
  add_output(parser, request->output, "page (HTML)")->required(false);
  add_reading(parser, request->reading);
  add_common(parser, request->common);
  set_examples(parser, {"milcci report model.h5 trials.h5 -o report.html",
                        "milcci report model.h5 -o report.html --title \"Session 4\""});
  return {&parser, [request] { return write_page(*request); }};
}

}  // namespace milcci::cli
