// milcci evaluate: how well a model describes trials, and how well it found their truth.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "help.hpp"
#include "milcci/evaluate.hpp"
#include "milcci/files.hpp"
#include "verb.hpp"

namespace milcci::cli {
namespace {

struct EvaluateRequest {
  std::string model, trials;
  CommonOptions common;
};

ExitCode evaluate_files(const EvaluateRequest& request) {
  const FitResult result = read_model(request.model);
  const Trials trials = read_trials(request.trials);
  const Evaluation evaluation = evaluate(result.model, trials);
  fmt::print("{}\n", request.common.json ? to_json(evaluation) : to_table(evaluation));
  return kDone;
}

}  // namespace

Verb add_evaluate(CLI::App& program) {
  auto request = std::make_shared<EvaluateRequest>();
  CLI::App& parser = *program.add_subcommand("evaluate",
                                             "Scores a model: how well it describes its trials and, where "
                                             "these carry a truth, how well it found it.");
  add_input(parser, "MODEL", request->model, "model file, from fit");
  add_input(parser, "TRIALS", request->trials, "trials file that the model was fitted to");
  add_common(parser, request->common);
  set_examples(parser, {"milcci evaluate model.h5 trials.h5", "milcci evaluate model.h5 trials.h5 --json"});
  return {&parser, [request] { return evaluate_files(*request); }};
}

}  // namespace milcci::cli
