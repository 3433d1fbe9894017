#include "fields.hpp"

#include <nanobind/eigen/dense.h>

#include <limits>

namespace milcci::python {
namespace {

// The value as a message shows it.
std::string shown(nb::handle value) {
  constexpr std::size_t kLongest = 60;
  std::string text = nb::cast<std::string>(nb::repr(value));
  return text.size() > kLongest ? text.substr(0, kLongest) + "..." : text;
}

// As an int of Python, of whatever type that stands for a whole number; null otherwise.
nb::object whole_number(nb::handle value) {
  if (PyBool_Check(value.ptr())) return {};
  nb::object number = nb::steal(PyNumber_Index(value.ptr()));
  if (!number.is_valid()) PyErr_Clear();
  return number;
}

// A step of `prepare` as a dict of its fields, or as text for its parser.
template <class Step, class Parse>
void set_step(const std::string& name, nb::handle value, Step& step, Parse parse) {
  std::string text;
  if (nb::isinstance<nb::dict>(value))
    set_fields(step, nb::cast<nb::dict>(value));
  else if (nb::try_cast(value, text, false))
    step = parse(text);
  else
    refuse_value(name, value, "a text, or a dict of its parts");
}

}  // namespace

void refuse_value(const std::string& name, nb::handle value, const std::string& expected) {
  throw Error(ErrorKind::bad_option, fmt::format("`{}` = {}, must be {}", name, shown(value), expected));
}

void refuse_keyword(const std::string& name, const std::vector<std::string>& known) {
  throw Error(ErrorKind::bad_option, fmt::format("`{}`: no such option{}", name, suggestion(name, known)));
}

std::vector<nb::object> entries(const std::string& name, nb::handle value) {
  if (nb::isinstance<nb::str>(value) || nb::isinstance<nb::dict>(value)) return {nb::borrow(value)};
  if (!nb::isinstance<nb::iterable>(value)) return {nb::borrow(value)};
  std::vector<nb::object> found;
  try {
    for (const nb::handle entry : nb::iter(value)) found.push_back(nb::borrow(entry));
  } catch (const nb::python_error&) {
    refuse_value(name, value, "a list");
  }
  return found;
}

void set_value(const std::string& name, nb::handle value, double& target) {
  const bool is_text = nb::isinstance<nb::str>(value) || PyBool_Check(value.ptr());
  target = is_text ? -1.0 : PyFloat_AsDouble(value.ptr());
  if (!is_text && !PyErr_Occurred()) return;
  PyErr_Clear();
  refuse_value(name, value, "a number");
}

void set_value(const std::string& name, nb::handle value, int& target) {
  const nb::object number = whole_number(value);
  if (number.is_valid() && nb::try_cast(number, target, false)) return;
  refuse_value(name, value, "a whole number");
}

void set_value(const std::string& name, nb::handle value, std::uint64_t& target) {
  const nb::object number = whole_number(value);
  if (number.is_valid() && nb::try_cast(number, target, false)) return;
  refuse_value(name, value, "a whole number, zero or more");
}

void set_value(const std::string& name, nb::handle value, bool& target) {
  const std::string type = nb::cast<std::string>(nb::borrow(value.type()).attr("__name__"));
  if (!PyBool_Check(value.ptr()) && type != "bool" && type != "bool_")
    refuse_value(name, value, "True or False");
  target = PyObject_IsTrue(value.ptr()) == 1;
}

void set_value(const std::string& name, nb::handle value, std::string& target) {
  if (!nb::try_cast(value, target, false)) refuse_value(name, value, "a text");
}

void set_value(const std::string& name, nb::handle value, Matrix& target) {
  if (!nb::try_cast(value, target)) refuse_value(name, value, "a matrix of numbers");
}

void set_value(const std::string& name, nb::handle value, BinLabel& target) {
  set_step(name, value, target, parse_bin_label);
}
void set_value(const std::string& name, nb::handle value, BlockLabel& target) {
  set_step(name, value, target, [](const std::string& column) { return BlockLabel{column}; });
}
void set_value(const std::string& name, nb::handle value, DropTrials& target) {
  set_step(name, value, target, parse_drop_trials);
}
void set_value(const std::string& name, nb::handle value, SmoothStep& target) {
  if (PyFloat_Check(value.ptr()) || whole_number(value).is_valid())
    set_value(name, value, target.sigma);
  else
    set_step(name, value, target, parse_smooth);
}
void set_value(const std::string& name, nb::handle value, ScaleStep& target) {
  set_step(name, value, target, parse_scale);
}

std::vector<CategorySpec> specs_of(const Specs& categories) {
  std::vector<CategorySpec> specs;
  for (const nb::handle category : categories) set_fields(specs.emplace_back(), nb::cast<nb::dict>(category));
  return specs;
}

}  // namespace milcci::python
