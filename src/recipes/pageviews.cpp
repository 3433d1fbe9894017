// Page views: pages (or the languages of whole wikis) are channels, days are time, and a trial is one
// language, family, platform and agent. The scales are evened out as in the paper, since the largest wiki has
// a thousand times the views of the smallest.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "milcci/recipes.hpp"
#include "read/errors.hpp"
#include "read/tables/byte_source.hpp"
#include "recipes/page_block.hpp"
#include "recipes/page_series.hpp"
#include "util/percentile.hpp"

namespace milcci {
namespace {

using namespace recipes;
using Labels = std::array<std::string, 4>;

bool is_json(const std::string& path) {
  std::string start(4096, '\0');
  start.resize(read::open_source(path)->read(start.data(), start.size()));
  const std::size_t first = start.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
  return first != std::string::npos && (start[first] == '{' || start[first] == '[');
}

// Known on half of the days, and views on half of those.
bool is_alive(const PageSeries& series) {
  std::size_t n_known = 0, n_views = 0;
  for (const double views : series.views) n_known += !std::isnan(views), n_views += views > 0;
  return 2 * n_known >= series.views.size() && 2 * n_views >= n_known && n_known > 0;
}

class PageTrials {
 public:
  PageTrials(const std::string& path, PageViews views) : path_(path), views_(std::move(views)) {
    if (views_.series.empty()) read::fail(path_, "has no series");
    const bool has_pages = std::any_of(views_.series.begin(), views_.series.end(),
                                       [](const PageSeries& series) { return !series.page.empty(); });
    if (!has_pages)
      for (PageSeries& series : views_.series) std::swap(series.page, series.labels[kLanguage]);
    note("{} series of {} on {} days", views_.series.size(),
         has_pages ? "pages" : "wikis, languages as channels", views_.days.size());
  }

  ReadResult make() {
    choose();
    replace_total(kPlatform, "all-access", {"desktop", "mobile-web"}, "mobile-app");
    replace_total(kAgent, "all-agents", {"spider"}, "user");
    keep_days();
    even_out();
    write();
    return std::move(result_);
  }

 private:
  template <class... Args>
  void note(fmt::format_string<Args...> text, Args&&... args) {
    result_.notes.push_back(fmt::format(text, std::forward<Args>(args)...));
  }

  // Pages and trials that have every series between them.
  void choose() {
    std::map<std::string, std::size_t> page_ids;
    std::vector<Labels> labels;
    std::map<Labels, std::size_t> label_ids;
    std::vector<std::pair<std::size_t, std::size_t>> places;
    for (const PageSeries& series : views_.series) {
      const std::size_t page = page_ids.emplace(series.page, page_ids.size()).first->second;
      const auto [found, is_new] = label_ids.emplace(series.labels, labels.size());
      places.emplace_back(page, found->second);
      if (is_new) labels.push_back(series.labels);
    }
    // The time of the search for a block grows with their cube.
    constexpr std::size_t kMostKinds = 1000;
    if (labels.size() > kMostKinds)
      read::fail(path_,
                 fmt::format("has {} combinations of {}, must have at most {}; are those columns right?",
                             labels.size(), fmt::join(kPageLabels, ", "), kMostKinds));
    std::vector<std::vector<bool>> has(page_ids.size(), std::vector<bool>(labels.size(), false));
    std::set<std::pair<std::size_t, std::size_t>> seen;
    for (std::size_t s = 0; s < places.size(); ++s) {
      if (!seen.insert(places[s]).second)
        read::fail(path_,
                   fmt::format("{} ({}) is there twice, must be there once",
                               read::shown(views_.series[s].page), fmt::join(views_.series[s].labels, " ")));
      has[places[s].first][places[s].second] = is_alive(views_.series[s]);
    }
    const Block block = large_block(has);
    if (block.columns.empty()) read::fail(path_, "has no series with views on half of the days");
    const std::vector<std::size_t> columns = without_lone_options(labels, block.columns);

    std::map<std::size_t, std::size_t> row_of, column_of;
    for (const std::size_t row : block.rows) row_of.emplace(row, row_of.size());
    for (const std::size_t column : columns) {
      column_of.emplace(column, column_of.size());
      trials_.push_back({labels[column], std::vector<std::vector<double>>(block.rows.size())});
    }
    pages_.resize(block.rows.size());
    for (std::size_t s = 0; s < places.size(); ++s) {
      const auto row = row_of.find(places[s].first), column = column_of.find(places[s].second);
      if (row == row_of.end() || column == column_of.end()) continue;
      pages_[row->second] = views_.series[s].page;
      trials_[column->second].views[row->second] = std::move(views_.series[s].views);
    }
    note("kept {} of {} channels and {} of {} kinds of series: the largest block that is complete",
         pages_.size(), page_ids.size(), trials_.size(), labels.size());
  }

  // An option with one trial, where the others of its label have several, has no evidence of its own.
  static std::vector<std::size_t> without_lone_options(const std::vector<Labels>& labels,
                                                       std::vector<std::size_t> columns) {
    for (std::size_t l = 0; l < kPageLabels.size(); ++l) {
      std::map<std::string, std::size_t> counts;
      for (const std::size_t column : columns) ++counts[labels[column][l]];
      const bool has_several =
          std::any_of(counts.begin(), counts.end(), [](const auto& count) { return count.second > 1; });
      if (has_several)
        std::erase_if(columns, [&](std::size_t column) { return counts[labels[column][l]] == 1; });
    }
    return columns;
  }

  struct Trial {
    Labels labels;
    std::vector<std::vector<double>> views;  // per page
  };

  // A total beside all its parts but one is replaced by that one.
  void replace_total(std::size_t label, const std::string& total, const std::vector<std::string>& parts,
                     const std::string& rest) {
    for (Trial& trial : trials_) {
      if (trial.labels[label] != total) continue;
      std::vector<const Trial*> found;
      bool has_rest = false;
      for (const Trial& other : trials_) {
        Labels same = other.labels;
        same[label] = total;
        if (same != trial.labels) continue;
        if (std::find(parts.begin(), parts.end(), other.labels[label]) != parts.end())
          found.push_back(&other);
        has_rest = has_rest || other.labels[label] == rest;
      }
      if (found.size() != parts.size() || has_rest) continue;
      for (std::size_t page = 0; page < pages_.size(); ++page)
        for (std::size_t day = 0; day < views_.days.size(); ++day) {
          double& views = trial.views[page][day];
          for (const Trial* part : found) views -= part->views[page][day];
          views = std::max(views, 0.0);
        }
      trial.labels[label] = rest;
      note("{} = {} - {}", rest, total, fmt::join(parts, " - "));
    }
  }

  // Days on which nothing was counted are no time points.
  void keep_days() {
    for (std::size_t day = 0; day < views_.days.size(); ++day) {
      const bool is_known = std::any_of(trials_.begin(), trials_.end(), [&](const Trial& trial) {
        return std::any_of(trial.views.begin(), trial.views.end(),
                           [&](const std::vector<double>& views) { return !std::isnan(views[day]); });
      });
      if (is_known) days_.push_back(day);
    }
    if (days_.size() < views_.days.size())
      note("left out {} days without any count", views_.days.size() - days_.size());
  }

  // (y - least) / 99th percentile, of all numbers in the group.
  static void even_out(const std::vector<std::vector<double>*>& group) {
    std::vector<double> known;
    for (const std::vector<double>* views : group)
      for (const double y : *views)
        if (!std::isnan(y)) known.push_back(y);
    if (known.empty()) return;
    const double least = *std::min_element(known.begin(), known.end());
    const double scale = percentile(std::move(known), 0.99);
    if (scale <= 0) return;
    for (std::vector<double>* views : group)
      for (double& y : *views) y = (y - least) / scale;
  }

  // Each site over all its pages, then each page over all sites, as in the paper.
  void even_out() {
    std::map<std::pair<std::string, std::string>, std::vector<std::vector<double>*>> by_site;
    std::vector<std::vector<std::vector<double>*>> by_page(pages_.size());
    for (Trial& trial : trials_)
      for (std::size_t page = 0; page < pages_.size(); ++page) {
        by_site[{trial.labels[kLanguage], trial.labels[kFamily]}].push_back(&trial.views[page]);
        by_page[page].push_back(&trial.views[page]);
      }
    for (const auto& [site, group] : by_site) even_out(group);
    for (const auto& group : by_page) even_out(group);
    note("scaled {} sites, then every channel: minus the least, by the 99th percentile", by_site.size());
  }

  void write() {
    Trials& out = result_.trials;
    out.channel_names = pages_;
    Vector time(static_cast<Index>(days_.size()));
    for (std::size_t t = 0; t < days_.size(); ++t) time(static_cast<Index>(t)) = views_.days[days_[t]];
    for (const Trial& trial : trials_) {
      Matrix values(static_cast<Index>(pages_.size()), time.size());
      for (std::size_t page = 0; page < pages_.size(); ++page)
        for (std::size_t t = 0; t < days_.size(); ++t)
          values(static_cast<Index>(page), static_cast<Index>(t)) = trial.views[page][days_[t]];
      out.values.push_back(std::move(values));
      out.times.push_back(time);
    }
    for (std::size_t l = 0; l < kPageLabels.size(); ++l) {
      LabelColumn::Texts texts;
      for (const Trial& trial : trials_) texts.push_back(trial.labels[l]);
      const bool varies = std::set<std::string>(texts.begin(), texts.end()).size() > 1;
      if (varies)
        out.labels.push_back({kPageLabels[l], texts});
      else if (!texts.front().empty())
        note("all trials have {} {}", kPageLabels[l], texts.front());
    }
  }

  const std::string& path_;
  PageViews views_;
  std::vector<std::string> pages_;
  std::vector<Trial> trials_;
  std::vector<std::size_t> days_;  // positions of those that are kept
  ReadResult result_;
};

}  // namespace

ReadResult read_pageviews(const std::string& path) {
  return PageTrials(path, is_json(path) ? read_page_json(path) : read_page_table(path)).make();
}

}  // namespace milcci
