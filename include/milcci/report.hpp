// The report: one self-contained page that explains a fitted model. What stands in it as numbers:
// docs/report-format.md; what draws them: web/.
#pragma once

#include <string>
#include <vector>

#include "milcci/field.hpp"
#include "milcci/files.hpp"
#include "milcci/model.hpp"
#include "milcci/trial_source.hpp"

namespace milcci {

struct ReportOptions {
  /// Of the page. Empty: from the name of the model's file.
  std::string title = {};
  /// Moments to mark in the traces: "NAME=TIME", or "NAME=COLUMN" with a label column of times.
  std::vector<std::string> events = {};
};

template <OptionsOf<ReportOptions> Options, class Visitor>
void visit_fields(Options&& o, Visitor&& visit) {
  visit(
      Field{.name = "title", .help = "of the page; unset: the name of the model file", .placeholder = "TEXT"},
      o.title);
  visit(Field{.name = "events",
              .help = "moments to mark: a time, or a label column that holds the time of every trial",
              .placeholder = "NAME=TIME"},
        o.events);
}

/// What a report is made of.
struct ReportInput {
  const FitResult& fitted;
  /// The trials that the model was fitted to, prepared as for the fit; null: errors, data and truth are not
  /// shown.
  const TrialSource* trials = nullptr;
  /// Names of the two files, to be shown; may be empty.
  std::string model_file = {}, trials_file = {};
  /// How other methods do on the same trials: the text of a file that `milcci compare -o` wrote, or `to_json`
  /// of a `MethodComparison`. Empty: not shown.
  std::string comparison = {};
};

/// The object of docs/report-format.md. Throws Error(bad_option) for an event that is not understood,
/// Error(bad_input) if the trials are not those of the model, or the comparison is of other trials or none.
std::string report_json(const ReportInput& input, const ReportOptions& options = {});
/// The page that shows such an object. Throws Error(bad_input) if the text is none.
std::string report_page(const std::string& report_json);
/// Writes that page. Throws Error(bad_file) as `write_model` does.
void write_report(const std::string& path, const std::string& report_json,
                  Overwrite overwrite = Overwrite::no);

}  // namespace milcci
