// Numbers, dates and missing values as people write them in tables.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "read/text/short_text.hpp"

namespace milcci::read {

/// Without blanks at either end.
inline std::string_view trim(std::string_view text) {
  const auto is_blank = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

/// The number a text is, all of it; a sign + and blanks around are welcome. Correctly rounded.
std::optional<double> parse_number(std::string_view text);
std::optional<long long> parse_integer(std::string_view text);

/// The number, or NaN for a missing value (empty, NA, N/A, NaN, null, none in any case). Nothing for what
/// is neither, infinity included. Commas are understood where there is one way to: 1,5 and 1,234,567 are
/// numbers, 1,234 is none.
std::optional<double> parse_value(std::string_view text);
/// The same where nothing may be missing: a finite number, or nothing.
std::optional<double> parse_finite(std::string_view text);
/// The same for a cell in padded memory (short_text.hpp). False for what is no value.
inline bool parse_cell(std::string_view cell, double& value) {
  if (parse_short_decimal(cell, value)) return true;
  const std::optional<double> number = parse_value(cell);
  value = number.value_or(0.0);
  return number.has_value();
}
/// What to add to a complaint about a cell such as 1,234, which may be two numbers; else nothing.
std::string comma_hint(std::string_view cell);
/// True for a label that is missing: empty, NA, N/A, NaN. "none" is a label.
bool is_missing_label(std::string_view text);

/// A time: a finite number, with commas as above, or a date 2016-01-31 or 31.1.2016 in days since 1970-01-01,
/// also with a time of day (2016-01-31 18:30, 2016-01-31T18:30:05.25, also 05,25) and its zone (Z, +02:00,
/// -0500).
std::optional<double> parse_time(std::string_view text);
/// True if the text is a date as above.
bool is_date(std::string_view text);

}  // namespace milcci::read
