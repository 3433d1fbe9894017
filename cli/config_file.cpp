#include "config_file.hpp"

#include <fmt/format.h>

#define TOML_ENABLE_FORMATTERS 0
#include <toml++/toml.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "milcci/error.hpp"
#include "util/web_address.hpp"

namespace milcci::cli {
namespace {

[[noreturn]] void refuse(const std::string& path, const std::string& what) {
  throw Error(ErrorKind::bad_option, fmt::format("configuration file {}: {}", path, what));
}

// An entry with its place in the file: tables are kept sorted by name, people by line.
struct Placed {
  toml::source_position place;
  ConfigEntry entry;
};

class ConfigReader {
 public:
  explicit ConfigReader(const std::string& path) : path_(path) {}

  std::vector<Placed> take(const toml::table& table, const std::vector<std::string>& sections) {
    for (const auto& [key, node] : table) {
      const std::string name(key.str());
      if (const toml::table* section = node.as_table()) {
        std::vector<std::string> inner = sections;
        inner.push_back(name);
        take(*section, inner);
      } else {
        entries_.push_back(
            {node.source().begin, {sections, name, node.source().begin.line, values_of(name, node)}});
      }
    }
    return entries_;
  }

 private:
  std::vector<std::string> values_of(const std::string& key, const toml::node& node) const {
    if (const toml::array* array = node.as_array()) {
      std::vector<std::string> values;
      for (const toml::node& element : *array) values.push_back(value_of(key, element));
      return values;
    }
    return {value_of(key, node)};
  }

  std::string value_of(const std::string& key, const toml::node& node) const {
    if (const auto* text = node.as_string()) return text->get();
    if (const auto* number = node.as_integer()) return fmt::format("{}", number->get());
    if (const auto* number = node.as_floating_point()) return fmt::format("{}", number->get());
    if (const auto* flag = node.as_boolean()) return flag->get() ? "true" : "false";
    refuse(path_, fmt::format("`{}` in line {} must be a text, a number, true, false, or a list of those",
                              key, node.source().begin.line));
  }

  const std::string& path_;
  std::vector<Placed> entries_;
};

}  // namespace

std::vector<ConfigEntry> read_config(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored))
    throw Error(ErrorKind::bad_file,
                fmt::format("configuration file \"{}\": is a folder, must be a file", path));
  std::ifstream file(path);
  if (!file.is_open() && is_address(path))
    throw Error(ErrorKind::bad_file, fmt::format("configuration file \"{}\": {}", path, why_not_there(path)));
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (!file.is_open() || text.empty())
    throw Error(ErrorKind::bad_file,
                fmt::format("cannot read the configuration file {}, or it is empty", path));
  toml::table table;
  try {
    table = toml::parse(text);
  } catch (const toml::parse_error& error) {
    refuse(path, fmt::format("line {} is not TOML: {}", error.source().begin.line, error.description()));
  }
  std::vector<Placed> placed = ConfigReader(path).take(table, {});
  std::ranges::stable_sort(placed, [](const Placed& a, const Placed& b) {
    return a.place.line != b.place.line ? a.place.line < b.place.line : a.place.column < b.place.column;
  });
  std::vector<ConfigEntry> entries;
  for (Placed& one : placed) entries.push_back(std::move(one.entry));
  return entries;
}

}  // namespace milcci::cli
