// The extension module `milcci._core`: converts, releases the GIL, calls the library. What users see is
// written in Python around it.
#include <nanobind/nanobind.h>

#include "bind.hpp"
#include "milcci/error.hpp"
#include "milcci/version.hpp"

namespace milcci::python {
namespace {

PyObject* exception_of(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::bad_input:
    case ErrorKind::bad_option:
      return PyExc_ValueError;
    case ErrorKind::bad_file:
      return PyExc_OSError;
    case ErrorKind::numerical:
      return PyExc_ArithmeticError;
  }
  return PyExc_RuntimeError;
}

}  // namespace
}  // namespace milcci::python

NB_MODULE(_core, module) {
  module.doc() = "The library behind the package `milcci`.";
  module.attr("version") = milcci::kVersion;
  nanobind::register_exception_translator([](const std::exception_ptr& thrown, void*) {
    try {
      std::rethrow_exception(thrown);
    } catch (const milcci::Error& error) {
      PyErr_SetString(milcci::python::exception_of(error.kind()), error.what());
    }
  });
  milcci::python::bind_recording(module);
  milcci::python::bind_result(module);
  milcci::python::bind_verbs(module);
  milcci::python::bind_summaries(module);
  milcci::python::bind_methods(module);
}
