#include "read/text/utf.hpp"

namespace milcci::read {

std::size_t character_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned first = byte(0);
  const std::size_t length = first < 0x80                    ? 1
                             : first >= 0xC2 && first < 0xE0 ? 2
                             : first >= 0xE0 && first < 0xF0 ? 3
                             : first >= 0xF0 && first < 0xF5 ? 4
                                                             : 0;
  if (length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xC0) != 0x80) return 0;
  // Longer than need be, half of a pair of UTF-16, or beyond the last character there is.
  if ((first == 0xE0 && byte(1) < 0xA0) || (first == 0xED && byte(1) >= 0xA0)) return 0;
  if ((first == 0xF0 && byte(1) < 0x90) || (first == 0xF4 && byte(1) >= 0x90)) return 0;
  return length;
}

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = character_length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

void append_utf8(std::string& text, std::uint64_t code) {
  const auto byte = [&](std::uint64_t value) {
    text += static_cast<char>(static_cast<unsigned char>(value));
  };
  const bool is_half = code >= 0xD800 && code < 0xE000;
  if (is_half || code >= 0x110000) {
    byte('?');
  } else if (code < 0x80) {
    byte(code);
  } else if (code < 0x800) {
    byte(0xC0 | code >> 6);
    byte(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    byte(0xE0 | code >> 12);
    byte(0x80 | (code >> 6 & 0x3F));
    byte(0x80 | (code & 0x3F));
  } else {
    byte(0xF0 | code >> 18);
    byte(0x80 | (code >> 12 & 0x3F));
    byte(0x80 | (code >> 6 & 0x3F));
    byte(0x80 | (code & 0x3F));
  }
}

std::string from_utf16(const std::vector<std::uint64_t>& units) {
  std::string text;
  for (std::size_t i = 0; i < units.size(); ++i) {
    const bool is_pair = units[i] >= 0xD800 && units[i] < 0xDC00 && i + 1 < units.size() &&
                         units[i + 1] >= 0xDC00 && units[i + 1] < 0xE000;
    append_utf8(text, is_pair ? 0x10000 + ((units[i] - 0xD800) << 10) + (units[i + 1] - 0xDC00) : units[i]);
    i += is_pair;
  }
  return text;
}

}  // namespace milcci::read
