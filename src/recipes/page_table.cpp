// Views in a table: days as columns, or a row per day with a column of views.
#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>

#include "read/errors.hpp"
#include "read/text/number.hpp"
#include "recipes/named_rows.hpp"
#include "recipes/page_series.hpp"

namespace milcci::recipes {
namespace {

using Column = std::optional<std::size_t>;

class PageTable {
 public:
  explicit PageTable(const std::string& path) : path_(path), rows_(path) {
    for (std::size_t i = 0; i < rows_.names().size(); ++i)
      if (const auto day = parse_day(rows_.names()[i])) days_.emplace_back(*day, i);
    std::sort(days_.begin(), days_.end());
    for (std::size_t i = 1; i < days_.size(); ++i)
      if (days_[i].first == days_[i - 1].first)
        read::fail_line(path_, 1,
                        fmt::format("columns {} and {} are the same day, must differ",
                                    read::shown(rows_.names()[days_[i - 1].second]),
                                    read::shown(rows_.names()[days_[i].second])));
    if (!page_ && !project_ && !language_)
      read::fail(path_, "has no column with pages or wikis; expected article, page, project or language");
  }

  PageViews read() { return days_.size() >= 2 ? read_columns() : read_rows(); }

 private:
  Column first_of(std::initializer_list<const char*> names) const {
    for (const char* name : names)
      if (const Column found = rows_.find(name)) return found;
    return {};
  }

  PageSeries names() const {
    PageSeries series;
    const std::string_view page = rows_.cell(page_);
    if (page_ && !project_ && !language_) {
      if (!split_name(page, series))
        rows_.fail(*page_,
                   "a name such as Prince_en.wikipedia.org_desktop_all-agents, or there must be "
                   "columns project or language, and access");
      return series;
    }
    series.page = page;
    if (project_) split_project(rows_.cell(project_), series);
    const std::pair<std::size_t, Column> others[] = {
        {kLanguage, language_}, {kFamily, family_}, {kPlatform, platform_}, {kAgent, agent_}};
    for (const auto& [label, column] : others)
      if (column) series.labels[label] = rows_.cell(*column);
    return series;
  }

  double views(std::size_t column) const {
    const std::optional<double> value = read::parse_value(rows_.cell(column));
    if (!value || *value < 0) rows_.fail(column, "a number of views, or empty if missing");
    return *value;
  }

  PageViews read_columns() {
    PageViews out;
    for (const auto& [day, column] : days_) out.days.push_back(day);
    while (rows_.next()) {
      PageSeries& series = out.series.emplace_back(names());
      for (const auto& [day, column] : days_) series.views.push_back(views(column));
    }
    return out;
  }

  PageViews read_rows() {
    const Column day_column = first_of({"date", "day", "timestamp", "time"});
    const Column views_column = first_of({"views", "pageviews", "count", "value"});
    if (!day_column || !views_column)
      read::fail(path_,
                 "has neither days as columns, such as 2016-01-31, nor a column date and a column views");
    ViewCollector collector;
    while (rows_.next()) {
      const std::optional<double> day = parse_day(rows_.cell(*day_column));
      if (!day) rows_.fail(*day_column, "a day, such as 2016-01-31 or 20160131");
      if (!collector.add(names(), *day, views(*views_column)))
        rows_.fail(*day_column, "once per page, site, platform and agent; it was there before");
    }
    return collector.collect(path_);
  }

  std::string path_;
  NamedRows rows_;
  std::vector<std::pair<double, std::size_t>> days_;
  Column page_ = first_of({"article", "page", "title"}), project_ = first_of({"project", "wiki", "domain"});
  Column language_ = first_of({"language", "lang"}), family_ = first_of({"family"});
  Column platform_ = first_of({"platform", "access"}), agent_ = first_of({"agent"});
};

}  // namespace

PageViews read_page_table(const std::string& path) {
  return PageTable(path).read();
}

}  // namespace milcci::recipes
