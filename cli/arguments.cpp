#include "arguments.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "config_file.hpp"
#include "core/nearest_name.hpp"
#include "milcci/error.hpp"
#include "option_flags.hpp"

namespace milcci::cli {
namespace {

std::vector<std::string> names_of(const std::vector<Verb>& verbs) {
  std::vector<std::string> names;
  for (const Verb& verb : verbs) names.push_back(verb.parser->get_name());
  return names;
}

std::vector<std::string> flags_of(const CLI::App& parser) {
  std::vector<std::string> flags;
  for (const CLI::Option* option : parser.get_options())
    for (const std::string& name : option->get_lnames()) flags.push_back("--" + name);
  return flags;
}

bool is_flag(const std::string& argument) {
  // "-5" is a number.
  return argument.size() > 1 && argument[0] == '-' &&
         !std::isdigit(static_cast<unsigned char>(argument[1])) && argument[1] != '.';
}

std::string flag_in(const std::string& argument) {
  return argument.compare(0, 2, "--") == 0 ? argument.substr(0, argument.find('=')) : argument.substr(0, 2);
}

bool is_given(const CLI::Option& option, const std::vector<std::string>& arguments) {
  return std::any_of(arguments.begin(), arguments.end(), [&](const std::string& argument) {
    return is_flag(argument) && option.check_name(flag_in(argument));
  });
}

// The value of --config, or "".
std::string config_path(const std::vector<std::string>& arguments) {
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i] == "--config" && i + 1 < arguments.size()) return arguments[i + 1];
    if (arguments[i].compare(0, 9, "--config=") == 0) return arguments[i].substr(9);
  }
  return "";
}

// The end of a sentence about a wrong word.
std::string did_you_mean(const std::string& word, const std::vector<std::string>& words) {
  const std::string meant = nearest_name(word, words);
  return meant.empty() ? "." : fmt::format(", did you mean {}?", meant);
}

[[noreturn]] void refuse(const std::string& path, const std::string& what) {
  throw Error(ErrorKind::bad_option, fmt::format("configuration file {}: {}", path, what));
}

bool takes_several(const CLI::Option& option) {
  return option.get_expected_max() > 1;
}

// One line of the file as arguments: `category = ["a=2", "b=1"]` as --category a=2 --category b=1, `force =
// true` as --force.
std::vector<std::string> as_arguments(const std::string& path, const CLI::Option& option,
                                      const std::string& flag, const ConfigEntry& entry) {
  const bool takes_value = option.get_items_expected_max() > 0;
  if (entry.values.size() > 1 && !takes_several(option))
    refuse(path, fmt::format("key `{}` in line {} has {} values, must be one", entry.key, entry.line,
                             entry.values.size()));
  std::vector<std::string> arguments;
  for (const std::string& value : entry.values) {
    if (takes_value) {
      arguments.push_back(flag);
      arguments.push_back(value);
    } else if (value == "true") {
      arguments.push_back(flag);
    } else if (value != "false") {
      refuse(path, fmt::format("{} = {}, must be true or false", entry.key, value));
    }
  }
  return arguments;
}

// "milcci prepare" or "milcci fit, milcci bench": what else knows the flag. Empty if nothing does.
std::string verbs_with(const std::string& flag, const CLI::App& parser) {
  if (parser.get_parent() == nullptr) return {};
  std::vector<std::string> names;
  for (const CLI::App* verb : parser.get_parent()->get_subcommands([](const CLI::App*) { return true; }))
    if (verb->get_option_no_throw(flag) != nullptr) names.push_back("milcci " + verb->get_name());
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

const Verb* find_verb(const std::vector<Verb>& verbs, const std::vector<std::string>& arguments) {
  if (arguments.empty() || is_flag(arguments.front())) return nullptr;
  for (const Verb& verb : verbs)
    if (verb.parser->check_name(arguments.front())) return &verb;
  throw Error(ErrorKind::bad_option, fmt::format("there is no verb `{}`{}", arguments.front(),
                                                 suggestion(arguments.front(), names_of(verbs))));
}

void check_flags(const CLI::App& parser, const std::vector<std::string>& arguments) {
  const std::string command = parser.get_parent() == nullptr ? "milcci" : "milcci " + parser.get_name();
  std::set<const CLI::Option*> given;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    if (argument == "--") return;
    if (!is_flag(argument)) continue;
    const std::string flag = flag_in(argument);
    const CLI::Option* option = parser.get_option_no_throw(flag);
    if (option == nullptr) {
      const std::string verbs = verbs_with(flag, parser);
      throw Error(ErrorKind::bad_option,
                  fmt::format("there is no option {}{} `{} --help` lists all", flag,
                              verbs.empty() ? did_you_mean(flag, flags_of(parser))
                                            : fmt::format(" here, it is one of {}.", verbs),
                              command));
    }
    const bool may_repeat = takes_several(*option) || option->get_expected_max() == 0;
    if (!given.insert(option).second && !may_repeat)
      throw Error(ErrorKind::bad_option, fmt::format("{} is given twice; give it once", flag));
    const bool needs_value = option->get_items_expected_max() > 0 && argument == flag;
    if (needs_value && (i + 1 == arguments.size() || is_flag(arguments[i + 1])))
      throw Error(ErrorKind::bad_option, fmt::format("{} needs a value: {} {}; see `{} --help`", flag, flag,
                                                     option->get_type_name(), command));
  }
}

std::vector<std::string> with_config(const std::vector<Verb>& verbs, const Verb& verb,
                                     const std::vector<std::string>& arguments) {
  const std::string path = config_path(arguments);
  if (path.empty()) return arguments;
  std::vector<std::string> all = {arguments.front()};
  std::map<const CLI::Option*, ConfigEntry> given;
  for (const ConfigEntry& entry : read_config(path)) {
    if (!entry.sections.empty()) {
      const std::vector<std::string> names = names_of(verbs);
      const std::string& section = entry.sections.front();
      if (entry.sections.size() > 1 || std::find(names.begin(), names.end(), section) == names.end())
        refuse(path, fmt::format("there is no verb for the section [{}]{}", fmt::join(entry.sections, "."),
                                 did_you_mean(section, names)));
      if (section != verb.parser->get_name()) continue;
    }
    const std::string flag = flag_of(entry.key);
    const CLI::Option* option = verb.parser->get_option_no_throw(flag);
    if (option == nullptr)
      refuse(path,
             fmt::format("`{}` is no option of `milcci {}`{} Options of another verb belong in a section "
                         "of its name, such as [fit]",
                         entry.key, verb.parser->get_name(), did_you_mean(flag, flags_of(*verb.parser))));
    if (flag == "--config" || flag == "--help")
      refuse(path, fmt::format("`{}` cannot stand in it", entry.key));
    const auto [first, is_new] = given.try_emplace(option, entry);
    if (!is_new && !takes_several(*option))
      refuse(path,
             fmt::format("key `{}` in line {} and key `{}` in line {} are the same option; give it once",
                         first->second.key, first->second.line, entry.key, entry.line));
    if (is_given(*option, arguments)) continue;
    for (std::string& argument : as_arguments(path, *option, flag, entry)) all.push_back(std::move(argument));
  }
  all.insert(all.end(), arguments.begin() + 1, arguments.end());
  return all;
}

}  // namespace milcci::cli
