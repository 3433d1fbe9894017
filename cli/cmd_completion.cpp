// milcci completion: what shells complete, and the manual page, made of the same table as the help.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "help.hpp"
#include "milcci/error.hpp"
#include "milcci/version.hpp"
#include "option_flags.hpp"
#include "streams.hpp"
#include "verb.hpp"

namespace milcci::cli {
namespace {

enum class Target { bash, zsh, fish, man };

const std::vector<std::string>& value_names(Target) {
  static const std::vector<std::string> names = {"bash", "zsh", "fish", "man"};
  return names;
}

std::vector<const CLI::App*> verbs_of(const CLI::App& program) {
  return program.get_subcommands([](const CLI::App*) { return true; });
}

struct Flag {
  std::string name;  ///< with its dashes
  std::string short_name, help, value;
  std::vector<std::string> choices;  ///< if the value is one of a few words
};

std::vector<Flag> flags_of(const CLI::App& verb) {
  std::vector<Flag> flags;
  for (const CLI::Option* option : verb.get_options()) {
    if (option->get_positional() || option->get_lnames().empty()) continue;
    Flag flag{"--" + option->get_lnames().front(), "", option->get_description(), "", {}};
    if (!option->get_snames().empty()) flag.short_name = "-" + option->get_snames().front();
    if (option->get_items_expected_max() > 0) flag.value = option->get_type_name();
    if (flag.value.find('|') != std::string::npos && flag.value.find('=') == std::string::npos)
      flag.choices = CLI::detail::split(flag.value, '|');
    flags.push_back(std::move(flag));
  }
  return flags;
}

// The text with a backslash, or what else stands in for it, before each of these characters.
std::string escaped(const std::string& text, std::string_view special, const std::string& by = "\\") {
  std::string out;
  for (const char c : text) {
    if (special.find(c) != std::string_view::npos) out += by;
    out += c;
  }
  return out;
}

// Within single quotes, which end at the first one inside.
std::string single_quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

std::string for_bash(const CLI::App& program) {
  std::vector<std::string> names;
  std::string flags, choices;
  for (const CLI::App* verb : verbs_of(program)) {
    names.push_back(verb->get_name());
    std::vector<std::string> words;
    for (const Flag& flag : flags_of(*verb)) {
      words.push_back(flag.name);
      if (!flag.choices.empty())
        choices += fmt::format("    {}:{}) words={} ;;\n", verb->get_name(), flag.name,
                               single_quoted(fmt::format("{}", fmt::join(flag.choices, " "))));
    }
    flags += fmt::format("    {}) words={} ;;\n", verb->get_name(),
                         single_quoted(fmt::format("{}", fmt::join(words, " "))));
  }
  return fmt::format(
      "# bash completion of milcci {}\n"
      "_milcci() {{\n"
      "  local current=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} words=\n"
      "  if ((COMP_CWORD == 1)); then\n"
      "    COMPREPLY=($(compgen -W '{} help' -- \"$current\"))\n"
      "    return\n"
      "  fi\n"
      "  case ${{COMP_WORDS[1]}}:$before in\n{}  esac\n"
      "  if [[ -z $words && $current == -* ]]; then\n"
      "    case ${{COMP_WORDS[1]}} in\n{}    esac\n"
      "  fi\n"
      "  if [[ -n $words ]]; then\n"
      "    COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
      "  else\n"
      "    COMPREPLY=($(compgen -f -- \"$current\"))\n"
      "  fi\n"
      "}}\n"
      "complete -o filenames -F _milcci milcci\n",
      kVersion, fmt::join(names, " "), choices, flags);
}

std::string for_zsh(const CLI::App& program) {
  std::string verbs, cases;
  for (const CLI::App* verb : verbs_of(program)) {
    verbs += "    " + single_quoted(verb->get_name() + ":" + escaped(verb->get_description(), ":")) + "\n";
    cases += fmt::format("    {})\n      _arguments", verb->get_name());
    for (const Flag& flag : flags_of(*verb)) {
      std::string text = fmt::format("{}[{}]", flag.name, escaped(flag.help, "[]:"));
      if (!flag.value.empty())
        text += ":value:" + (flag.choices.empty() ? std::string("_files")
                                                  : fmt::format("({})", fmt::join(flag.choices, " ")));
      cases += " \\\n        " + single_quoted(text);
    }
    cases += " \\\n        '*:file:_files' ;;\n";
  }
  return fmt::format(
      "#compdef milcci\n"
      "# zsh completion of milcci {}\n"
      "_milcci() {{\n"
      "  local -a verbs\n"
      "  verbs=(\n{}  )\n"
      "  if ((CURRENT == 2)); then\n"
      "    _describe verb verbs\n"
      "    return\n"
      "  fi\n"
      "  local verb=${{words[2]}}\n"
      "  shift words\n"
      "  ((CURRENT--))\n"
      "  case $verb in\n{}  esac\n"
      "}}\n"
      "compdef _milcci milcci\n",
      kVersion, verbs, cases);
}

std::string for_fish(const CLI::App& program) {
  std::string out = fmt::format("# fish completion of milcci {}\n", kVersion);
  for (const CLI::App* verb : verbs_of(program)) {
    out += fmt::format("complete -c milcci -n __fish_use_subcommand -a {} -d {}\n", verb->get_name(),
                       single_quoted(escaped(verb->get_description(), "\\")));
    for (const Flag& flag : flags_of(*verb)) {
      out += fmt::format("complete -c milcci -n '__fish_seen_subcommand_from {}' -l {} -d {}",
                         verb->get_name(), flag.name.substr(2), single_quoted(escaped(flag.help, "\\")));
      if (!flag.value.empty()) out += " -r";
      if (!flag.choices.empty())
        out += fmt::format(" -f -a {}", single_quoted(fmt::format("{}", fmt::join(flag.choices, " "))));
      out += "\n";
    }
  }
  return out;
}

// A backslash means something to roff, a hyphen is typeset as one unless told otherwise, and a dot or quote
// at the beginning of a line is a command.
std::string for_roff(const std::string& text) {
  std::string out = escaped(escaped(text, "\\", "\\"), "-");
  return out.starts_with('.') || out.starts_with('\'') ? "\\&" + out : out;
}

std::string manual_page(const CLI::App& program) {
  std::string out = fmt::format(
      ".TH MILCCI 1 \"\" \"milcci {}\" \"User Commands\"\n.SH NAME\nmilcci \\- sparse components of labelled "
      "trials\n"
      ".SH SYNOPSIS\n.B milcci\n.I VERB\n[input files] [options]\n.SH DESCRIPTION\n{}\n",
      kVersion, for_roff(program.get_description()));
  for (const CLI::App* verb : verbs_of(program)) {
    out += fmt::format(".SH MILCCI {}\n{}\n", for_roff(verb->get_name()), for_roff(verb->get_description()));
    for (const Flag& flag : flags_of(*verb)) {
      const std::string names = flag.short_name.empty() ? flag.name : flag.short_name + ", " + flag.name;
      out +=
          fmt::format(".TP\n.B {}{}\n{}\n", for_roff(names),
                      flag.value.empty() ? "" : " \\fI" + for_roff(flag.value) + "\\fR", for_roff(flag.help));
    }
    out += fmt::format(".PP\n.nf\n{}\n.fi\n", for_roff(verb->get_footer()));
  }
  return out;
}

std::string text_for(Target target, const CLI::App& program) {
  switch (target) {
    case Target::bash:
      return for_bash(program);
    case Target::zsh:
      return for_zsh(program);
    case Target::fish:
      return for_fish(program);
    case Target::man:
      break;
  }
  return manual_page(program);
}

struct CompletionRequest {
  std::string target;
  CommonOptions common;
};

}  // namespace

Verb add_completion(CLI::App& program) {
  auto request = std::make_shared<CompletionRequest>();
  CLI::App& parser = *program.add_subcommand(
      "completion", "Prints what makes a shell complete verbs and options, or the manual page.");
  add_input(parser, "SHELL", request->target, "bash, zsh or fish; or man for the manual page");
  add_common(parser, request->common);
  set_examples(parser, {"milcci completion bash", "milcci completion man"});
  return {&parser, [request, &program] {
            Target target = Target::man;
            read_value("SHELL", request->target, target);
            print_result(text_for(target, program));
            return kDone;
          }};
}

}  // namespace milcci::cli
