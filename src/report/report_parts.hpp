// The parts of a report's object (docs/report-format.md), one function each.
#pragma once

#include "core/json_object.hpp"
#include "milcci/evaluate.hpp"
#include "milcci/report.hpp"
#include "milcci/trace_summary.hpp"

namespace milcci {

// Of the model.
Json report_categories(const Model& model);
Json report_components(const FitResult& fitted);
Json report_channels(const Model& model);
Json report_memberships(const Model& model);
Json report_standard_errors(const Model& model);
Json report_alternatives(const FitResult& fitted);
Json report_trials(const Model& model);
Json report_transitions(const Model& model);

/// The grid of time points that traces are drawn on: that of `align_traces`, with `thinned` neighbouring
/// points as one where all of them would be too many.
struct ReportGrid {
  AlignedTraces aligned;
  Index thinned = 1;
};
ReportGrid report_grid(const Model& model);
/// Rows of any kind, per trial with a column per sample of the trial, on that grid: row x trial x time point.
Json report_rows(const ReportGrid& grid, const std::vector<Vector>& times, std::vector<Matrix> rows);
Json report_traces(const ReportGrid& grid, const Model& model, const std::vector<std::string>& events);

// Of the model, and of the trials where there are any.
/// `residual` may be empty.
Json report_noise(const Model& model, const Vector& residual);

// Of the trials.
/// Standard deviation of what the model leaves of each channel.
Vector residual_deviation(const TrialSource& trials, const Evaluation& evaluation);
Json report_error_by_time(const ReportGrid& grid, const Model& model, const TrialSource& trials);
Json report_data(const Model& model, const TrialSource& trials, const Evaluation& evaluation);
Json report_truth(const ReportGrid& grid, const Model& model, const TrialSource& trials,
                  const Evaluation& evaluation);

/// Of the text of a comparison of methods, or null of none. Throws Error(bad_input) if it is no such text, or
/// of other trials or channels than the model's; with trials (they may be null) also if it is of other data.
Json report_comparison(const Model& model, const TrialSource* trials, const std::string& text);

}  // namespace milcci
