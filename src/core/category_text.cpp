// A category as text, "NAME=COUNT[:KIND[,key=value...]]", and back. In names and values a backslash takes
// the meaning from the = : , + or \ that follows it, so every category can be written.
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
    spec.n_components = read_integer("the count", rest.substr(0, colon), "difficulty=2");
    if (spec.n_components < 1)
      fail(fmt::format("the count is {}", spec.n_components), "must be >= 1, as in difficulty=2");
    if (colon != std::string::npos) read_kind(rest.substr(colon + 1), spec);
    return spec;
  }

 private:
  [[noreturn]] void fail(const std::string& found, const std::string& right) const {
    throw Error(ErrorKind::bad_option, fmt::format("category \"{}\": {}; {}", text_, found, right));
  }

  int read_integer(const std::string& what, const std::string& text, const std::string& example) const {
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size())
      fail(fmt::format("{} is \"{}\"", what, text), fmt::format("must be an integer, as in {}", example));
    return value;
  }

  double read_real(const std::string& what, const std::string& text, const std::string& example) const {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size())
      fail(fmt::format("{} is \"{}\"", what, text), fmt::format("must be a number, as in {}", example));
    return value;
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

    const bool is_ordinal = spec.kind == CategoryKind::ordinal;
    const bool has_distances = is_ordinal || spec.kind == CategoryKind::trial_number;
    const auto needs = [&](bool applies, const char* kinds) {
      if (!applies)
        fail(fmt::format("key `{}` means nothing for kind {}", key, to_text(spec.kind)),
             fmt::format("leave it out or use kind {}", kinds));
    };
    if (key == "columns") {
      needs(spec.kind != CategoryKind::trial_number && spec.kind != CategoryKind::fixed,
            "categorical, ordinal, free or graph");
      spec.columns = read_names(key, value, "stimulus=2:ordinal,columns=x+y");
    } else if (key == "order") {
      needs(is_ordinal, "ordinal");
      spec.order = read_names(key, value, "size=2:ordinal,order=low+mid+high");
    } else if (key == "bins") {
      needs(is_ordinal, "ordinal");
      spec.bins = read_integer("`bins`", value, "age=2:ordinal,bins=5");
    } else if (key == "kernel") {
      needs(has_distances, "ordinal or trial-number");
      spec.kernel = read_name<Kernel>("the kernel", value, "age=2:ordinal,kernel=gaussian");
    } else if (key == "width") {
      needs(has_distances, "ordinal or trial-number");
      spec.width = read_real("`width`", value, "age=2:ordinal,width=2.5");
    } else if (key == "neighbours") {
      needs(has_distances, "ordinal or trial-number");
      spec.neighbours = read_integer("`neighbours`", value, "age=2:ordinal,kernel=nearest,neighbours=2");
    } else if (key == "distance") {
      needs(has_distances, "ordinal or trial-number");
      spec.distance = read_name<Distance>("the distance", value, "age=2:ordinal,distance=euclidean");
    } else {
      const std::vector<std::string> known = {"columns", "order",      "bins",    "kernel",
                                              "width",   "neighbours", "distance"};
      fail(fmt::format("key `{}` is not known{}", key, suggestion(key, known)),
           "write for example difficulty=2:ordinal,bins=5");
    }
  }

  std::vector<std::string> read_names(const std::string& key, const std::string& value,
                                      const std::string& example) const {
    std::vector<std::string> names;
    for (const std::string& part : split(value, '+')) {
      if (part.empty())
        fail(fmt::format("`{}` is \"{}\" with an empty name", key, value),
             fmt::format("write the names joined by +, as in {}", example));
      names.push_back(unescape(part));
    }
    return names;
  }

  const std::string& text_;
  std::vector<std::string> keys_;  // given so far
};

std::string join_names(const std::vector<std::string>& names) {
  std::vector<std::string> escaped;
  for (const std::string& name : names) escaped.push_back(escape(name));
  return fmt::format("{}", fmt::join(escaped, "+"));
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
  const auto add = [&](const char* key, const std::string& value) {
    keys += fmt::format(",{}={}", key, value);
  };
  if (!spec.columns.empty()) add("columns", join_names(spec.columns));
  if (!spec.order.empty()) add("order", join_names(spec.order));
  if (spec.bins != defaults.bins) add("bins", fmt::format("{}", spec.bins));
  if (spec.kernel != defaults.kernel) add("kernel", to_text(spec.kernel));
  if (spec.width) add("width", fmt::format("{}", *spec.width));
  if (spec.neighbours != defaults.neighbours) add("neighbours", fmt::format("{}", spec.neighbours));
  if (spec.distance != defaults.distance) add("distance", to_text(spec.distance));

  std::string text = fmt::format("{}={}", escape(spec.name), spec.n_components);
  if (spec.kind != defaults.kind || !keys.empty()) text += ":" + kind + keys;
  return text;
}

}  // namespace milcci
