// milcci fit: trials in, model out.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>

#include "category_flags.hpp"
#include "console.hpp"
#include "help.hpp"
#include "interrupt.hpp"
#include "milcci/check.hpp"
#include "milcci/components.hpp"
#include "milcci/describe.hpp"
#include "milcci/error.hpp"
#include "milcci/files.hpp"
#include "milcci/fit.hpp"
#include "milcci/prepare.hpp"
#include "option_flags.hpp"
#include "option_words.hpp"
#include "reading.hpp"
#include "streams.hpp"
#include "verb.hpp"

namespace milcci::cli {
namespace {

struct FitRequest {
  std::string trials, start;
  CategoryFlags categories;
  ReadOptions reading;
  PrepareOptions steps;
  FitOptions options;
  OutputOptions output;
  bool is_dry_run = false;
  CommonOptions common;
};

// The file after `graph=` of a category, or nothing.
std::string graph_file_of(const std::string& category) {
  constexpr std::string_view kMark = ":graph=";
  const std::size_t at = category.find(kMark);
  if (at == std::string::npos) return "";
  std::string path;
  for (std::size_t i = at + kMark.size(); i < category.size() && category[i] != ','; ++i) {
    if (category[i] == '\\' && i + 1 < category.size()) ++i;
    path += category[i];
  }
  return path;
}

std::vector<std::string> inputs_of(const FitRequest& request) {
  std::vector<std::string> inputs = {request.trials, request.start, request.reading.labels,
                                     request.common.config};
  for (const std::string& category : request.categories.categories) inputs.push_back(graph_file_of(category));
  return inputs;
}

// Without a category there is nothing to fit: say what could be asked for.
void require_categories(const FitOptions& options, const Trials& trials, const std::string& path) {
  if (!options.categories.empty()) return;
  std::vector<std::string> names;
  std::string example;  // one that trials share, not the name of each
  for (const LabelColumn& column : trials.labels) {
    names.push_back(column.name);
    std::set<std::string> values;
    for (std::size_t m = 0; m < column.size(); ++m) values.insert(column.text(m));
    if (example.empty() && values.size() < column.size()) example = column.name;
  }
  throw Error(ErrorKind::bad_option,
              names.empty()
                  ? fmt::format("no category given, and {} has no labels; give --fixed COUNT", path)
                  : fmt::format("no category given; {} has the label columns {}: give one or more, such "
                                "as --category {}=2",
                                path, fmt::join(names, ", "), example.empty() ? names.front() : example));
}

// The components in a file, whether fitted or true.
Start components_in(const std::string& path) {
  if (file_kind(path) == FileKind::trials) {
    const Trials trials = read_trials(path);
    if (trials.truth) return trials.truth->categories;
    throw Error(
        ErrorKind::bad_input,
        fmt::format("--start {}: these trials carry no truth to start from; give a model file", path));
  }
  return start_of(read_model(path).model);
}

// Those components in the order in which the categories were asked for.
Start read_start(const std::string& path, const std::vector<CategorySpec>& specs) {
  const Start found = components_in(path);
  std::vector<std::string> names;
  for (const CategoryComponents& c : found) names.push_back(c.name);
  Start start;
  for (const CategorySpec& spec : specs) {
    const auto at = std::find(names.begin(), names.end(), spec.name);
    if (at == names.end())
      throw Error(ErrorKind::bad_input,
                  fmt::format("--start {}: has no components for category {}, only for {}", path, spec.name,
                              fmt::join(names, ", ")));
    start.push_back(found[static_cast<std::size_t>(at - names.begin())]);
  }
  return start;
}

ExitCode exit_code(const FitSummary& summary, bool is_worthless) {
  switch (summary.reason) {
    case StopReason::converged:
    case StopReason::iteration_limit:
    case StopReason::stalled:
    case StopReason::time_limit:
      return summary.is_at_rest() && !is_worthless ? kDone : kNotTrusted;
    case StopReason::interrupted:
      return static_cast<ExitCode>(128 + interrupting_signal());
    case StopReason::transformed:
      break;  // no fit ends like this
  }
  return kFailed;
}

// What may go wrong, told before the fit takes its time.
nlohmann::json warn_beforehand(const Trials& trials, const FitOptions& options, const Console& console) {
  nlohmann::json told = nlohmann::json::array();
  for (const auto& [text, advice, option] : find_before_fit(trials, options)) {
    console.warn({fmt::format("{}; {}", text, advice)});
    told.push_back({{"text", with_flags(text)},
                    {"advice", with_flags(advice)},
                    {"option", option.empty() ? nlohmann::json(nullptr) : nlohmann::json(option)}});
  }
  return told;
}

FitResult fit_with_progress(Trials&& trials, const FitRequest& request, const std::optional<Start>& start) {
  ProgressView view(request.common.quiet);
  const auto show = [&view](const Progress& progress) {
    view.show(progress);
    return interrupting_signal() != 0 ? Continue::stop : Continue::yes;
  };
  return fit(std::move(trials), request.options, show, start);
}

ExitCode tell_cost(const Trials& trials, const FitRequest& request) {
  const double bytes = estimate_memory(trials, request.options),
               seconds = estimate_seconds(trials, request.options),
               seconds_per_iteration = estimate_seconds_per_iteration(trials, request.options);
  if (request.common.json) {
    const nlohmann::json json{{"memory_bytes", static_cast<std::uint64_t>(bytes)},
                              {"seconds", seconds},
                              {"seconds_per_iteration", seconds_per_iteration}};
    print_json(json);
  } else {
    print_text(
        fmt::format("memory at the peak    about {:.0f} MB\n"
                    "time in all           about {:.2g} s, most of it for the search\n"
                    "time per iteration    about {:.2g} s; most fits take 10 to 200 after the search\n"
                    "nothing was fitted, nothing was written\n",
                    bytes / 1e6, seconds, seconds_per_iteration));
  }
  return kDone;
}

ExitCode fit_file(FitRequest& request) {
  if (!request.is_dry_run) catch_interrupts();
  request.options.categories = requested_categories(request.categories);
  if (!request.is_dry_run) check_output(request.output, inputs_of(request));
  const Console console(request.common.quiet);
  request.reading.threads = request.options.threads;
  Trials trials = read_recording(request.trials, request.reading, console).trials;
  for (const std::string& note : prepare(trials, request.steps)) console.say("  " + note);
  trials.truth.reset();  // a fit must not look at it, and it takes memory
  require_categories(request.options, trials, request.trials);
  if (request.is_dry_run) return tell_cost(trials, request);
  std::optional<Start> start;
  if (!request.start.empty()) start = read_start(request.start, request.options.categories);

  const nlohmann::json findings = warn_beforehand(trials, request.options, console);
  const FitResult result = fit_with_progress(std::move(trials), request, start);
  write_model(request.output.path, result, request.output.overwrite());
  note_written(request.output.path);

  const std::string news = worst_news(result);
  if (!news.empty()) console.say("milcci: " + news);
  if (request.common.json) {
    console.warn(result.summary.warnings);
    nlohmann::json json = nlohmann::json::parse(to_json(result.summary));
    json["warnings"] = json_with_flags(json["warnings"]);
    json["stop_reason"] = json["reason"];
    json.update(nlohmann::json::parse(to_json(view_components(result))));
    json["file"] = request.output.path;
    json["findings"] = findings;
    json["worst_news"] = news.empty() ? nlohmann::json(nullptr) : nlohmann::json(news);
    json["noise"] = nlohmann::json::parse(noise_json(result.model));
    print_json(json);
  } else {
    console.say(with_flags(result.summary.brief_report()) + noise_text(result.model) + "\n" +
                with_flags(components_table(result)));
  }
  console.say("written to " + request.output.path);
  return exit_code(result.summary, !news.empty());
}

}  // namespace

Verb add_fit(CLI::App& program) {
  auto request = std::make_shared<FitRequest>();
  CLI::App& parser = *program.add_subcommand(
      "fit", "Finds components, their variants and their traces, and writes them as a model.");
  add_input(parser, "TRIALS", request->trials, kRecordingHelp);
  CLI::Option* output = add_output(parser, request->output, "model file");
  // It stands in for --output: with it, nothing is written.
  parser
      .add_flag_callback(
          "--dry-run", [request, output] { request->is_dry_run = true, output->required(false); },
          "tell the memory and the time that a fit takes, and stop")
      ->trigger_on_parse()
      ->group("Output");

  add_categories(parser, request->categories);
  visit_fields(request->options,
               [&](const Field& field, auto& member) { add_field(parser, field, member)->group("Fit"); });
  parser
      .add_option("--start", request->start,
                  "begin from the components of this model file, or from the truth of this trials file")
      ->type_name("FILE")
      ->group("Fit");

  visit_fields(request->steps, [&](const Field& field, auto& steps) {
    const std::string name = field.name;
    if (name == "drop_trials" || name == "scale")
      add_field(parser, field, steps)->group("Before the fit, as in prepare");
  });
  add_reading(parser, request->reading);
  add_common(parser, request->common);
  set_examples(
      parser,
      {"milcci fit trials.h5 --category difficulty=2:ordinal --category choice=2 --nonnegative "
       "both -o model.h5",
       "milcci fit trials.h5 --category choice=3 --fixed 1 --sparsity 0.05 -o model.h5 --force --json"});
  return {&parser, [request] { return fit_file(*request); }};
}

}  // namespace milcci::cli
