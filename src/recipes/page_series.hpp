// Daily views of pages, or of whole wikis, as they come: one series per page, site, platform and agent.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace milcci::recipes {

inline constexpr std::array<const char*, 4> kPageLabels = {"language", "family", "platform", "agent"};
inline constexpr std::size_t kLanguage = 0, kFamily = 1, kPlatform = 2, kAgent = 3;

struct PageSeries {
  std::string page;                   ///< empty if views are of whole wikis
  std::array<std::string, 4> labels;  ///< as in kPageLabels; empty where the file tells nothing
  std::vector<double> views;          ///< one per day of the file, NaN = missing
};

struct PageViews {
  std::vector<double> days;  ///< since 1970-01-01, increasing
  std::vector<PageSeries> series;
};

/// Throw Error(bad_file) with the place in the file and what was expected there.
PageViews read_page_table(const std::string& path);
PageViews read_page_json(const std::string& path);

/// "en.wikipedia.org" or "en.wikipedia": language en, family wikipedia.
void split_project(std::string_view project, PageSeries& series);
/// "Prince_en.wikipedia.org_desktop_all-agents", as Kaggle names its series. False if it is none.
bool split_name(std::string_view name, PageSeries& series);
/// 2016-01-31, 20160131 or 2016013100, in days since 1970-01-01.
std::optional<double> parse_day(std::string_view text);

/// Puts single views together into series.
class ViewCollector {
 public:
  /// False if the series has the day already.
  bool add(const PageSeries& names, double day, double views);
  /// Throws Error(bad_file) if most series lack views on most days: filling in the rest could take
  /// any amount of memory.
  PageViews collect(const std::string& path) const;

 private:
  using Key = std::pair<std::string, std::array<std::string, 4>>;
  std::map<Key, std::map<double, double>> views_;  // by series and day
};

}  // namespace milcci::recipes
