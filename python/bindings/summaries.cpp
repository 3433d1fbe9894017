// What a model says, summarised: traces by label, groups of channels.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

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

}  // namespace

void bind_summaries(nb::module_& module) {
  module.def("traces_fields", &describe_fields<TraceSummaryOptions>);
  module.def("traces", &run_traces, nb::arg("fitted"), nb::arg("options"), "JSON and text.");
  module.def("groups", &run_groups, nb::arg("fitted"), "JSON and text.");
}

}  // namespace milcci::python
