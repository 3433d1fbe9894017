// What makes an option invalid by its own description: a number outside its range, a value without a name.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "milcci/field.hpp"

namespace milcci {

/// Adds "`sparsity` = -1, must be between 0 and 0.999", with `where` in front, if it is so. NaN always is.
void check_range(const std::string& where, const Field& field, double value,
                 std::vector<std::string>& sentences);

template <class T>
void check_field(const std::string& where, const Field& field, const T& value,
                 std::vector<std::string>& sentences) {
  if constexpr (std::is_enum_v<T>) {
    const std::vector<std::string>& names = value_names(value);
    if (static_cast<std::size_t>(value) >= names.size())
      sentences.push_back(fmt::format("{}`{}` has the unknown value {}, must be one of {}", where, field.name,
                                      static_cast<int>(value), fmt::join(names, ", ")));
  } else if constexpr (std::is_arithmetic_v<T> && !std::is_same_v<T, bool>) {
    check_range(where, field, static_cast<double>(value), sentences);
  }
}
template <class T>
void check_field(const std::string& where, const Field& field, const std::optional<T>& value,
                 std::vector<std::string>& sentences) {
  if (value) check_field(where, field, *value, sentences);
}

/// One sentence per field that is outside its range.
template <class Options>
std::vector<std::string> range_violations(const Options& options, const std::string& where = "") {
  std::vector<std::string> sentences;
  visit_fields(options,
               [&](const Field& field, const auto& value) { check_field(where, field, value, sentences); });
  return sentences;
}

}  // namespace milcci
