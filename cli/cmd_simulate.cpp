// milcci simulate: trials with known truth.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "describe.hpp"
#include "fields.hpp"
#include "help.hpp"
#include "milcci/simulate.hpp"
#include "talk.hpp"
#include "verb.hpp"

namespace milcci::cli {
namespace {

struct SimulateRequest {
  std::string preset_name = "paper";
  SimulateOptions options;
  std::vector<std::string> categories;
  OutputOptions output;
  CommonOptions common;
};

nlohmann::json options_json(const SimulateOptions& options) {
  nlohmann::json json;
  visit_simulate_fields(options,
                        [&](const Field& field, const auto& value) { json[field.name] = field_json(value); });
  return json;
}

ExitCode simulate_file(SimulateRequest& request) {
  if (!request.categories.empty()) {
    request.options.categories.clear();
    for (const std::string& text : request.categories)
      request.options.categories.push_back(parse_simulated_category(text));
  }
  check_output(request.output, {});
  const Talk talk(request.common.quiet);
  const Trials trials = simulate(request.options);
  write_trials(request.output.path, trials, request.output.overwrite());
  if (request.common.json) {
    nlohmann::json json = describe_json(trials);
    json["file"] = request.output.path;
    json["preset"] = request.preset_name;
    json["options"] = options_json(request.options);
    fmt::print("{}\n", json.dump(2));
  } else {
    talk.say(describe_text(trials) + "\nwritten to " + request.output.path);
  }
  return kDone;
}

}  // namespace

Verb add_simulate(CLI::App& program) {
  auto request = std::make_shared<SimulateRequest>();
  CLI::App& parser = *program.add_subcommand(
      "simulate", "Makes trials with known components and traces, to try the method on and to test it.");
  add_output(parser, request->output, "trials file");

  // Callbacks run in the order of definition: the preset first, then what changes it.
  const auto take_preset = [state = request.get()](const CLI::results_t& names) {
    state->preset_name = names.front();
    state->options = preset(names.front());
    return true;
  };
  parser
      .add_option("--preset", take_preset, "what to start from; all other options change it (default paper)")
      ->type_name("paper|recording")
      ->group("Trials");
  parser
      .add_option(
          "--category", request->categories,
          "COUNT components that adjust to a category of OPTIONS options; KIND is categorical, ordinal, "
          "free, fixed or trial_number. Once per category, in place of the preset's")
      ->type_name("NAME=COUNT:OPTIONS[:KIND]")
      ->allow_extra_args(false)
      ->group("Trials");
  const auto take_length = [state = request.get()](const CLI::results_t& texts) {
    read_value("--length", texts.front(), state->options.min_length);
    state->options.max_length = state->options.min_length;
    return true;
  };
  parser.add_option("--length", take_length, "the same length for all trials, shortest and longest in one")
      ->type_name("INTEGER")
      ->group("Trials");
  visit_simulate_fields(request->options, [&](const Field& field, auto& member) {
    add_field(parser, field, member)->group("Trials");
  });

  add_common(parser, request->common);
  set_examples(parser,
               {"milcci simulate --preset paper --seed 0 -o trials.h5",
                "milcci simulate --channels 40 --trials 60 --min-length 80 --max-length 120 --noise 0.1 "
                "--missing 0.05 \\\n      --category dose=2:4:ordinal --category group=1:3 -o small.h5"});
  return {&parser, [request] { return simulate_file(*request); }};
}

}  // namespace milcci::cli
