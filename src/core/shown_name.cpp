#include "core/shown_name.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace milcci {
namespace {

// How many bytes the character at the front has; 0 if it is not UTF-8.
std::size_t character_size(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  const std::size_t size = first < 0x80                     ? 1
                           : first >= 0xC2 && first <= 0xDF ? 2
                           : first >= 0xE0 && first <= 0xEF ? 3
                           : first >= 0xF0 && first <= 0xF4 ? 4
                                                            : 0;
  if (size > text.size()) return 0;
  for (std::size_t i = 1; i < size; ++i)
    if ((byte(i) & 0xC0) != 0x80) return 0;
  // Longer forms than needed, halves of pairs, and beyond the last character.
  if (size == 3 && ((first == 0xE0 && byte(1) < 0xA0) || (first == 0xED && byte(1) > 0x9F))) return 0;
  if (size == 4 && ((first == 0xF0 && byte(1) < 0x90) || (first == 0xF4 && byte(1) > 0x8F))) return 0;
  return size;
}

// C0 and C1 controls, and the marks that turn the direction of what follows.
bool is_control(std::string_view character) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(character[i]); };
  if (character.size() == 1) return byte(0) < 0x20 || byte(0) == 0x7F;
  if (character.size() == 2) return byte(0) == 0xC2 && byte(1) < 0xA0;
  if (character.size() != 3 || byte(0) != 0xE2) return false;
  return (byte(1) == 0x80 && byte(2) >= 0xA8 && byte(2) <= 0xAE) ||
         (byte(1) == 0x81 && byte(2) >= 0xA6 && byte(2) <= 0xA9);
}

std::string escaped(std::string_view bytes) {
  if (bytes == "\n") return "\\n";
  if (bytes == "\t") return "\\t";
  if (bytes == "\r") return "\\r";
  std::string out;
  for (const char c : bytes) out += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
  return out;
}

// Calls take(character, whether it is shown as it is) for all of them.
template <class Take>
void for_each_character(std::string_view text, Take&& take) {
  while (!text.empty()) {
    const std::size_t size = std::max<std::size_t>(1, character_size(text));
    const std::string_view character = text.substr(0, size);
    take(character, character_size(text) > 0 && !is_control(character));
    text.remove_prefix(size);
  }
}

}  // namespace

std::size_t n_characters(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & '\xC0') != '\x80'; }));
}

std::string shown_name(std::string_view name, std::size_t longest) {
  constexpr std::string_view kLeftOut = "...";
  std::vector<std::string> shown;
  std::size_t n = 0;
  // Of a name of megabytes, only its ends are looked at.
  const std::size_t enough = 4 * longest + 8;
  const bool is_huge = name.size() > 2 * enough;
  const auto take = [&](std::string_view character, bool is_plain) {
    shown.push_back(is_plain ? std::string(character) : escaped(character));
    n += n_characters(shown.back());
  };
  for_each_character(is_huge ? name.substr(0, enough) : name, take);
  if (is_huge) for_each_character(name.substr(name.size() - enough), take);
  std::string out;
  if (n <= longest && !is_huge) {
    for (const std::string& piece : shown) out += piece;
    return out;
  }
  const std::size_t half = (longest - std::min(longest, kLeftOut.size())) / 2;
  std::size_t used = 0;
  for (std::size_t i = 0; i < shown.size() && used + n_characters(shown[i]) <= half; ++i)
    out += shown[i], used += n_characters(shown[i]);
  std::string end;
  used = 0;
  for (std::size_t i = shown.size(); i-- > 0 && used + n_characters(shown[i]) <= half;)
    end.insert(0, shown[i]), used += n_characters(shown[i]);
  return out + std::string(kLeftOut) + end;
}

std::vector<std::string> shown_names(const std::vector<std::string>& names, std::size_t longest) {
  std::vector<std::string> out;
  out.reserve(names.size());
  for (const std::string& name : names) out.push_back(shown_name(name, longest));
  return out;
}

std::string without_escape_codes(std::string_view text) {
  std::string out;
  for_each_character(text, [&](std::string_view character, bool is_plain) {
    const bool is_kept = is_plain || character == "\n" || character == "\t";
    out += is_kept ? std::string(character) : escaped(character);
  });
  return out;
}

std::string left_aligned(const std::string& text, std::size_t width) {
  const std::size_t n = n_characters(text);
  return text + std::string(n < width ? width - n : 0, ' ');
}

std::string right_aligned(const std::string& text, std::size_t width) {
  const std::size_t n = n_characters(text);
  return std::string(n < width ? width - n : 0, ' ') + text;
}

}  // namespace milcci
