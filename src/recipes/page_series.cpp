#include "recipes/page_series.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>

#include "read/errors.hpp"
#include "read/text/number.hpp"

namespace milcci::recipes {

void split_project(std::string_view project, PageSeries& series) {
  const std::size_t dot = project.find('.');
  series.labels[kLanguage] = project.substr(0, dot);
  if (dot == std::string_view::npos) return;
  const std::string_view rest = project.substr(dot + 1);
  series.labels[kFamily] = rest.substr(0, rest.find('.'));
}

bool split_name(std::string_view name, PageSeries& series) {
  std::array<std::string_view, 3> parts;  // agent, access, project
  for (std::string_view& part : parts) {
    const std::size_t underscore = name.rfind('_');
    if (underscore == std::string_view::npos) return false;
    part = name.substr(underscore + 1);
    name = name.substr(0, underscore);
  }
  if (parts[2].find('.') == std::string_view::npos || name.empty()) return false;
  series.page = name;
  split_project(parts[2], series);
  series.labels[kPlatform] = parts[1];
  series.labels[kAgent] = parts[0];
  return true;
}

std::optional<double> parse_day(std::string_view text) {
  const bool is_digits = text.find_first_not_of("0123456789") == std::string_view::npos;
  if (!is_digits) return read::is_date(text) ? read::parse_time(text) : std::nullopt;
  if (text.size() != 8 && text.size() != 10) return {};
  const std::string date = std::string(text.substr(0, 4)) + "-" + std::string(text.substr(4, 2)) + "-" +
                           std::string(text.substr(6, 2));
  return read::is_date(date) ? read::parse_time(date) : std::nullopt;
}

bool ViewCollector::add(const PageSeries& names, double day, double views) {
  return views_[{names.page, names.labels}].emplace(day, views).second;
}

PageViews ViewCollector::collect(const std::string& path) const {
  std::set<double> days;
  std::size_t n_views = 0;
  for (const auto& [key, by_day] : views_) {
    for (const auto& [day, views] : by_day) days.insert(day);
    n_views += by_day.size();
  }
  constexpr std::size_t kHarmless = 10'000'000, kMostPerView = 1000;
  if (const std::size_t n_cells = days.size() * views_.size();
      n_cells > kHarmless && n_cells / kMostPerView > n_views)
    read::fail(path,
               fmt::format("has {} views of {} series on {} days: fewer than one in {} is known, expected at "
                           "least half; are the columns the right ones?",
                           n_views, views_.size(), days.size(), kMostPerView));
  PageViews out;
  out.days.assign(days.begin(), days.end());
  for (const auto& [key, by_day] : views_) {
    PageSeries& series = out.series.emplace_back();
    series.page = key.first;
    series.labels = key.second;
    series.views.assign(out.days.size(), std::numeric_limits<double>::quiet_NaN());
    for (const auto& [day, views] : by_day) {
      const auto at = std::lower_bound(out.days.begin(), out.days.end(), day) - out.days.begin();
      series.views[static_cast<std::size_t>(at)] = views;
    }
  }
  return out;
}

}  // namespace milcci::recipes
