// What a model says, summarised: traces by label, groups of channels.
#include <nanobind/eigen/dense.h>
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "arrays.hpp"
#include "bind.hpp"
#include "fields.hpp"
#include "milcci/channel_groups.hpp"
#include "milcci/trace_summary.hpp"

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

}  // namespace

void bind_summaries(nb::module_& module) {
  module.def("traces_fields", &describe_fields<TraceSummaryOptions>);
  module.def("traces", &run_traces, nb::arg("fitted"), nb::arg("options"), "JSON and text.");
  module.def("align_traces", &run_align, nb::arg("fitted"),
             "times, step, is_from_start, and traces: component x time x trial on one grid.");
  module.def("group_trials", &run_group, nb::arg("fitted"), nb::arg("by"),
             "values: of the labels, per group; of_trial: the group of each trial, or -1.");
  module.def("groups", &run_groups, nb::arg("fitted"), "JSON and text.");
}

}  // namespace milcci::python
