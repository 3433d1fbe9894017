// milcci evaluate: how well a model describes trials, predicts channels, and found the truth.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "console.hpp"
#include "help.hpp"
#include "milcci/compare.hpp"
#include "milcci/error.hpp"
#include "milcci/evaluate.hpp"
#include "milcci/files.hpp"
#include "milcci/fit.hpp"
#include "option_flags.hpp"
#include "reading.hpp"
#include "streams.hpp"
#include "verb.hpp"

namespace milcci::cli {
namespace {

struct EvaluateRequest {
  std::string model, trials;
  bool cosmooth = false;
  CoSmoothingOptions cosmoothing;
  int threads = 0;
  ReadOptions reading;
  CommonOptions common;
};

Evaluation evaluate_with_cosmoothing(const FitResult& fitted, const Trials& trials,
                                     const EvaluateRequest& request) {
  FitOptions options = fitted.summary.options;
  options.threads = request.threads;
  CoSmoothing cosmoothing = cosmooth(fitted.model, options, trials, request.cosmoothing);
  const bool is_transformed = fingerprint(trials) != fitted.summary.data_fingerprint;
  const FitResult described =
      is_transformed ? transform(fitted, trials, {.threads = request.threads}) : fitted;
  Console(request.common.quiet).warn(is_transformed ? described.summary.warnings : cosmoothing.warnings);
  Evaluation evaluation = evaluate(described, trials);
  evaluation.cosmoothing = std::move(cosmoothing);
  evaluation.is_transformed = is_transformed;
  return evaluation;
}

ExitCode compare_files(const EvaluateRequest& request) {
  if (request.cosmooth)
    throw Error(ErrorKind::bad_option,
                fmt::format("--cosmooth needs trials, and {} is a model", request.trials));
  const ModelComparison found = compare_models(read_model(request.model), read_model(request.trials));
  if (request.common.json)
    print_result(to_json(found) + "\n");
  else
    print_text(to_table(found));
  return kDone;
}

ExitCode evaluate_files(const EvaluateRequest& request) {
  if (file_format(request.trials) == FileFormat::model_file) return compare_files(request);
  const FitResult fitted = read_model(request.model);
  const Trials trials =
      read_for_model(request.trials, request.reading, fitted, Console(request.common.quiet));
  const Evaluation evaluation =
      request.cosmooth ? evaluate_with_cosmoothing(fitted, trials, request) : evaluate(fitted, trials);
  if (!request.cosmooth) warn_of_other_trials(fitted, trials, Console(request.common.quiet));
  if (request.common.json)
    print_result(to_json(evaluation) + "\n");
  else
    print_text(to_table(evaluation) + "\n");
  return kDone;
}

}  // namespace

Verb add_evaluate(CLI::App& program) {
  auto request = std::make_shared<EvaluateRequest>();
  CLI::App& parser = *program.add_subcommand("evaluate",
                                             "Scores a model: how well it describes its trials, how well it "
                                             "predicts channels from other channels and, "
                                             "where the trials carry a truth, how well it found it.");
  add_input(parser, "MODEL", request->model, "model file, from fit");
  add_input(parser, "TRIALS", request->trials,
            "the trials that the model was fitted to, in any format that fit reads; with --cosmooth, any of "
            "the same channels and label columns. Or another model: the two fits are then compared");
  const std::string group = "Co-smoothing";
  CLI::Option* cosmooth =
      parser.add_flag("--cosmooth", request->cosmooth,
                      "also predict channels from other channels, fold by fold, on these or new "
                      "trials");
  cosmooth->group(group);
  visit_fields(request->cosmoothing, [&](const Field& field, auto& member) {
    add_field(parser, field, member)->needs(cosmooth)->group(group);
  });
  visit_fields(FitOptions{}, [&](const Field& field, const auto&) {
    if (std::string(field.name) == "threads")
      add_field(parser, field, request->threads)->needs(cosmooth)->group(group);
  });
  add_reading(parser, request->reading);
  add_common(parser, request->common);
  set_examples(parser, {"milcci evaluate model.h5 trials.h5 --json",
                        "milcci evaluate model.h5 new_trials.h5 --cosmooth"});
  return {&parser, [request] { return evaluate_files(*request); }};
}

}  // namespace milcci::cli
