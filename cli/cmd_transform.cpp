// milcci transform: the traces of new trials under a fitted model.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "console.hpp"
#include "help.hpp"
#include "milcci/files.hpp"
#include "milcci/fit.hpp"
#include "option_flags.hpp"
#include "option_words.hpp"
#include "reading.hpp"
#include "streams.hpp"
#include "verb.hpp"

namespace milcci::cli {
namespace {

struct TransformRequest {
  std::string model, trials;
  int threads = 0;
  ReadOptions reading;
  OutputOptions output;
  CommonOptions common;
};

ExitCode transform_files(const TransformRequest& request) {
  check_output(request.output,
               {request.model, request.trials, request.reading.labels, request.common.config});
  const Console console(request.common.quiet);
  const FitResult fitted = read_model(request.model);
  ReadOptions reading = request.reading;
  reading.threads = request.threads;
  const Trials trials = read_for_model(request.trials, reading, fitted, console);
  const FitResult result = transform(fitted, trials, {.threads = request.threads});
  write_model(request.output.path, result, request.output.overwrite());
  note_written(request.output.path);
  console.warn(result.summary.warnings);
  if (request.common.json)
    print_json(nlohmann::json{{"file", request.output.path},
                              {"n_trials", result.model.n_trials()},
                              {"n_components", result.model.n_components()},
                              {"r2", result.summary.r2},
                              {"warnings", json_with_flags(nlohmann::json(result.summary.warnings))}});
  else
    console.say(fmt::format("traces of {} components in {} trials, R2 {:.4f}, written to {}",
                            result.model.n_components(), result.model.n_trials(), result.summary.r2,
                            request.output.path));
  return kDone;
}

}  // namespace

Verb add_transform(CLI::App& program) {
  auto request = std::make_shared<TransformRequest>();
  CLI::App& parser =
      *program.add_subcommand("transform",
                              "Finds the traces of new trials under a fitted model. An option that the model "
                              "has not seen gets a variant "
                              "between its neighbours where the category is ordered, else the mean variant.");
  add_input(parser, "MODEL", request->model, "model file, from fit");
  add_input(parser, "TRIALS", request->trials,
            "new trials with the same channels and label columns, in any format that fit reads");
  add_output(parser, request->output, "model file, with the new traces,");
  visit_fields(FitOptions{}, [&](const Field& field, const auto&) {
    if (std::string(field.name) == "threads")
      add_field(parser, field, request->threads)->group("Computation");
  });
  add_reading(parser, request->reading);
  add_common(parser, request->common);
  set_examples(parser, {"milcci transform model.h5 new_trials.h5 -o traces.h5",
                        "milcci transform model.h5 new_trials.h5 -o traces.h5 --force --json"});
  return {&parser, [request] { return transform_files(*request); }};
}

}  // namespace milcci::cli
