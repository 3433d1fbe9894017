#include "option_flags.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "core/nearest_name.hpp"
#include "milcci/error.hpp"

namespace milcci::cli {
namespace {

[[noreturn]] void refuse(const std::string& flag, const std::string& text, const std::string& expected) {
  throw Error(ErrorKind::bad_option, fmt::format("{} {}: must be {}", flag, text, expected));
}

// Reads the whole text, or says what should have stood there.
template <class T>
void read_number(const std::string& flag, const std::string& text, const std::string& expected, T& value) {
  const char* end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, value);
  if (error == std::errc::result_out_of_range)
    refuse(flag, text, expected + ", and this one is out of range");
  if (error != std::errc{} || stopped != end) refuse(flag, text, expected);
}

}  // namespace

std::string flag_of(const std::string& field) {
  std::string name = field;
  for (const std::string prefix : {"n_", "is_"})
    if (name.compare(0, prefix.size(), prefix) == 0) name.erase(0, prefix.size());
  std::replace(name.begin(), name.end(), '_', '-');
  return "--" + name;
}

std::string help_of(const Field& field, const std::string& default_text) {
  constexpr double kUnlimited = 1e6;  // limits from here on are for our own arithmetic, not for people
  std::vector<std::string> notes;
  const bool is_number = field.minimum != field.maximum;
  if (is_number && field.maximum < kUnlimited)
    notes.push_back(fmt::format("{} to {}", field.minimum, field.maximum));
  else if (is_number && field.minimum > -kUnlimited)
    notes.push_back(fmt::format(">= {}", field.minimum));
  if (!default_text.empty()) notes.push_back("default " + default_text);

  std::string help = field.help;
  if (*field.symbol != '\0') help += fmt::format(" [{}]", field.symbol);
  return notes.empty() ? help : fmt::format("{} ({})", help, fmt::join(notes, ", "));
}

void read_value(const std::string& flag, const std::string& text, double& value) {
  read_number(flag, text, "a number", value);
  if (!std::isfinite(value)) refuse(flag, text, "a finite number");
}

void read_value(const std::string& flag, const std::string& text, int& value) {
  read_number(flag, text, "a whole number", value);
}

void read_value(const std::string& flag, const std::string& text, std::uint64_t& value) {
  read_number(flag, text, "a whole number, zero or more", value);
}

void read_value(const std::string&, const std::string& text, std::string& value) {
  value = text;
}

void read_value(const std::string&, const std::string& text, std::vector<std::string>& value) {
  value.emplace_back();
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_escape =
        text[i] == '\\' && i + 1 < text.size() && (text[i + 1] == ',' || text[i + 1] == '\\');
    if (text[i] == ',')
      value.emplace_back();
    else
      value.back() += text[i += is_escape];
  }
}

void read_value(const std::string&, const std::string& text, BinLabel& value) {
  value = parse_bin_label(text);
}

void read_value(const std::string&, const std::string& text, BlockLabel& value) {
  value.column = text;
}

void read_value(const std::string&, const std::string& text, DropTrials& value) {
  value = parse_drop_trials(text);
}

void read_value(const std::string&, const std::string& text, SmoothStep& value) {
  value = parse_smooth(text);
}

void read_value(const std::string&, const std::string& text, ScaleStep& value) {
  value = parse_scale(text);
}

void refuse_name(const std::string& flag, const std::string& text, const std::vector<std::string>& names) {
  const std::string meant = nearest_name(text, names);
  refuse(flag, text,
         fmt::format("one of {}{}", fmt::join(names, ", "),
                     meant.empty() ? "" : fmt::format("; did you mean {}?", meant)));
}

}  // namespace milcci::cli
