#include "read/utf.hpp"

namespace milcci::read {

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
