// milcci info: what is in a recording or a model file.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "console.hpp"
#include "help.hpp"
#include "milcci/describe.hpp"
#include "milcci/files.hpp"
#include "option_words.hpp"
#include "reading.hpp"
#include "streams.hpp"
#include "verb.hpp"

namespace milcci::cli {
namespace {

struct InfoRequest {
  std::string file;
  ReadOptions reading;
  CommonOptions common;
};

std::string text_of(const Trials& trials) {
  return describe_text(trials) + history_text(trials.history);
}
std::string text_of(const FitResult& result) {
  return with_flags(describe_text(result));
}

template <class Content>
void show(const InfoRequest& request, const Content& content) {
  if (request.common.json) {
    nlohmann::json json = nlohmann::json::parse(describe_json(content));
    if (json.contains("summary")) {
      nlohmann::json& warnings = json["summary"]["warnings"];
      warnings = json_with_flags(warnings);
    }
    json["file"] = request.file;
    print_json(json);
  } else {
    print_text(fmt::format("{}: {}\n", request.file, text_of(content)));
  }
}

// An NWB file in which there is a choice: what there is, in place of what would be read.
bool shows_choice(const InfoRequest& request) {
  if (!request.reading.table.empty() || !request.reading.dataset.empty()) return false;
  const NwbContents contents = nwb_contents(request.file);
  if (contents.is_decided || contents.tables.empty()) return false;
  if (request.common.json) {
    print_json(nlohmann::json{{"file", request.file},
                              {"kind", "nwb"},
                              {"tables", contents.tables},
                              {"series", contents.series},
                              {"has_spikes", contents.has_spikes}});
    return true;
  }
  std::string text =
      fmt::format("{}: NWB, with {}\n", request.file, contents.has_spikes ? "spikes" : "no spikes");
  for (const std::string& table : contents.tables) text += "table " + table + "\n";
  for (const std::string& series : contents.series) text += "time series " + series + "\n";
  print_text(text + "to read it, name a table with --table" +
             (contents.has_spikes ? ", and to take a time series for the spikes, that with --dataset\n"
                                  : " and a time series with --dataset\n"));
  return true;
}

ExitCode show_file(const InfoRequest& request) {
  const FileFormat format = file_format(request.file);
  if (format == FileFormat::nwb && shows_choice(request)) return kDone;
  if (format == FileFormat::model_file)
    show(request, read_model(request.file));
  else
    show(request, read_recording(request.file, request.reading, Console(request.common.quiet)).trials);
  return kDone;
}

}  // namespace

Verb add_info(CLI::App& program) {
  auto request = std::make_shared<InfoRequest>();
  CLI::App& parser = *program.add_subcommand("info", "Tells what is in a recording or a model file.");
  add_input(parser, "FILE", request->file, "model file, or a recording in any format that fit reads");
  add_reading(parser, request->reading);
  add_common(parser, request->common);
  set_examples(parser, {"milcci info trials.h5", "milcci info model.h5 --json"});
  return {&parser, [request] { return show_file(*request); }};
}

}  // namespace milcci::cli
