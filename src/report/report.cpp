// The report: its object put together, and put into the page.
#include "milcci/report.hpp"

#include <filesystem>

#include "core/shown_name.hpp"
#include "files/atomic_file.hpp"
#include "milcci/describe.hpp"
#include "milcci/error.hpp"
#include "milcci/evaluate.hpp"
#include "milcci/version.hpp"
#include "report/report_parts.hpp"
#include "report/report_words.hpp"
#include "report/template.hpp"

namespace milcci {
namespace {

constexpr const char* kFormat = "milcci-report";
constexpr const char* kOtherTrials =
    "THESE ARE NOT THE TRIALS OF THE FIT: values, labels or their order differ, so data and errors on this "
    "page "
    "may belong to other trials than the traces; give the same trials, prepared in the same way";

std::string file_name(const std::string& path) {
  return std::filesystem::path(path).filename().string();
}

std::string title_of(const ReportInput& input, const ReportOptions& options) {
  if (!options.title.empty()) return options.title;
  return input.model_file.empty() ? "milcci report" : file_name(input.model_file);
}

Json name_or_null(const std::string& path) {
  return path.empty() ? Json(nullptr) : Json(file_name(path));
}

// A line per step, without the word that begins each.
std::vector<std::string> history_lines(const std::vector<std::string>& history) {
  constexpr std::string_view kBegin = "\nhistory ";
  std::vector<std::string> lines;
  const std::string text = history_text(history);
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t next = std::min(text.find(kBegin, at + 1), text.size());
    lines.push_back(text.substr(at + kBegin.size(), next - at - kBegin.size()));
    at = next;
  }
  return lines;
}

void add_trials(Json& report, const ReportGrid& grid, const ReportInput& input) {
  const Model& model = input.fitted.model;
  report["noise"] = report_noise(model, {});
  for (const char* part : {"evaluation", "error_by_time", "data", "truth"}) report[part] = nullptr;
  if (!input.trials) return;
  if (fingerprint(*input.trials) != input.fitted.summary.data_fingerprint)
    report["words"]["news"] = kOtherTrials;
  const Evaluation evaluation = evaluate(input.fitted, *input.trials);
  report["noise"] = report_noise(model, residual_deviation(*input.trials, evaluation));
  report["evaluation"] = Json::parse(to_json(evaluation));
  report["error_by_time"] = report_error_by_time(grid, model, *input.trials);
  report["data"] = report_data(model, *input.trials, evaluation);
  report["truth"] = report_truth(grid, model, *input.trials, evaluation);
}

Json report_object(const ReportInput& input, const ReportOptions& options) {
  const Model& model = input.fitted.model;
  if (model.n_trials() == 0 || model.n_components() == 0)
    throw Error(ErrorKind::bad_input, "a model without trials or components has nothing to report");
  Json comparison = report_comparison(model, input.trials, input.comparison);
  Json report = Json::object();
  report["format"] = kFormat;
  report["version"] = 1;
  report["software"] = kVersion;
  report["title"] = title_of(input, options);
  report["files"]["model"] = name_or_null(input.model_file);
  report["files"]["trials"] = name_or_null(input.trials_file);
  report["words"] = report_words(input.fitted);
  report["summary"] = Json::parse(to_json(input.fitted.summary));
  report["categories"] = report_categories(model);
  report["components"] = report_components(input.fitted);
  report["channels"] = report_channels(model);
  report["memberships"] = report_memberships(model);
  report["standard_errors"] = report_standard_errors(model);
  report["alternatives"] = report_alternatives(input.fitted);
  report["trials"] = report_trials(model);
  const ReportGrid grid = report_grid(model);
  report["traces"] = report_traces(grid, model, options.events);
  report["transitions"] = report_transitions(model);
  add_trials(report, grid, input);
  report["history"] = history_lines(model.history);
  report["comparison"] = std::move(comparison);
  for (const char* later : {"validation", "selection"}) report[later] = nullptr;
  return report;
}

// Nothing in it can end the script that it stands in.
std::string within_script(const std::string& json) {
  std::string out;
  out.reserve(json.size());
  for (const char c : json) {
    if (c == '<')
      out += "\\u003c";
    else if (c == '>')
      out += "\\u003e";
    else if (c == '&')
      out += "\\u0026";
    else
      out += c;
  }
  return out;
}

std::string within_html(const std::string& text) {
  std::string out;
  for (const char c : without_escape_codes(text)) {
    if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '&')
      out += "&amp;";
    else
      out += c;
  }
  return out;
}

// Replaces the one place of the template that is called so. Looks only at the template itself: what was put
// in may hold the same letters.
struct Filling {
  std::string_view place;
  std::string text;
};
std::string filled(std::string_view page, const std::vector<Filling>& fillings) {
  std::string out;
  for (const auto& [place, text] : fillings) {  // in their order in the template
    const std::size_t at = page.find(place);
    if (at == std::string_view::npos)
      throw Error(ErrorKind::bad_file, "the template of the report has no place " + std::string(place));
    out.append(page.substr(0, at)).append(text);
    page.remove_prefix(at + place.size());
  }
  return out.append(page);
}

}  // namespace

std::string report_json(const ReportInput& input, const ReportOptions& options) {
  return report_object(input, options).dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string report_page(const std::string& report_json) {
  const Json report = parse_json(report_json, "the report", ErrorKind::bad_input);
  if (!report.is_object() || report.value("format", "") != kFormat)
    throw Error(ErrorKind::bad_input, "the text is no report: it has no `format` \"milcci-report\"");
  return filled(report_template(), {{"__MILCCI_TITLE__", within_html(report["title"].get<std::string>())},
                                    {"__MILCCI_TEXT__", within_html(report_text(report["words"]))},
                                    {"__MILCCI_REPORT__", within_script(report_json)}});
}

void write_report(const std::string& path, const std::string& report_json, Overwrite overwrite) {
  const std::string page = report_page(report_json);
  AtomicFile file(path, overwrite);
  file.write(page);
  file.commit();
}

}  // namespace milcci
