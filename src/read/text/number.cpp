#include "read/text/number.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <limits>

namespace milcci::read {

namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool is_any_of(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::any_of(words.begin(), words.end(), [&](std::string_view word) {
    return std::equal(text.begin(), text.end(), word.begin(), word.end(),
                      [](char a, char b) { return lower(a) == b; });
  });
}

template <class Number>
std::optional<Number> parse_whole(std::string_view text) {
  text = trim(text);
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  Number value{};
  const auto [stopped, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (stopped != text.data() + text.size() || text.empty()) return {};
  if (error == std::errc::result_out_of_range) {
    if constexpr (std::is_floating_point_v<Number>) {
      // 1e-400 is zero, 1e400 is no number we know. from_chars does not say which it was.
      const std::size_t exponent = text.find_first_of("eE");
      const bool is_tiny = exponent != std::string_view::npos
                               ? text.substr(exponent + 1).starts_with('-')
                               : text.find_first_of("123456789") > text.find('.');
      if (is_tiny) return Number{0};
    }
    return {};
  }
  if (error != std::errc{}) return {};
  return value;
}

std::optional<int> take_digits(std::string_view& text, std::size_t n) {
  int number = 0;
  if (text.size() < n) return {};
  for (std::size_t i = 0; i < n; ++i) {
    if (!is_digit(text[i])) return {};
    number = 10 * number + (text[i] - '0');
  }
  text.remove_prefix(n);
  return number;
}

bool take(std::string_view& text, char c) {
  if (text.empty() || text[0] != c) return false;
  text.remove_prefix(1);
  return true;
}

std::optional<double> parse_date(std::string_view text) {
  const auto year = take_digits(text, 4);
  if (!year || !take(text, '-')) return {};
  const auto month = take_digits(text, 2);
  if (!month || !take(text, '-')) return {};
  const auto day = take_digits(text, 2);
  if (!day) return {};
  const std::chrono::year_month_day date{std::chrono::year{*year},
                                         std::chrono::month{static_cast<unsigned>(*month)},
                                         std::chrono::day{static_cast<unsigned>(*day)}};
  if (!date.ok()) return {};
  const double days = static_cast<double>(std::chrono::sys_days{date}.time_since_epoch().count());
  if (text.empty()) return days;

  if (!take(text, ' ') && !take(text, 'T')) return {};
  const auto hour = take_digits(text, 2);
  if (!hour || *hour > 23 || !take(text, ':')) return {};
  const auto minute = take_digits(text, 2);
  if (!minute || *minute > 59) return {};
  double seconds = 0;
  if (take(text, ':')) {
    const auto number = parse_number(text);
    if (!number || !is_digit(text[0]) || !(*number < 61)) return {};
    seconds = *number;
  } else if (!text.empty()) {
    return {};
  }
  return days + (3600.0 * *hour + 60.0 * *minute + seconds) / 86400.0;
}

}  // namespace

std::optional<double> parse_number(std::string_view text) {
  return parse_whole<double>(text);
}

std::optional<long long> parse_integer(std::string_view text) {
  return parse_whole<long long>(text);
}

std::optional<double> parse_value(std::string_view text) {
  text = trim(text);
  if (is_any_of(text, {"", "na", "nan", "n/a", "#n/a", "null", "none", "-nan"}))
    return std::numeric_limits<double>::quiet_NaN();
  const std::optional<double> number = parse_whole<double>(text);
  return number && std::isfinite(*number) ? number : std::nullopt;
}

std::string comma_hint(std::string_view cell) {
  std::string text(trim(cell));
  const std::size_t comma = text.find(',');
  if (comma == std::string::npos) return "";
  text[comma] = '.';
  return parse_number(text) ? "; decimals must be written with a point, " + text : "";
}

bool is_missing_label(std::string_view text) {
  return is_any_of(trim(text), {"", "na", "nan", "n/a", "#n/a"});
}

std::optional<double> parse_time(std::string_view text) {
  text = trim(text);
  if (const auto date = parse_date(text)) return date;
  const auto number = parse_number(text);
  return number && std::isfinite(*number) ? number : std::nullopt;
}

bool is_date(std::string_view text) {
  return parse_date(trim(text)).has_value();
}

}  // namespace milcci::read
