// What a model says, summarised: traces by label, groups of channels, and all of it on one page.
#include <nanobind/eigen/dense.h>
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "arrays.hpp"
#include "bind.hpp"
#include "fields.hpp"
#include "milcci/channel_groups.hpp"
#include "milcci/report.hpp"
#include "milcci/trace_summary.hpp"
#include "recording.hpp"

namespace milcci::python {
namespace {

Texts run_traces(const FitResult& fitted, const Keywords& keywords) {
  TraceSummaryOptions options;
  set_fields(options, keywords);
  TraceSummary summary;
  {
    const nb::gil_scoped_release release;
    summary = summarise_traces(fitted.model, options);
  }
  return nb::make_tuple(to_json(summary), to_text(summary));
}

Texts run_groups(const FitResult& fitted) {
  const std::vector<GroupShare> shares = channel_groups(fitted.model);
  return nb::make_tuple(to_json(shares), to_text(shares));
}

Keywords run_align(const FitResult& fitted) {
  const AlignedTraces aligned = align_traces(fitted.model);
  Keywords found;
  found["times"] = nb::cast(aligned.times);
  found["step"] = aligned.step;
  found["is_from_start"] = aligned.is_from_start;
  found["traces"] = nb::cast(stack(aligned.traces));
  return found;
}

Keywords run_group(const FitResult& fitted, const std::vector<std::string>& by) {
  const TrialGroups groups = group_trials(fitted.model, by);
  Keywords found;
  found["values"] = nb::cast(groups.values);
  found["of_trial"] = nb::cast(groups.of_trial);
  return found;
}

std::string run_report(const FitResult& fitted, const Recording* recording, const std::string& comparison,
                       const Keywords& keywords) {
  ReportOptions options;
  set_fields(options, keywords);
  const nb::gil_scoped_release release;
  ReportInput input{.fitted = fitted, .trials = recording ? &recording->source() : nullptr};
  input.comparison = comparison;
  return report_json(input, options);
}

void save_report(const std::string& path, const std::string& report, bool overwrite) {
  write_report(path, report, overwrite ? Overwrite::yes : Overwrite::no);
}

}  // namespace

void bind_summaries(nb::module_& module) {
  module.def("traces_fields", &describe_fields<TraceSummaryOptions>);
  module.def("traces", &run_traces, nb::arg("fitted"), nb::arg("options"), "JSON and text.");
  module.def("align_traces", &run_align, nb::arg("fitted"),
             "times, step, is_from_start, and traces: component x time x trial on one grid.");
  module.def("group_trials", &run_group, nb::arg("fitted"), nb::arg("by"),
             "values: of the labels, per group; of_trial: the group of each trial, or -1.");
  module.def("groups", &run_groups, nb::arg("fitted"), "JSON and text.");
  module.def("report_fields", &describe_fields<ReportOptions>);
  module.def("report", &run_report, nb::arg("fitted"), nb::arg("recording").none(), nb::arg("comparison"),
             nb::arg("options"), "The object of a report, as JSON.");
  module.def("report_page", &report_page, nb::arg("report"), "HTML.");
  module.def("save_report", &save_report, nb::arg("path"), nb::arg("report"), nb::arg("overwrite"));
}

}  // namespace milcci::python
