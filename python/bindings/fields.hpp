// Options structs as keywords: every field that visit_fields describes can be set from a Python value, and
// tells its name, help, range and default, so that no option is described twice.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "bind.hpp"
#include "core/nearest_name.hpp"
#include "milcci/error.hpp"
#include "milcci/field.hpp"
#include "milcci/options.hpp"
#include "milcci/prepare.hpp"
#include "milcci/types.hpp"

namespace milcci::python {

/// Sets `target` from the value of the keyword `name`. Each throws Error(bad_option) that shows the value
/// and says what was expected.
void set_value(const std::string& name, nb::handle value, double& target);
void set_value(const std::string& name, nb::handle value, int& target);
void set_value(const std::string& name, nb::handle value, std::uint64_t& target);
void set_value(const std::string& name, nb::handle value, bool& target);
void set_value(const std::string& name, nb::handle value, std::string& target);
void set_value(const std::string& name, nb::handle value, Matrix& target);
/// The steps of `prepare`: as text for their parsers, or as a dict of their fields.
void set_value(const std::string& name, nb::handle value, BinLabel& target);
void set_value(const std::string& name, nb::handle value, BlockLabel& target);
void set_value(const std::string& name, nb::handle value, DropTrials& target);
void set_value(const std::string& name, nb::handle value, SmoothStep& target);
void set_value(const std::string& name, nb::handle value, ScaleStep& target);

/// Throws that the value of `name` is not `expected`.
[[noreturn]] void refuse_value(const std::string& name, nb::handle value, const std::string& expected);
/// Throws that there is no keyword `name`, with the nearest of those that are known.
[[noreturn]] void refuse_keyword(const std::string& name, const std::vector<std::string>& known);
/// The entries of a list, tuple or array; a single text is a list of one.
std::vector<nb::object> entries(const std::string& name, nb::handle value);

template <class Enum>
requires std::is_enum_v<Enum>
void set_value(const std::string& name, nb::handle value, Enum& target) {
  const std::vector<std::string>& names = value_names(Enum{});
  std::string text;
  if (!nb::try_cast(value, text, false)) refuse_value(name, value, fmt::format("{}", fmt::join(names, ", ")));
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] != text) continue;
    target = static_cast<Enum>(i);
    return;
  }
  refuse_value(name, value, fmt::format("one of {}", fmt::join(names, ", ")));
}

template <class T>
void set_value(const std::string& name, nb::handle value, std::optional<T>& target) {
  if (value.is_none())
    target.reset();
  else
    set_value(name, value, target.emplace());
}

template <class T>
void set_value(const std::string& name, nb::handle value, std::vector<T>& target) {
  target.clear();
  for (const nb::object& entry : entries(name, value)) set_value(name, entry, target.emplace_back());
}

/// Sets the fields that `values` names. Throws Error(bad_option) for names that are no fields.
template <class Options>
void set_fields(Options& options, const nb::dict& values) {
  std::vector<std::string> known;
  visit_fields(options, [&](const Field& field, auto& member) {
    known.emplace_back(field.name);
    if (values.contains(field.name)) set_value(field.name, values[field.name], member);
  });
  for (const auto& [key, value] : values) {
    const auto name = nb::cast<std::string>(key);
    if (std::find(known.begin(), known.end(), name) == known.end()) refuse_keyword(name, known);
  }
}

/// Categories, each a dict of its fields.
std::vector<CategorySpec> specs_of(const Specs& categories);

template <class T>
inline constexpr bool is_optional = false;
template <class T>
inline constexpr bool is_optional<std::optional<T>> = true;
template <class T>
inline constexpr bool is_list = false;
template <class T>
inline constexpr bool is_list<std::vector<T>> = true;

/// The type of a value as Python's annotations write it.
template <class T>
std::string annotation() {
  if constexpr (is_optional<T>)
    return annotation<typename T::value_type>() + " | None";
  else if constexpr (is_list<T>)
    return fmt::format("Sequence[{}]", annotation<typename T::value_type>());
  else if constexpr (std::is_same_v<T, bool>)
    return "bool";
  else if constexpr (std::is_integral_v<T>)
    return "int";
  else if constexpr (std::is_floating_point_v<T>)
    return "float";
  else if constexpr (std::is_enum_v<T>)
    return fmt::format("Literal[\"{}\"]", fmt::join(value_names(T{}), "\", \""));
  else if constexpr (std::is_same_v<T, std::string>)
    return "str";
  else
    return "Any";
}

/// A value as Python sees it; None for what has no value, or none in Python.
template <class T>
nb::object to_python(const T& value) {
  if constexpr (is_optional<T>) {
    return value ? to_python(*value) : nb::none();
  } else if constexpr (is_list<T>) {
    nb::list list;
    for (const auto& entry : value) list.append(to_python(entry));
    return list;
  } else if constexpr (std::is_enum_v<T>) {
    return nb::cast(to_text(value));
  } else if constexpr (std::is_arithmetic_v<T> || std::is_same_v<T, std::string>) {
    return nb::cast(value);
  } else {
    return nb::none();
  }
}

/// A dict per field: name, symbol, help, annotation, default.
template <class Options>
Specs describe_fields() {
  Specs fields;
  visit_fields(Options{}, [&](const Field& field, const auto& member) {
    nb::dict entry;
    entry["name"] = field.name;
    entry["symbol"] = field.symbol;
    entry["help"] = field.help;
    entry["annotation"] = annotation<std::remove_cvref_t<decltype(member)>>();
    entry["default"] = to_python(member);
    fields.append(entry);
  });
  return fields;
}

}  // namespace milcci::python
