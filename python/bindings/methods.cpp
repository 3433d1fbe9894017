// Methods side by side, those of Python among them.
#include <fmt/format.h>
#include <nanobind/eigen/dense.h>
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "arrays.hpp"
#include "bind.hpp"
#include "fields.hpp"
#include "listener.hpp"
#include "milcci/compare_methods.hpp"
#include "milcci/error.hpp"
#include "recording.hpp"

namespace milcci::python {
namespace {

// time x channel per trial, in memory of NumPy's own.
nb::list values_of(const TrialSource& trials) {
  nb::list all;
  TrialBuffer buffer;
  for (std::size_t m = 0; m < trials.n_trials(); ++m)
    all.append(nb::cast(array_of(trials.doubles(m, buffer).transpose())));
  return all;
}

// What Python raised, in one line. Ctrl-C is no failure of a method.
[[noreturn]] void refuse(nb::python_error& error) {
  if (!error.matches(PyExc_Exception)) throw std::move(error);
  const auto text = nb::cast<std::string>(nb::str(error.value()));
  throw Error(ErrorKind::bad_input,
              fmt::format("{}: {}", nb::cast<std::string>(error.type().attr("__name__")),
                          text.substr(0, text.find('\n'))));
}

// method(values, labels, n_components, seed) -> (components, traces, offset or None, is_nonnegative)
OtherMethod other_method(const std::string& name, nb::object method) {
  return {name, [method = std::move(method)](const TrialSource& trials, const BaselineOptions& options) {
            const nb::gil_scoped_acquire gil;
            try {
              const nb::object found =
                  method(values_of(trials), to_list(trials.labels()), options.n_components, options.seed);
              std::vector<Matrix> traces;
              for (const nb::handle trace : found[1]) traces.push_back(nb::cast<Matrix>(trace));
              const auto offset = nb::cast<std::optional<Vector>>(found[2]);
              return baseline_fit_of(trials, nb::cast<Matrix>(found[0]), std::move(traces),
                                     offset.value_or(Vector()), nb::cast<bool>(found[3]));
            } catch (nb::python_error& error) {
              refuse(error);
            } catch (const nb::cast_error&) {
              throw Error(ErrorKind::bad_input,
                          "it must return components (channel x component), traces (component x time, per "
                          "trial), and an offset per channel or None");
            }
          }};
}

Texts run_compare_methods(const Recording& recording, const Specs& categories, const Keywords& fitting,
                          const Keywords& others, const Keywords& comparing, const Keywords& cosmoothing,
                          const nb::typed<nb::list, nb::typed<nb::tuple, nb::str, nb::any>>& methods,
                          const Anything& show) {
  CompareOptions options;
  set_fields(options, comparing);
  set_fields(options.fit, fitting);
  options.fit.categories = specs_of(categories);
  set_fields(options.baselines, others);
  set_fields(options.cosmoothing, cosmoothing);
  for (const nb::handle method : methods)
    options.others.push_back(other_method(nb::cast<std::string>(method[0]), nb::borrow(method[1])));
  Listener listener(show);
  std::optional<MethodComparison> found;
  {
    const nb::gil_scoped_release release;
    found = compare_methods(recording.source(), options, [&](const MethodProgress& progress) {
      return listener(progress.is_new, [&](const nb::object& tell) {
        if (progress.is_new) tell(progress.method, progress.repeat);
      });
    });
  }
  listener.rethrow();
  return nb::make_tuple(nb::cast(to_json(*found, WithComponents::yes)), nb::cast(to_table(*found)));
}

}  // namespace

void bind_methods(nb::module_& module) {
  module.def("compare_fields", &describe_fields<CompareOptions>);
  module.def("baseline_fields", &describe_fields<BaselineOptions>);
  module.def("compare_methods", &run_compare_methods, nb::arg("recording"), nb::arg("categories"),
             nb::arg("fitting"), nb::arg("others"), nb::arg("comparing"), nb::arg("cosmoothing"),
             nb::arg("methods"), nb::arg("show").none(), "JSON with all components, and table.");
}

}  // namespace milcci::python
