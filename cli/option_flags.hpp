// Options structs as flags: every field that visit_fields describes becomes an option of the parser
// and a key of the JSON echo, so that no option is described twice.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <type_traits>

#include "milcci/options.hpp"
#include "milcci/prepare.hpp"

namespace milcci::cli {

/// The flag of a field or of a key in a configuration file: "n_empty_cells" -> "--empty-cells", "is_signed"
/// -> "--signed".
std::string flag_of(const std::string& field);

/// The value in `text`. Each throws Error(bad_option) that names the flag and what it expects.
void read_value(const std::string& flag, const std::string& text, double& value);
void read_value(const std::string& flag, const std::string& text, int& value);
void read_value(const std::string& flag, const std::string& text, std::uint64_t& value);
void read_value(const std::string& flag, const std::string& text, std::string& value);
/// Names with commas between them are added to the list; a backslash before a comma makes it part of a name.
void read_value(const std::string& flag, const std::string& text, std::vector<std::string>& value);
/// The steps of `prepare`, as their parsers want them written.
void read_value(const std::string& flag, const std::string& text, BinLabel& value);
void read_value(const std::string& flag, const std::string& text, BlockLabel& value);
void read_value(const std::string& flag, const std::string& text, DropTrials& value);
void read_value(const std::string& flag, const std::string& text, SmoothStep& value);
void read_value(const std::string& flag, const std::string& text, ScaleStep& value);
/// Throws that `text` is none of the names, with the nearest of them.
[[noreturn]] void refuse_name(const std::string& flag, const std::string& text,
                              const std::vector<std::string>& names);

template <class Enum>
requires std::is_enum_v<Enum>
void read_value(const std::string& flag, const std::string& text, Enum& value) {
  const std::vector<std::string>& names = value_names(Enum{});
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] != text) continue;
    value = static_cast<Enum>(i);
    return;
  }
  refuse_name(flag, text, names);
}

template <class T>
void read_value(const std::string& flag, const std::string& text, std::optional<T>& value) {
  read_value(flag, text, value.emplace());
}

template <class T>
void read_value(const std::string& flag, const std::string& text, std::vector<T>& value) {
  read_value(flag, text, value.emplace_back());
}

/// What stands behind a flag in the help: NUMBER, INTEGER, the allowed names or the placeholder.
template <class T>
std::string value_label(const Field& field, const T&) {
  if constexpr (std::is_enum_v<T>)
    return fmt::format("{}", fmt::join(value_names(T{}), "|"));
  else if constexpr (std::is_integral_v<T>)
    return "INTEGER";
  else if constexpr (std::is_floating_point_v<T>)
    return "NUMBER";
  else
    return field.placeholder;
}

template <class T>
std::string value_label(const Field& field, const std::optional<T>&) {
  return value_label(field, T{});
}

template <class T>
std::string default_text(const T& value) {
  if constexpr (std::is_enum_v<T>)
    return to_text(value);
  else if constexpr (std::is_arithmetic_v<T> || std::is_same_v<T, std::string>)
    return fmt::format("{}", value);
  else
    return "";
}
template <class T>
std::string default_text(const std::optional<T>& value) {
  return value ? default_text(*value) : "";
}
template <class T>
std::string default_text(const std::vector<T>&) {
  return "";  // every list is empty by default
}

/// What a field means, with its symbol, range and default: "share of zeros [z] (0 to 1, default 0.6)".
std::string help_of(const Field& field, const std::string& default_text);

template <class T>
inline constexpr bool is_list = false;
template <class T>
inline constexpr bool is_list<std::vector<T>> = true;

/// Adds the flag of one field. `member` must outlive the parser and holds the default.
template <class T>
CLI::Option* add_field(CLI::App& parser, const Field& field, T& member) {
  const std::string flag = flag_of(field.name);
  const std::string help = help_of(field, std::is_same_v<T, bool> ? "" : default_text(member));
  if constexpr (std::is_same_v<T, bool>) {
    return parser.add_flag(flag, member, help);
  } else {
    const auto read = [flag, &member](const CLI::results_t& texts) {
      for (const std::string& text : texts) read_value(flag, text, member);
      return true;
    };
    CLI::Option* option = parser.add_option(flag, read, help)->type_name(value_label(field, member));
    // A list may be given in several flags, each with one value behind it.
    if constexpr (is_list<T>)
      option->expected(1, CLI::detail::expected_max_vector_size)->allow_extra_args(false);
    return option;
  }
}

/// One field as a JSON value.
template <class T>
nlohmann::json field_json(const T& value) {
  if constexpr (std::is_enum_v<T>)
    return to_text(value);
  else
    return value;
}

}  // namespace milcci::cli
