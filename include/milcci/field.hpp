// How an option is described: once, in the `visit_fields` of its struct, for every face of the program.
#pragma once

#include <concepts>
#include <type_traits>

namespace milcci {

/// What is said of an option wherever it is shown.
struct Field {
  const char* name;         ///< C++ member, JSON key, Python keyword; the flag is --name with dashes
  const char* symbol = "";  ///< in the paper or in docs/notation.md, or ""
  const char* help = "";
  double minimum = 0.0;          ///< numbers only, inclusive
  double maximum = 0.0;          ///< numbers only, inclusive
  const char* placeholder = "";  ///< texts only: what stands for the value in the help
  const char* example = "";      ///< keys of a category only: a category that has it
  bool excludes_minimum = false;
};

/// As `maximum`: any finite number.
inline constexpr double kUnlimited = 1e300;

/// `T` is the options struct, const or not. Every options struct has
///   template <OptionsOf<Struct> Options, class Visitor>
///   void visit_fields(Options&& options, Visitor&& visit);
/// which calls visit(Field, member) for its members, in the order they are documented.
template <class T, class Struct>
concept OptionsOf = std::same_as<std::remove_cvref_t<T>, Struct>;

}  // namespace milcci
