// milcci groups: which groups of channels the components are made of.
#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "console.hpp"
#include "help.hpp"
#include "milcci/channel_groups.hpp"
#include "milcci/files.hpp"
#include "streams.hpp"
#include "verb.hpp"

namespace milcci::cli {
namespace {

struct GroupsRequest {
  std::string model;
  CommonOptions common;
};

ExitCode show_groups(const GroupsRequest& request) {
  const std::vector<GroupShare> shares = channel_groups(read_model(request.model).model);
  if (!request.common.json) {
    print_text(to_text(shares));
    return kDone;
  }
  nlohmann::ordered_json json = nlohmann::ordered_json::parse(to_json(shares));
  json["file"] = request.model;
  print_json(json);
  return kDone;
}

}  // namespace

Verb add_groups(CLI::App& program) {
  auto request = std::make_shared<GroupsRequest>();
  CLI::App& parser = *program.add_subcommand(
      "groups",
      "Shows which groups of channels, such as brain regions, each component is made of, against chance.");
  add_input(parser, "MODEL", request->model, "model file, from fit, of channels that have groups");
  add_common(parser, request->common);
  set_examples(parser, {"milcci groups model.h5", "milcci groups model.h5 --json"});
  return {&parser, [request] { return show_groups(*request); }};
}

}  // namespace milcci::cli
