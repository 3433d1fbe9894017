// milcci check: what a recording and its labels look like before a fit, and what may go wrong.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "console.hpp"
#include "help.hpp"
#include "milcci/check.hpp"
#include "option_words.hpp"
#include "reading.hpp"
#include "streams.hpp"
#include "verb.hpp"

namespace milcci::cli {
namespace {

struct CheckRequest {
  std::string file;
  std::vector<std::string> categories;
  ReadOptions reading;
  CommonOptions common;
};

ExitCode check_file(const CheckRequest& request) {
  std::vector<CategorySpec> specs;
  for (const std::string& text : request.categories) specs.push_back(parse_category(text));
  const ReadResult read = read_recording(request.file, request.reading, Console(request.common.quiet));
  const Check found = check(read.trials, specs);
  if (request.common.json) {
    nlohmann::ordered_json json = nlohmann::ordered_json::parse(to_json(found));
    for (const char* key : {"findings", "suggestion"}) json[key] = json_with_flags(json[key]);
    json["file"] = request.file;
    json["notes"] = read.notes;
    print_json(json);
  } else {
    print_text(fmt::format("{}: {}\nto begin with, fit with {}\n", request.file, with_flags(to_text(found)),
                           with_flags(found.suggestion)));
  }
  return kDone;
}

}  // namespace

Verb add_check(CLI::App& program) {
  auto request = std::make_shared<CheckRequest>();
  CLI::App& parser = *program.add_subcommand(
      "check",
      "Tells what was understood of a recording, how its labels are arranged, and what may go wrong.");
  add_input(parser, "FILE", request->file, kRecordingHelp);
  parser
      .add_option("--category", request->categories,
                  "category to look at, as for fit; once per category. Without any, all label columns")
      ->type_name("NAME=COUNT[:KIND[,KEY=VALUE...]]")
      ->allow_extra_args(false)
      ->group("Categories");
  add_reading(parser, request->reading);
  add_common(parser, request->common);
  set_examples(parser, {"milcci check trials.h5", "milcci check recording.csv --labels labels.csv --json"});
  return {&parser, [request] { return check_file(*request); }};
}

}  // namespace milcci::cli
