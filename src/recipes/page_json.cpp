// Views as the page view API of Wikimedia answers: an object with `items`, one per day. A file may hold
// several answers, one after the other or in an array.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string_view>

#include "core/json_depth.hpp"
#include "read/errors.hpp"
#include "read/tables/byte_source.hpp"
#include "recipes/page_series.hpp"

namespace milcci::recipes {
namespace {

using Json = nlohmann::json;

std::string all_bytes(const std::string& path) {
  const auto source = read::open_source(path);
  std::string text, block(1 << 20, '\0');
  while (const std::size_t n = source->read(block.data(), block.size())) text.append(block, 0, n);
  return text;
}

class PageJson {
 public:
  explicit PageJson(const std::string& path) : path_(path) {}

  PageViews read() {
    std::string text = all_bytes(path_);
    // Any depth would be walked through by functions that call themselves.
    constexpr int kDeepest = 16;
    if (json_depth(text) > kDeepest)
      read::fail(path_,
                 fmt::format("is JSON nested more than {} deep; expected answers of the page view API, "
                             "{{\"items\": [...]}}",
                             kDeepest));
    std::istringstream stream(std::move(text));
    try {
      while ((stream >> std::ws).peek() != std::istringstream::traits_type::eof()) {
        Json value;
        stream >> value;
        take(value);
      }
    } catch (const Json::exception& error) {
      read::fail(path_, fmt::format("is no JSON of the page view API: {}", read::shown(error.what())));
    }
    if (n_items_ == 0)
      read::fail(path_, "has no items; expected answers of the page view API, {\"items\": [...]}");
    return collector_.collect(path_);
  }

 private:
  void take(const Json& value) {
    if (value.is_array()) {
      for (const Json& part : value) take(part);
    } else if (value.is_object() && value.contains("items")) {
      take(value.at("items"));
    } else {
      take_item(value);
    }
  }

  void take_item(const Json& item) {
    ++n_items_;
    const auto wrong = [&](const std::string& what) {
      read::fail(path_, fmt::format("item {}: {}; it is {}", n_items_, what, read::shown(item.dump())));
    };
    if (!item.is_object() || !item.contains("project") || !item.contains("timestamp") ||
        !item.contains("views"))
      wrong("must have project, timestamp and views");
    PageSeries names;
    names.page = item.value("article", "");
    split_project(item.at("project").get<std::string>(), names);
    names.labels[kPlatform] = item.value("access", "");
    names.labels[kAgent] = item.value("agent", "");
    const std::optional<double> day = parse_day(item.at("timestamp").get<std::string>());
    if (!day) wrong("timestamp must be a day such as 2016013100");
    const double views = item.at("views").get<double>();
    if (views < 0) wrong("views must not be negative");
    if (!collector_.add(names, *day, views))
      wrong("the day is there twice for this page, platform and agent");
  }

  std::string path_;
  ViewCollector collector_;
  std::size_t n_items_ = 0;
};

}  // namespace

PageViews read_page_json(const std::string& path) {
  return PageJson(path).read();
}

}  // namespace milcci::recipes
