// Small files of page views in the forms in which they come.
#include <gtest/gtest.h>

#include <cmath>

#include "milcci/recipes.hpp"
#include "recipes/page_block.hpp"
#include "recipes/page_series.hpp"
#include "support/reading.hpp"

namespace milcci {
namespace {

using testing::all_notes;
using testing::expect_error;
using testing::label_texts;
using testing::TemporaryDirectory;

ReadResult read_views(const std::string& text, const std::string& name = "views.csv") {
  const TemporaryDirectory folder;
  return read_pageviews(folder.write(name, text));
}

constexpr const char* kKaggle =
    "Page,2016-01-01,2016-01-02,2016-01-03\n"
    "Prince_(musician)_en.wikipedia.org_desktop_all-agents,10,20,30\n"
    "Prince_(musician)_en.wikipedia.org_mobile-web_all-agents,20,40,60\n"
    "Cat_en.wikipedia.org_desktop_all-agents,1,2,1\n"
    "Cat_en.wikipedia.org_mobile-web_all-agents,3,2,3\n"
    "Hund_de.wikipedia.org_desktop_all-agents,3,2,3\n";

TEST(Pageviews, NamesOfKaggleAreTakenApart) {
  recipes::PageSeries series;
  ASSERT_TRUE(recipes::split_name("2NE1_(band)_zh.wikipedia.org_all-access_spider", series));
  EXPECT_EQ(series.page, "2NE1_(band)");
  EXPECT_EQ(series.labels, (std::array<std::string, 4>{"zh", "wikipedia", "all-access", "spider"}));
  EXPECT_FALSE(recipes::split_name("Main_Page", series));
  EXPECT_FALSE(recipes::split_name("a_b_c_d", series));
}

TEST(Pageviews, KeepsThePagesThatHaveAllPlatforms) {
  const ReadResult result = read_views(kKaggle);
  EXPECT_EQ(result.trials.channel_names, (std::vector<std::string>{"Prince_(musician)", "Cat"}));
  EXPECT_EQ(label_texts(result.trials, "platform"), (std::vector<std::string>{"desktop", "mobile-web"}));
  EXPECT_EQ(result.trials.find_label("language"), nullptr);
  EXPECT_NE(all_notes(result).find("all trials have language en"), std::string::npos);
  EXPECT_EQ(result.trials.times[0](0), 16801);
}

TEST(Pageviews, JsonOfAnyDepthIsRefusedWithoutWalkingThroughIt) {
  const std::string open(1000000, '['), close(1000000, ']');
  const auto refused = [](const std::string& text) {
    expect_error(ErrorKind::bad_file, {"views.json", "nested", "items"},
                 [&] { read_views(text, "views.json"); });
  };
  refused(open + close);
  refused(open);
  refused(R"({"items": [{"project": )" + open + close + "}]}");
  // Brackets in texts are no nesting.
  expect_error(ErrorKind::bad_file, {"timestamp must be a day"}, [&] {
    read_views(R"([{"project": "[[[[[[[[[[[[[[[[[[[[\"[[", "timestamp": "1", "views": 2}])", "views.json");
  });
}

TEST(Pageviews, AFewViewsOfManyPagesOnManyDaysAreRefusedBeforeMemoryIsTaken) {
  std::string rows = "date,views,article,project\n";
  for (int i = 0; i < 4000; ++i)
    rows += fmt::format("{:04}-{:02}-{:02},1,page{},en\n", 1900 + i / 300, 1 + i / 25 % 12, 1 + i % 25, i);
  expect_error(ErrorKind::bad_file, {"4000 views of 4000 series on 4000 days"}, [&] { read_views(rows); });
}

TEST(Pageviews, TooManyKindsOfSeriesAreRefused) {
  std::string rows = "article,language,2016-01-01,2016-01-02\n";
  for (int i = 0; i < 1001; ++i) rows += fmt::format("Cat,l{},1,2\n", i);
  expect_error(ErrorKind::bad_file, {"1001 combinations of language"}, [&] { read_views(rows); });
}

TEST(Pageviews, ALongTableAndTheAnswersOfTheApiGiveTheSameTrials) {
  std::string rows = "date,views,article,project,access,agent\n", json;
  for (const char* platform : {"desktop", "mobile-web"})
    for (const char* page : {"A", "B"})
      for (int day = 1; day <= 3; ++day) {
        const int views = day * day + (platform[0] == 'd') + 5 * (page[0] == 'A');
        rows += fmt::format("2016-01-0{},{},{},en.wikipedia,{},user\n", day, views, page, platform);
        json += fmt::format(
            R"({{"items": [{{"project": "en.wikipedia", "article": "{}", "granularity": "daily", )"
            R"("timestamp": "2016010{}00", "access": "{}", "agent": "user", "views": {}}}]}})"
            "\n",
            page, day, platform, views);
      }
  const Trials a = read_views(rows).trials, b = read_views(json, "views.json").trials;
  EXPECT_EQ(a.n_trials(), 2u);
  EXPECT_EQ(a.channel_names, b.channel_names);
  for (std::size_t m = 0; m < 2; ++m) {
    EXPECT_EQ(a.values[m], b.values[m]);
    EXPECT_EQ(a.times[m], b.times[m]);
  }
}

TEST(Pageviews, WithoutPagesLanguagesAreTheChannels) {
  const Trials trials = read_views(
                            "family,platform,language,2016-01-01,2016-01-02,2016-01-03\n"
                            "wikipedia,desktop,ar,1,,2\nwikipedia,desktop,bg,2,,3\n"
                            "wikinews,desktop,ar,5,,2\nwikinews,desktop,bg,4,,3\n")
                            .trials;
  EXPECT_EQ(trials.channel_names, (std::vector<std::string>{"ar", "bg"}));
  EXPECT_EQ(label_texts(trials, "family"), (std::vector<std::string>{"wikipedia", "wikinews"}));
  EXPECT_EQ(trials.n_times(0), 2) << "a day without any count is no time point";
}

TEST(Pageviews, TheAppIsWhatTheOtherPlatformsLeaveOfTheTotal) {
  const ReadResult result = read_views(
      "article,project,access,2016-01-01,2016-01-02\n"
      "A,en.wikipedia.org,all-access,100,50\nA,en.wikipedia.org,desktop,60,20\nA,en.wikipedia.org,mobile-web,"
      "30,30\n");
  EXPECT_EQ(label_texts(result.trials, "platform"),
            (std::vector<std::string>{"mobile-app", "desktop", "mobile-web"}));
  // 10 and 0, the least of all is 0: the ratios to desktop's 60 and 20 stay.
  const double desktop = result.trials.values[1](0, 0);
  EXPECT_NEAR(result.trials.values[0](0, 0) / desktop, 1.0 / 6, 1e-12);
  EXPECT_EQ(result.trials.values[0](0, 1), 0.0);
}

TEST(Pageviews, ChannelsEndOnOneScale) {
  const Trials trials = read_views(kKaggle).trials;
  for (Index n = 0; n < 2; ++n) {
    double least = 1, most = 0;
    for (const Matrix& y : trials.values)
      least = std::min(least, y.row(n).minCoeff()), most = std::max(most, y.row(n).maxCoeff());
    EXPECT_EQ(least, 0.0);
    EXPECT_NEAR(most, 1.0, 0.7);
  }
}

TEST(Pageviews, SeriesThatAreAllButEmptyDoNotCount) {
  const ReadResult result = read_views(
      "article,project,access,2016-01-01,2016-01-02,2016-01-03\n"
      "A,en.wikipedia.org,desktop,1,2,3\nA,en.wikipedia.org,mobile-web,1,2,3\nA,en.wikipedia.org,zero,0,1,"
      "0\n");
  EXPECT_EQ(label_texts(result.trials, "platform"), (std::vector<std::string>{"desktop", "mobile-web"}));
}

TEST(Pageviews, TheBlockIsCompleteAndLarge) {
  // Row 2 lacks column 1; columns 0 to 2 of rows 0, 1, 3 beat columns 0 and 2 of all four rows.
  const auto block =
      recipes::large_block({{true, true, true}, {true, true, true}, {true, false, true}, {true, true, true}});
  EXPECT_EQ(block.columns, (std::vector<std::size_t>{0, 1, 2}));
  EXPECT_EQ(block.rows, (std::vector<std::size_t>{0, 1, 3}));
}

TEST(Pageviews, MistakesAreNamedWithTheirPlace) {
  const std::vector<std::pair<std::string, std::vector<std::string>>> cases = {
      {"article,project,2016-01-01,2016-01-02\nA,en.wikipedia,1,x\n", {"line 2", "2016-01-02", "\"x\""}},
      {"article,project,2016-01-01,2016-01-02\nA,en.wikipedia,1,-2\n", {"line 2", "-2"}},
      {"article,project,2016-01-01,20160101\nA,en.wikipedia,1,2\n", {"same day"}},
      {"article,project,2016-01-01,2016-01-02\nA,en.wikipedia,1,2\nA,en.wikipedia,1,2\n", {"\"A\"", "twice"}},
      {"Page,2016-01-01,2016-01-02\nMain_Page,1,2\n", {"line 2", "Main_Page"}},
      {"article,project,date,views\nA,en.wikipedia,yesterday,1\n", {"line 2", "yesterday"}},
      {"article,project,date\nA,en.wikipedia,2016-01-01\n", {"views"}},
      {"x,2016-01-01,2016-01-02\nA,1,2\n", {"article"}},
      {"[]", {"no items"}},
      {"{\"items\": [{\"project\": \"en.wikipedia\"}]}", {"item 1", "timestamp"}},
      {"{\"items\": [", {"JSON"}},
  };
  for (const auto& [text, words] : cases)
    expect_error(ErrorKind::bad_file, words, [&, &text = text] { read_views(text); });
}

}  // namespace
}  // namespace milcci
