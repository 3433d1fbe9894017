#include "read/text/check_texts.hpp"

#include <fmt/format.h>

#include <variant>

#include "read/errors.hpp"
#include "read/text/utf.hpp"

namespace milcci::read {

namespace {

void check_text(const std::string& path, const std::string& what, const std::string& text) {
  if (text.find('\0') == std::string::npos && is_utf8(text)) return;
  fail(path, fmt::format("{} is {}, must be text in UTF-8; save the file with that encoding (a table: as CSV "
                         "UTF-8, or convert it with iconv -f latin1 -t utf-8)",
                         what, shown(text)));
}

}  // namespace

void check_texts(const std::string& path, const Trials& trials) {
  for (const std::string& name : trials.channel_names) check_text(path, "the name of a channel", name);
  for (const std::string& group : trials.channel_groups) check_text(path, "the group of a channel", group);
  for (const LabelColumn& label : trials.labels) {
    check_text(path, "the name of a label", label.name);
    if (const auto* texts = std::get_if<LabelColumn::Texts>(&label.values))
      for (std::size_t m = 0; m < texts->size(); ++m)
        check_text(path, fmt::format("the label {} of trial {}", label.name, m + 1), (*texts)[m]);
  }
}

}  // namespace milcci::read
