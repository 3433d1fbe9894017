// milcci show: the components of a model as tables.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "console.hpp"
#include "help.hpp"
#include "milcci/components.hpp"
#include "milcci/error.hpp"
#include "milcci/files.hpp"
#include "option_flags.hpp"
#include "streams.hpp"
#include "verb.hpp"

namespace milcci::cli {
namespace {

struct ShowRequest {
  std::string model, category;
  std::optional<int> component;
  int top = 10;
  CommonOptions common;
};

ExitCode show_model(const ShowRequest& request) {
  if (request.top < 1)
    throw Error(ErrorKind::bad_option, fmt::format("--top {}: must be at least 1", request.top));
  const FitResult result = read_model(request.model);
  ViewOptions options{.category = request.category, .n_members = static_cast<std::size_t>(request.top)};
  if (request.component) options.component = *request.component - 1;
  const std::vector<ComponentView> views = view_components(result, options);
  const std::string news = worst_news(result);
  if (request.common.json) {
    nlohmann::ordered_json json = nlohmann::ordered_json::parse(to_json(views));
    json["file"] = request.model;
    json["worst_news"] = news.empty() ? nlohmann::ordered_json(nullptr) : nlohmann::ordered_json(news);
    print_json(json);
  } else {
    print_text((news.empty() ? "" : news + "\n\n") + to_text(views));
  }
  return kDone;
}

}  // namespace

Verb add_show(CLI::App& program) {
  auto request = std::make_shared<ShowRequest>();
  CLI::App& parser = *program.add_subcommand(
      "show",
      "Shows which channels form the components of a model, and who joins or leaves from option to option.");
  add_input(parser, "MODEL", request->model, "model file, from fit");
  const std::string group = "What to show";
  add_field(parser, {.name = "category", .help = "only components of this category", .placeholder = "NAME"},
            request->category)
      ->group(group);
  add_field(parser,
            {"component", "", "only this one, counted within --category or, without it, over all", 1, 1e6},
            request->component)
      ->group(group);
  add_field(parser, {"top", "", "most channels to list of a component", 1, 1e9}, request->top)->group(group);
  add_common(parser, request->common);
  set_examples(parser,
               {"milcci show model.h5", "milcci show model.h5 --category choice --component 1 --top 5"});
  return {&parser, [request] { return show_model(*request); }};
}

}  // namespace milcci::cli
