// A fitted model, or traces under one, with its numbers as arrays.
#include <nanobind/eigen/dense.h>
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "arrays.hpp"
#include "bind.hpp"
#include "fields.hpp"
#include "milcci/components.hpp"
#include "milcci/describe.hpp"
#include "milcci/files.hpp"
#include "milcci/model.hpp"

namespace milcci::python {
namespace {

template <class List>
const auto& at(const List& list, std::size_t position, const char* what) {
  if (position >= list.size()) throw nb::index_error(what);
  return list[position];
}

Keywords category_of(const FittedCategory& fitted) {
  const Category& category = fitted.category;
  nb::dict spec;
  visit_fields(category.spec,
               [&](const Field& field, const auto& member) { spec[field.name] = to_python(member); });
  spec["graph"] = nb::cast(category.spec.graph);
  Keywords found;
  found["spec"] = spec;
  found["options"] = nb::cast(category.options);
  found["option_values"] = nb::cast(category.option_values);
  found["option_of_trial"] = nb::cast(category.option_of_trial);
  found["bin_edges"] = nb::cast(category.bin_edges);
  return found;
}

Specs categories_of(const FitResult& result) {
  Specs categories;
  for (const FittedCategory& fitted : result.model.categories) categories.append(category_of(fitted));
  return categories;
}

Anything standard_errors(const FitResult& result, std::size_t category) {
  const auto& errors = result.model.noise.standard_errors;
  if (errors.empty()) return nb::none();
  return nb::cast(stack(at(errors, category, "no such category")));
}

Keywords options_of(const FitResult& result) {
  Keywords options;
  visit_fields(result.summary.options,
               [&](const Field& field, const auto& member) { options[field.name] = to_python(member); });
  return options;
}

Keywords noise_of(const NoiseModel& noise) {
  Keywords found;
  found["offset"] = nb::cast(noise.offset);
  found["level"] = nb::cast(noise.level);
  found["unit"] = nb::cast(noise.unit);
  found["members"] = nb::cast(noise.keeps_sparsity ? "sparsity" : "standard errors");
  found["ridge"] = nb::cast(noise.ridge);
  found["smoothness"] = nb::cast(noise.smoothness);
  found["consistency"] = nb::cast(noise.consistency);
  return found;
}

using Class = nb::class_<FitResult>;

void bind_model(Class& result) {
  const auto release = nb::call_guard<nb::gil_scoped_release>();
  result.def_static("read", &read_model, nb::arg("path"), release)
      .def(
          "write",
          [](const FitResult& r, const std::string& path, bool overwrite) {
            write_model(path, r, overwrite ? Overwrite::yes : Overwrite::no);
          },
          nb::arg("path"), nb::arg("overwrite"), release)
      .def_prop_ro("n_trials", [](const FitResult& r) { return r.model.n_trials(); })
      .def_prop_ro("n_components", [](const FitResult& r) { return r.model.n_components(); })
      .def_prop_ro("channel_names", [](const FitResult& r) { return r.model.channel_names; })
      .def_prop_ro("channel_groups", [](const FitResult& r) { return r.model.channel_groups; })
      .def_prop_ro("trial_names", [](const FitResult& r) { return r.model.trial_names; })
      .def_prop_ro("labels", [](const FitResult& r) { return to_list(r.model.labels); })
      .def_prop_ro("times", [](const FitResult& r) { return r.model.times; })
      .def_prop_ro("categories", &categories_of, "A dict per category, with its spec and its options.")
      .def(
          "graph",
          [](const FitResult& r, std::size_t k) {
            return array_of(at(r.model.categories, k, "no such category").category.graph.dense());
          },
          nb::arg("category"), "Option x option: lambda, how alike they are held to be.")
      .def(
          "components",
          [](const FitResult& r, std::size_t k) {
            return stack(at(r.model.categories, k, "no such category").variants);
          },
          nb::arg("category"), "Channel x component x option.")
      .def("standard_errors", &standard_errors, nb::arg("category"),
           "Of the memberships, or None if they were not estimated.")
      .def(
          "alternative",
          [](const FitResult& r, std::size_t answer, std::size_t k) {
            return stack(at(at(r.model.alternatives, answer, "no such answer"), k, "no such category"));
          },
          nb::arg("answer"), nb::arg("category"), "Components of another answer about as good.")
      .def_prop_ro("n_alternatives", [](const FitResult& r) { return r.model.alternatives.size(); })
      .def(
          "trace",
          [](nb::handle self, std::size_t m) {
            return view_of(at(nb::cast<const FitResult&>(self).model.traces, m, "no such trial"), self);
          },
          nb::arg("trial"), "Component x time, in place.")
      .def(
          "transition",
          [](nb::handle self, std::size_t m) {
            return view_of(at(nb::cast<const FitResult&>(self).model.transitions, m, "no such transition"),
                           self);
          },
          nb::arg("trial"), "Component x component, lds prior only.")
      .def_prop_ro("n_transitions", [](const FitResult& r) { return r.model.transitions.size(); })
      .def(
          "loading",
          [](const FitResult& r, std::size_t m) {
            at(r.model.traces, m, "no such trial");
            return array_of(r.model.loading(m));
          },
          nb::arg("trial"), "Channel x component: the variants that the label of the trial chooses.")
      .def(
          "reconstruction",
          [](const FitResult& r, std::size_t m) {
            at(r.model.traces, m, "no such trial");
            return array_of(r.model.reconstruction(m));
          },
          nb::arg("trial"), "Channel x time.");
}

void bind_summary(Class& result) {
  result.def_prop_ro("noise", [](const FitResult& r) { return noise_of(r.model.noise); })
      .def_prop_ro("options", &options_of, "As they were resolved, without the categories.")
      .def_prop_ro("objective",
                   [](const FitResult& r) {
                     return r.summary.objective ? std::optional(r.summary.objective->total()) : std::nullopt;
                   })
      .def_prop_ro("r2", [](const FitResult& r) { return r.summary.r2; })
      .def_prop_ro("explained", [](const FitResult& r) { return r.summary.explained; })
      .def_prop_ro("n_iterations", [](const FitResult& r) { return r.summary.iterations.size(); })
      .def_prop_ro("stop_reason", [](const FitResult& r) { return to_text(r.summary.reason); })
      .def_prop_ro("message", [](const FitResult& r) { return r.summary.message; })
      .def_prop_ro("is_at_rest", [](const FitResult& r) { return r.summary.is_at_rest(); })
      .def_prop_ro("warnings", [](const FitResult& r) { return r.summary.warnings; })
      .def_prop_ro("version", [](const FitResult& r) { return r.summary.version; })
      .def_prop_ro("data_fingerprint", [](const FitResult& r) { return r.summary.data_fingerprint; })
      .def_prop_ro("fitted_fingerprint", [](const FitResult& r) { return r.summary.fitted_fingerprint; })
      .def("worst_news", &worst_news, "Why it is not to be trusted, or nothing.")
      .def("summary_json", [](const FitResult& r) { return to_json(r.summary); })
      .def("report",
           [](const FitResult& r) {
             return r.summary.brief_report() + noise_text(r.model) + "\n" + components_table(r);
           })
      .def(
          "view",
          [](const FitResult& r, const std::string& category, std::optional<Index> component,
             std::size_t n_members) -> Texts {
            const auto views =
                view_components(r, {.category = category, .component = component, .n_members = n_members});
            return nb::make_tuple(nb::cast(to_json(views)), nb::cast(to_text(views)));
          },
          nb::arg("category"), nb::arg("component").none(), nb::arg("n_members"),
          "The components as JSON and as text.");
}

}  // namespace

void bind_result(nb::module_& module) {
  Class result(module, "Result", "Components, traces, and how they were found.");
  bind_model(result);
  bind_summary(result);
}

}  // namespace milcci::python
