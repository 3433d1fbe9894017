#include "read/errors.hpp"

#include <fmt/format.h>

#include "milcci/error.hpp"
#include "read/text/utf.hpp"

namespace milcci::read {

namespace {

bool is_control(unsigned char c) {
  return c < 0x20 || c == 0x7F;
}

}  // namespace

std::string shown(std::string_view text) {
  constexpr int kMost = 40;
  std::string out = "\"";
  int n_shown = 0;
  for (; !text.empty() && n_shown < kMost; ++n_shown) {
    const std::size_t length = character_length(text);
    if (length == 0 || is_control(static_cast<unsigned char>(text[0]))) {
      out += text[0] == '\t' ? "\\t" : text[0] == '\n' ? "\\n" : text[0] == '\r' ? "\\r" : "";
      if (text[0] != '\t' && text[0] != '\n' && text[0] != '\r')
        out += fmt::format("\\x{:02X}", static_cast<unsigned char>(text[0]));
      text.remove_prefix(1);
    } else {
      out += text.substr(0, length);
      text.remove_prefix(length);
    }
  }
  return out + (text.empty() ? "\"" : "...\"");
}

void fail(const std::string& path, const std::string& message) {
  throw Error(ErrorKind::bad_file, fmt::format("file \"{}\": {}", path, message));
}

void fail_line(const std::string& path, std::uint64_t line, const std::string& message) {
  throw Error(ErrorKind::bad_file, fmt::format("file \"{}\", line {}: {}", path, line, message));
}

void fail_item(const std::string& path, std::string_view item, const std::string& message) {
  throw Error(ErrorKind::bad_file, fmt::format("file \"{}\", {}: {}", path, shown(item), message));
}

}  // namespace milcci::read
