// A category as text, "NAME=COUNT[:KIND[,key=value...]]", and back. In names and values a backslash
// takes away the meaning of the = : , + or \ that follows it, so every category can be written.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "core/graph_file.hpp"
#include "core/nearest_name.hpp"
#include "milcci/error.hpp"
#include "milcci/labels.hpp"
#include "milcci/options.hpp"

namespace milcci {

namespace {

constexpr const char* kSpecial = "=:,+\\";

std::string escape(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    if (std::string_view(kSpecial).find(c) != std::string_view::npos) escaped += '\\';
    escaped += c;
  }
  return escaped;
}

std::string unescape(const std::string& text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 1 < text.size()) ++i;
    plain += text[i];
  }
  return plain;
}

// Position of the first `separator` without a backslash before it.
std::size_t find_plain(const std::string& text, char separator) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\')
      ++i;
    else if (text[i] == separator)
      return i;
  }
  return std::string::npos;
}

std::vector<std::string> split(std::string text, char separator) {
  std::vector<std::string> parts;
  for (std::size_t at; (at = find_plain(text, separator)) != std::string::npos; text.erase(0, at + 1))
    parts.push_back(text.substr(0, at));
  parts.push_back(text);
  return parts;
}

// Whether a kind of category takes a key: distances need an order, and only labels have columns.
bool has_key(CategoryKind kind, std::string_view key) {
  if (key == "columns") return kind != CategoryKind::trial_number && kind != CategoryKind::fixed;
  if (key == "bins") return kind == CategoryKind::ordinal;
  if (key == "period") return kind == CategoryKind::circular;
  if (key == "order") return kind == CategoryKind::ordinal || kind == CategoryKind::circular;
  return has_distances(kind);
}

// Reads one category's text; keeps the whole of it for the messages.
class CategoryParser {
 public:
  explicit CategoryParser(const std::string& text) : text_(text) {}

  CategorySpec parse() {
    CategorySpec spec;
    const std::size_t equals = find_plain(text_, '=');
    if (equals == std::string::npos || equals == 0)
      fail("it has no NAME=COUNT", "write difficulty=2 for two components that adjust to difficulty");
    spec.name = unescape(text_.substr(0, equals));
    const std::string rest = text_.substr(equals + 1);
    const std::size_t colon = find_plain(rest, ':');
    read_number("the count", rest.substr(0, colon), "an integer", "difficulty=2", spec.n_components);
    if (spec.n_components < 1)
      fail(fmt::format("the count is {}", spec.n_components), "must be >= 1, as in difficulty=2");
    if (colon != std::string::npos) read_kind(rest.substr(colon + 1), spec);
    return spec;
  }

 private:
  [[noreturn]] void fail(const std::string& found, const std::string& right) const {
    throw Error(ErrorKind::bad_option, fmt::format("category \"{}\": {}; {}", text_, found, right));
  }

  template <class Number>
  void read_number(const std::string& what, const std::string& text, const char* expected,
                   const std::string& example, Number& value) const {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size())
      fail(fmt::format("{} is \"{}\"", what, text), fmt::format("must be {}, as in {}", expected, example));
  }

  template <class Enum>
  Enum read_name(const std::string& what, std::string text, const std::string& example) const {
    // People type trial-number where the code says trial_number.
    std::replace(text.begin(), text.end(), '-', '_');
    const auto& names = value_names(Enum{});
    const auto found = std::find(names.begin(), names.end(), text);
    if (found == names.end())
      fail(fmt::format("{} \"{}\" is not known{}", what, text, suggestion(text, names)),
           fmt::format("must be one of {}, as in {}", fmt::join(names, ", "), example));
    return static_cast<Enum>(found - names.begin());
  }

  void read_kind(const std::string& text, CategorySpec& spec) {
    const std::vector<std::string> parts = split(text, ',');
    const std::string& kind = parts.front();
    constexpr std::string_view kGraph = "graph=";
    if (kind.starts_with(kGraph)) {
      spec.kind = CategoryKind::graph;
      GraphTable table = read_graph_file(unescape(kind.substr(kGraph.size())));
      spec.graph = std::move(table.similarities);
      spec.graph_options = std::move(table.options);
    } else {
      spec.kind = read_name<CategoryKind>("the kind", kind, "difficulty=2:ordinal");
      if (spec.kind == CategoryKind::graph)
        fail("kind graph names no file", "write the CSV file after it, as in region=2:graph=similarity.csv");
    }
    for (std::size_t i = 1; i < parts.size(); ++i) read_key(parts[i], spec);
  }

  void read_key(const std::string& part, CategorySpec& spec) {
    const std::size_t equals = find_plain(part, '=');
    if (equals == std::string::npos)
      fail(fmt::format("\"{}\" is not key=value", part), "write for example difficulty=2:ordinal,bins=5");
    const std::string key = part.substr(0, equals), value = part.substr(equals + 1);
    if (std::find(keys_.begin(), keys_.end(), key) != keys_.end())
      fail(fmt::format("key `{}` is given twice", key), "give it once");
    keys_.push_back(key);

    std::vector<std::string> known;
    visit_fields(spec, [&](const Field& field, auto& member) {
      if (*field.example == '\0') return;  // not a key
      known.emplace_back(field.name);
      if (key != field.name) return;
      require_kind(key, spec.kind);
      read_value(fmt::format("`{}`", key), value, field.example, member);
    });
    if (std::find(known.begin(), known.end(), key) == known.end())
      fail(fmt::format("key `{}` is not known{}", key, suggestion(key, known)),
           "write for example difficulty=2:ordinal,bins=5");
  }

  void require_kind(const std::string& key, CategoryKind kind) const {
    std::vector<std::string> kinds;
    for (std::size_t i = 0; i < value_names(kind).size(); ++i)
      if (has_key(static_cast<CategoryKind>(i), key)) kinds.push_back(value_names(kind)[i]);
    if (!has_key(kind, key))
      fail(fmt::format("key `{}` means nothing for kind {}", key, to_text(kind)),
           fmt::format("leave it out or use kind {}", fmt::join(kinds, " or ")));
  }

  void read_value(const std::string& what, const std::string& text, const char* example, int& value) const {
    read_number(what, text, "an integer", example, value);
  }

  void read_value(const std::string& what, const std::string& text, const char* example,
                  std::optional<double>& value) const {
    read_number(what, text, "a number", example, value.emplace());
  }

  template <class Enum>
  void read_value(const std::string& what, const std::string& text, const char* example,
                  Enum& value) const requires std::is_enum_v<Enum> {
    value = read_name<Enum>(what, text, example);
  }

  void read_value(const std::string& what, const std::string& text, const char* example,
                  std::vector<std::string>& names) const {
    for (const std::string& part : split(text, '+')) {
      if (part.empty())
        fail(fmt::format("{} is \"{}\" with an empty name", what, text),
             fmt::format("write the names joined by +, as in {}", example));
      names.push_back(unescape(part));
    }
  }

  // The fields that are no keys have a place of their own in the text.
  template <class T>
  void read_value(const std::string&, const std::string&, const char*, T&) const {}

  const std::string& text_;
  std::vector<std::string> keys_;  // given so far
};

// The value of a key as it is written.
template <class T>
std::string key_text(const T& value) {
  if constexpr (std::is_enum_v<T>) {
    return to_text(value);
  } else if constexpr (std::is_same_v<T, std::vector<std::string>>) {
    std::vector<std::string> escaped;
    for (const std::string& name : value) escaped.push_back(escape(name));
    return fmt::format("{}", fmt::join(escaped, "+"));
  } else if constexpr (std::is_same_v<T, std::optional<double>>) {
    return value ? fmt::format("{}", *value) : "";
  } else if constexpr (std::is_same_v<T, Matrix>) {
    return "";  // no key
  } else {
    return fmt::format("{}", value);
  }
}

}  // namespace

CategorySpec parse_category(const std::string& text) {
  return CategoryParser(text).parse();
}

std::string to_text(const CategorySpec& spec) {
  const CategorySpec defaults;
  std::string kind = to_text(spec.kind);
  std::replace(kind.begin(), kind.end(), '_', '-');
  std::string keys;
  std::vector<std::string> normal;
  visit_fields(CategorySpec{}, [&](const Field&, const auto& member) { normal.push_back(key_text(member)); });
  std::size_t i = 0;
  visit_fields(spec, [&](const Field& field, const auto& member) {
    const std::string value = key_text(member);
    if (*field.example != '\0' && value != normal[i]) keys += fmt::format(",{}={}", field.name, value);
    ++i;
  });

  std::string text = fmt::format("{}={}", escape(spec.name), spec.n_components);
  if (spec.kind != defaults.kind || !keys.empty()) text += ":" + kind + keys;
  return text;
}

}  // namespace milcci
