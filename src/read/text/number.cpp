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

// One digit or two.
std::optional<int> take_one_or_two(std::string_view& text) {
  const bool has_two = text.size() > 1 && is_digit(text[1]);
  return take_digits(text, has_two ? 2 : 1);
}

struct Day {
  std::optional<int> year, month, day;
};

// 2016-01-31
Day take_iso_day(std::string_view& text) {
  Day found;
  found.year = take_digits(text, 4);
  if (!found.year || !take(text, '-')) return {};
  found.month = take_digits(text, 2);
  if (!found.month || !take(text, '-')) return {};
  found.day = take_digits(text, 2);
  return found;
}

// 31.1.2016
Day take_dotted_day(std::string_view& text) {
  Day found;
  found.day = take_one_or_two(text);
  if (!found.day || !take(text, '.')) return {};
  found.month = take_one_or_two(text);
  if (!found.month || !take(text, '.')) return {};
  found.year = take_digits(text, 4);
  return found;
}

// Takes Z, +02, +02:00 or +0200 off the end of a time of day: hours ahead of universal time.
double take_zone(std::string_view& text) {
  if (text.ends_with('Z')) {
    text.remove_suffix(1);
    return 0;
  }
  const std::size_t sign = text.find_last_of("+-");
  if (sign == std::string_view::npos) return 0;
  std::string_view zone = text.substr(sign + 1);
  const auto hours = take_digits(zone, 2);
  take(zone, ':');
  const auto minutes = zone.empty() ? std::optional(0) : take_digits(zone, 2);
  if (!hours || *hours > 14 || !minutes || *minutes > 59 || !zone.empty()) return 0;
  const double ahead = *hours + *minutes / 60.0;
  const bool is_ahead = text[sign] == '+';
  text = text.substr(0, sign);
  return is_ahead ? ahead : -ahead;
}

std::optional<double> parse_date(std::string_view text) {
  std::string_view dotted = text;
  auto [year, month, day] = take_iso_day(text);
  if (!day) {
    const Day found = take_dotted_day(dotted);
    if (!found.year) return {};
    year = found.year, month = found.month, day = found.day;
    text = dotted;
  }
  const std::chrono::year_month_day date{std::chrono::year{*year},
                                         std::chrono::month{static_cast<unsigned>(*month)},
                                         std::chrono::day{static_cast<unsigned>(*day)}};
  if (!date.ok()) return {};
  const double days = static_cast<double>(std::chrono::sys_days{date}.time_since_epoch().count());
  if (text.empty()) return days;

  if (!take(text, ' ') && !take(text, 'T')) return {};
  const double ahead = take_zone(text);
  const auto hour = take_digits(text, 2);
  if (!hour || *hour > 23 || !take(text, ':')) return {};
  const auto minute = take_digits(text, 2);
  if (!minute || *minute > 59) return {};
  double seconds = 0;
  if (take(text, ':')) {
    std::string with_point(text);
    std::ranges::replace(with_point, ',', '.');
    const auto number = parse_number(with_point);
    if (!number || !is_digit(text[0]) || !(*number < 61)) return {};
    seconds = *number;
  } else if (!text.empty()) {
    return {};
  }
  return days + (3600.0 * (*hour - ahead) + 60.0 * *minute + seconds) / 86400.0;
}

// Groups of three digits behind one to three of them, the first not zero: 1,234,567. Returns how many there
// are behind; 0 for everything else.
std::size_t n_groups(std::string_view digits, char separator) {
  std::size_t n = 0, length = 0;
  if (digits.empty() || digits[0] == '0') return 0;
  for (const char c : digits) {
    if (is_digit(c)) {
      ++length;
    } else {
      if (c != separator || length == 0 || length > 3 || (n > 0 && length != 3)) return 0;
      ++n;
      length = 0;
    }
  }
  return length == 3 ? n : 0;
}

std::string without(std::string_view text, char separator) {
  std::string out(text);
  std::erase(out, separator);
  return out;
}

// Numbers with a comma, where there is one way to read them: 1,5 and 0,125 and 1.234,5 have decimals behind
// it; 1,234,567 and 1,234.5 have groups of thousands. 1,234 may be either, and is none.
std::optional<double> parse_with_commas(std::string_view text) {
  std::string_view digits = text;
  if (!digits.empty() && (digits[0] == '-' || digits[0] == '+')) digits.remove_prefix(1);
  const std::size_t comma = digits.find(','), point = digits.find('.');
  const bool has_one = digits.find(',', comma + 1) == std::string_view::npos;
  if (point != std::string_view::npos && point > comma)  // 1,234.5
    return n_groups(digits.substr(0, point), ',') > 0 ? parse_whole<double>(without(text, ','))
                                                      : std::nullopt;
  const bool has_groups = n_groups(digits, ',') > 0;
  if (!has_one) return has_groups ? parse_whole<double>(without(text, ',')) : std::nullopt;
  if (point != std::string_view::npos && n_groups(digits.substr(0, comma), '.') == 0) return {};
  if (point == std::string_view::npos && has_groups) return {};
  std::string with_point = without(text, '.');
  std::ranges::replace(with_point, ',', '.');
  return parse_whole<double>(with_point);
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
  const std::optional<double> number =
      text.find(',') == std::string_view::npos ? parse_whole<double>(text) : parse_with_commas(text);
  return number && std::isfinite(*number) ? number : std::nullopt;
}

std::optional<double> parse_finite(std::string_view text) {
  const std::optional<double> value = parse_value(text);
  return value && !std::isnan(*value) ? value : std::nullopt;
}

std::string comma_hint(std::string_view cell) {
  std::string text(trim(cell));
  const std::size_t comma = text.find(',');
  if (comma == std::string::npos || parse_value(text)) return "";
  text[comma] = '.';
  if (!parse_number(text)) return "";
  return "; it may be " + text + " or " + text.substr(0, comma) + text.substr(comma + 1) +
         ", so write it with a point or without the comma";
}

bool is_missing_label(std::string_view text) {
  return is_any_of(trim(text), {"", "na", "nan", "n/a", "#n/a"});
}

std::optional<double> parse_time(std::string_view text) {
  text = trim(text);
  if (const auto date = parse_date(text)) return date;
  return parse_finite(text);
}

bool is_date(std::string_view text) {
  return parse_date(trim(text)).has_value();
}

}  // namespace milcci::read
