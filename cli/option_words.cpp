#include "option_words.hpp"

#include <algorithm>
#include <array>
#include <set>

#include "milcci/compare_methods.hpp"
#include "milcci/evaluate.hpp"
#include "milcci/options.hpp"
#include "milcci/prepare.hpp"
#include "milcci/read.hpp"
#include "milcci/simulate.hpp"
#include "option_flags.hpp"

namespace milcci::cli {
namespace {

std::set<std::string> all_options() {
  // What is a flag without being a field.
  std::set<std::string> names = {"category", "recipe", "start", "force", "component"};
  const auto add = [&](const Field& field, const auto&) { names.insert(field.name); };
  visit_fields(FitOptions{}, add);
  visit_fields(PrepareOptions{}, add);
  visit_fields(ReadOptions{}, add);
  visit_fields(CoSmoothingOptions{}, add);
  visit_fields(CompareOptions{}, add);
  visit_fields(SimulateOptions{}, add);
  return names;
}

// "key `seed`" and the like: what follows is a name of something else.
bool names_something_else(const std::string& before) {
  constexpr std::array kNouns = {"key ", "category ", "column ", "named ", "attribute "};
  return std::any_of(kNouns.begin(), kNouns.end(), [&](const char* noun) { return before.ends_with(noun); });
}

}  // namespace

std::string with_flags(const std::string& text) {
  static const std::set<std::string> options = all_options();
  constexpr std::string_view kEquals = " = ";
  std::string out;
  std::size_t at = 0;
  while (true) {
    const std::size_t open = text.find('`', at), close = text.find('`', open + 1);
    if (open == std::string::npos || close == std::string::npos) return out + text.substr(at);
    out += text.substr(at, open - at);
    const std::string word = text.substr(open + 1, close - open - 1);
    if (!options.contains(word) || names_something_else(out)) {
      // Only this backtick: the next one need not belong to it, in texts that users gave.
      out += '`';
      at = open + 1;
      continue;
    }
    out += flag_of(word);
    at = close + 1;
    if (text.compare(at, kEquals.size(), kEquals) == 0) {
      out += ' ';
      at += kEquals.size();
    }
  }
}

}  // namespace milcci::cli
