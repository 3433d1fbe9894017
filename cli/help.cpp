#include "help.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <sstream>

namespace milcci::cli {
namespace {

constexpr std::size_t kIndent = 32;

// Of the terminal, within reason; 100 elsewhere.
std::size_t text_width() {
  constexpr std::size_t kNarrowest = 70, kWidest = 100;
  winsize size{};
  if (isatty(STDOUT_FILENO) == 0 || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
    return kWidest;
  return std::clamp<std::size_t>(size.ws_col, kNarrowest, kWidest);
}

// Breaks text at spaces so that lines from column `indent` on stay within the width.
std::string wrapped(const std::string& text, std::size_t indent) {
  std::istringstream words(text);
  std::string out, word, value;
  const std::size_t width = text_width();
  std::size_t column = indent;
  while (words >> word) {
    // A default stays on one line with its value.
    if ((word == "default" || word == "(default") && words >> value) word += ' ' + value;
    if (column > indent && column + 1 + word.size() > width) {
      out += "\n" + std::string(indent, ' ');
      column = indent;
    } else if (column > indent) {
      out += ' ';
      ++column;
    }
    out += word;
    column += word.size();
  }
  return out;
}

// Name on the left, what it means on the right; below the name if that is long.
std::string entry(const std::string& name, const std::string& meaning) {
  std::string left = "  " + name;
  left +=
      left.size() + 2 > kIndent ? "\n" + std::string(kIndent, ' ') : std::string(kIndent - left.size(), ' ');
  return left + wrapped(meaning, kIndent) + "\n";
}

std::string option_name(const CLI::Option& option) {
  if (option.get_positional()) return option.get_name(true, false);
  const bool takes_value = option.get_items_expected_max() > 0;
  const std::string short_flag = option.get_snames().empty() ? "" : "-" + option.get_snames().front() + ", ";
  return fmt::format("{}--{}{}{}", short_flag, option.get_lnames().front(), takes_value ? " " : "",
                     takes_value ? option.get_type_name() : "");
}

std::string usage(const CLI::App& parser) {
  const bool is_program = parser.get_parent() == nullptr;
  if (is_program) return "Usage: milcci VERB [options]";
  std::string line = "Usage: milcci " + parser.get_name();
  for (const CLI::Option* option : parser.get_options())
    if (option->get_positional())
      line += option->get_required() ? " " + option_name(*option) : " [" + option_name(*option) + "]";
  for (const CLI::Option* option : parser.get_options())
    if (option->get_required() && !option->get_positional())
      line += fmt::format(" {} {}",
                          option->get_snames().empty() ? "--" + option->get_lnames().front()
                                                       : "-" + option->get_snames().front(),
                          option->get_type_name());
  return line + " [options]";
}

}  // namespace

std::string help_text(const CLI::App& parser) {
  std::string out = wrapped(parser.get_description(), 0) + "\n\n" + usage(parser) + "\n";

  std::string inputs;
  for (const CLI::Option* option : parser.get_options())
    if (option->get_positional()) inputs += entry(option_name(*option), option->get_description());
  if (!inputs.empty()) out += "\nInput:\n" + inputs;

  for (const std::string& group : parser.get_groups()) {
    std::string entries;
    for (const CLI::Option* option : parser.get_options())
      if (!option->get_positional() && option->get_group() == group)
        entries += entry(option_name(*option), option->get_description());
    if (!entries.empty()) out += "\n" + group + ":\n" + entries;
  }

  std::string verbs;
  for (const CLI::App* verb : parser.get_subcommands({}))
    verbs += entry(verb->get_name(), verb->get_description());
  if (!verbs.empty()) out += "\nVerbs:\n" + verbs;

  if (!parser.get_footer().empty()) out += "\n" + parser.get_footer() + "\n";
  return out;
}

void set_examples(CLI::App& parser, const std::vector<std::string>& examples) {
  parser.footer(fmt::format("Examples:\n  {}", fmt::join(examples, "\n  ")));
}

}  // namespace milcci::cli
