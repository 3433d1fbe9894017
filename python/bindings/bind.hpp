// The parts of the module `milcci._core`.
#pragma once

#include <nanobind/nanobind.h>

namespace milcci::python {

namespace nb = nanobind;

// Types as the stubs tell them.
using Keywords = nb::typed<nb::dict, nb::str, nb::any>;
using Specs = nb::typed<nb::list, Keywords>;
using NamedValues = nb::typed<nb::list, nb::typed<nb::tuple, nb::str, nb::any>>;
using Anything = nb::typed<nb::object, nb::any>;
using Texts = nb::typed<nb::tuple, nb::str, nb::str>;  ///< JSON for programs, text for people

void bind_recording(nb::module_& module);
void bind_result(nb::module_& module);
void bind_verbs(nb::module_& module);
void bind_summaries(nb::module_& module);
void bind_methods(nb::module_& module);

}  // namespace milcci::python
