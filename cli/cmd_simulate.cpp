// milcci simulate: trials with known truth.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "console.hpp"
#include "help.hpp"
#include "milcci/describe.hpp"
#include "milcci/error.hpp"
#include "option_flags.hpp"
#include "simulation.hpp"
#include "streams.hpp"
#include "verb.hpp"

namespace milcci::cli {
namespace {

struct SimulateRequest {
  SimulationRequest simulation;
  OutputOptions output;
  CommonOptions common;
};

nlohmann::json options_json(const SimulateOptions& options) {
  nlohmann::json json;
  visit_fields(options, [&](const Field& field, const auto& value) { json[field.name] = field_json(value); });
  return json;
}

ExitCode simulate_file(SimulateRequest& request) {
  const SimulateOptions options = request.simulation.resolved();
  check_output(request.output, {request.common.config});
  const Console console(request.common.quiet);
  const Trials trials = simulate(options);
  write_trials(request.output.path, trials, request.output.overwrite());
  note_written(request.output.path);
  if (request.common.json) {
    nlohmann::json json = nlohmann::json::parse(describe_json(trials));
    json["file"] = request.output.path;
    json["preset"] = request.simulation.preset_name;
    json["options"] = options_json(options);
    print_json(json);
  } else {
    console.say(describe_text(trials) + "\nwritten to " + request.output.path);
  }
  return kDone;
}

}  // namespace

Verb add_simulate(CLI::App& program) {
  auto request = std::make_shared<SimulateRequest>();
  CLI::App& parser = *program.add_subcommand(
      "simulate", "Makes trials with known components and traces, to try the method on and to test it.");
  add_output(parser, request->output, "trials file");
  add_simulation(parser, request->simulation);
  add_common(parser, request->common);
  set_examples(parser,
               {"milcci simulate --preset paper --seed 0 -o trials.h5",
                "milcci simulate --channels 40 --trials 60 --min-length 80 --max-length 120 --noise 0.1 "
                "--missing 0.05 \\\n      --category dose=2:4:ordinal --category group=1:3 -o small.h5"});
  return {&parser, [request] { return simulate_file(*request); }};
}

}  // namespace milcci::cli
