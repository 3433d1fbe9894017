// Wide tables (one time point per row) and series (one channel per row).
#include <gtest/gtest.h>

#include <cmath>

#include "support/reading.hpp"

namespace milcci {
namespace {

using testing::all_notes;
using testing::expect_refused;
using testing::label_texts;
using testing::read_text;
using Names = std::vector<std::string>;

const std::string kWide =
    "trial,time,choice,n1,n2,n3\n"
    "7,0.5,left,1,2,3\n"
    "7,0.25,left,4,,6\n"
    "3,0.5,right,7,8,9\n";

TEST(WideTable, BecomesTrials) {
  const ReadResult result = read_text(kWide);
  const Trials& trials = result.trials;
  ASSERT_EQ(trials.n_trials(), 2);
  EXPECT_EQ(trials.channel_names, (Names{"n1", "n2", "n3"}));
  EXPECT_EQ(label_texts(trials, "trial"), (Names{"3", "7"})) << "numbered trials in order";
  EXPECT_EQ(trials.trial_names, (Names{"3", "7"}));
  EXPECT_EQ(label_texts(trials, "choice"), (Names{"right", "left"})) << "text columns are labels";
  EXPECT_EQ(trials.values[0].col(0), Vector({{7, 8, 9}}));
  EXPECT_EQ(trials.values[1](0, 0), 4) << "sorted by time";
  EXPECT_TRUE(std::isnan(trials.values[1](1, 0)));
  EXPECT_EQ(trials.times[1], Vector({{0.25, 0.5}}));
}

TEST(WideTable, TakesNumericLabelsWhenAsked) {
  ReadOptions options;
  options.label_columns = {"age"};
  const std::string table = "trial,age,kind,n1\n1,30,x,5\n1,30,x,6\n2,40,y,7\n";
  const ReadResult asked = read_text(table, options), plain = read_text(table);
  EXPECT_EQ(label_texts(asked.trials, "age"), (Names{"30", "40"}));
  EXPECT_EQ(asked.trials.find_label("kind"), nullptr);
  EXPECT_NE(all_notes(asked).find("kind"), std::string::npos) << "what is left out is told";
  EXPECT_EQ(plain.trials.channel_names, (Names{"age", "n1"})) << "numbers are channels unless asked for";
}

TEST(WideTable, NeedsNoTimes) {
  const ReadResult result = read_text("trial,n1,n2\n1,5,6\n2,7,8\n1,9,10\n");
  EXPECT_TRUE(result.trials.times.empty());
  EXPECT_EQ(result.trials.values[0], (Matrix{{5, 9}, {6, 10}}));
  EXPECT_NE(all_notes(result).find("no column of times"), std::string::npos);
}

TEST(WideTable, MayNameItsChannelsByNumbers) {
  EXPECT_EQ(read_text("trial,time,0,1,2\n1,0,5,6,7\n").trials.channel_names, (Names{"0", "1", "2"}));
}

TEST(WideTable, MayHaveThousandsOfChannels) {
  std::string header = "trial,time", row;
  for (int n = 0; n < 5000; ++n) {
    header += fmt::format(",c{}", n);
    row += fmt::format(",{}", 0.5 * n);
  }
  const Trials trials = read_text(header + "\nx,1" + row + "\nx,2" + row + "\n").trials;
  EXPECT_EQ(trials.n_channels(), 5000);
  EXPECT_EQ(trials.values[0](4999, 1), 2499.5);
}

TEST(WideTable, RefusesATimeGivenTwice) {
  expect_refused(kWide + "7,0.250,left,1,1,1\n", {"line 5", "line 3", "\"7\"", "0.25", "once"});
}

TEST(WideTable, RefusesTextAmongNumbers) {
  std::string table = "trial,time,n1\n";
  for (int t = 0; t < 200; ++t) table += fmt::format("1,{},{}\n", t, t);
  expect_refused(table + "1,200,high\n", {"line 202", "\"n1\"", "\"high\"", "`label_columns`"});
  // Also among the rows that decide what a column is.
  expect_refused("trial,time,n1,n2\n1,0,1,1\n1,1,2,2\n1,2,abc,3\n1,3,4,4\n1,4,5,5\n1,5,6,6\n",
                 {"line 4", "\"n1\"", "\"abc\""});
}

TEST(WideTable, DecimalCommasAreReadWhereThereIsOneWayTo) {
  for (const char* table :
       {"trial;time;n1\n1;0;1,5\n1;1;2,5\n", "trial;channel;time;value\n1;a;0;1,5\n1;a;1;2,5\n",
        "trial;channel;t1;t2\n1;a;1,5;2,5\n"}) {
    const Trials trials = read_text(table).trials;
    ASSERT_EQ(trials.values[0].cols(), 2) << table;
    EXPECT_EQ(trials.values[0](0, 0), 1.5);
    EXPECT_EQ(trials.values[0](0, 1), 2.5);
  }
  expect_refused("trial;channel;time;value\n1;a;0;1,234\n", {"line 2", "\"1,234\"", "1.234 or 1234"});
}

TEST(WideTable, TimesMayHaveDecimalCommas) {
  for (const char* table : {"trial;time;n1\n1;0,5;1\n1;1,5;2\n", "trial\ttime\tn1\n1\t0,5\t1\n1\t1,5\t2\n",
                            "trial;channel;time;value\n1;a;0,5;1\n1;a;1,5;2\n"})
    EXPECT_EQ(read_text(table).trials.times[0], Vector({{0.5, 1.5}})) << table;
  EXPECT_EQ(read_text("trial,time,n1\n1,\"1,000,000\",1\n1,999999,2\n").trials.times[0],
            Vector({{999999, 1000000}}));
  expect_refused("trial;time;n1\n1;0,999;1\n1;1,000;2\n", {"line 3", "\"1,000\"", "1.000 or 1000"});
  expect_refused("trial;channel;time;value\n1;a;1,000;1\n", {"line 2", "\"1,000\"", "1.000 or 1000"});
}

// Also where they are the same throughout each trial, as labels are.
TEST(WideTable, RefusesNumbersThatMayBeTwo) {
  expect_refused("trial;time;n1;n2\n1;0;1,001;2,500\n1;1;1,001;2,500\n",
                 {"line 2", "\"n1\"", "\"1,001\"", "1.001 or 1001"});
  expect_refused("trial;time;n1;n2\n1;0;0,5;2,500\n1;1;0,7;2,500\n", {"line 2", "\"n2\"", "2.500 or 2500"});
}

TEST(WideTable, RemarksBeforeTheHeaderAreSkippedAndNumpysHeaderIsNone) {
  for (const char* table : {"# made by hand, in May\n#\ntrial,time,n1\n1,0,5\n", "# trial,time,n1\n1,0,5\n",
                            "# a remark, with commas, two\n#trial,time,n1\n1,0,5\n"}) {
    const Trials trials = read_text(table).trials;
    EXPECT_EQ(trials.channel_names, std::vector<std::string>{"n1"}) << table;
    EXPECT_EQ(trials.values[0](0, 0), 5);
  }
  expect_refused("# remark\ntrial,time,n1\n1,0,5\n1,1\n", {"line 4", "2 cells"});
}

TEST(WideTable, RefusesLabelsThatChangeWithinATrial) {
  expect_refused(kWide + "3,0.75,left,1,1,1\n", {"line 5", "line 4", "choice", "\"left\"", "\"right\""});
}

TEST(WideTable, RefusesWhatIsForOtherLayouts) {
  expect_refused(kWide, {"`absent`", "wide"}, {.absent = Absent::zero}, ErrorKind::bad_option);
  expect_refused(kWide, {"`channel` = n1", "wide"}, {.layout = Layout::wide, .channel = "n1"},
                 ErrorKind::bad_option);
  expect_refused("trial,a\n1,x\n", {"line 1", "channels"});
}

const std::string kSeries =
    "platform,language,2016-01-01,2016-01-03,2016-01-02\n"
    "desktop,de,1,2,3\n"
    "desktop,en,4,,\n"
    "mobile,en,,,5\n";

TEST(SeriesTable, BecomesTrials) {
  const ReadResult result = read_text(kSeries, {.channel = "language"});
  const Trials& trials = result.trials;
  ASSERT_EQ(trials.n_trials(), 2);
  EXPECT_EQ(trials.channel_names, (Names{"de", "en"}));
  EXPECT_EQ(label_texts(trials, "platform"), (Names{"desktop", "mobile"}));
  EXPECT_EQ(trials.values[0].row(0), Eigen::RowVector3d(1, 3, 2)) << "sorted by time";
  EXPECT_EQ(trials.times[0](2) - trials.times[0](0), 2);
  EXPECT_TRUE(std::isnan(trials.values[1](0, 1))) << "a channel without a row is missing";
  EXPECT_EQ(trials.n_times(1), 2) << "empty cells at the end make a trial shorter";
  EXPECT_EQ(trials.times[1].size(), 2);
  EXPECT_NE(all_notes(result).find("1 trials end early"), std::string::npos);
}

TEST(SeriesTable, MayNumberItsTimes) {
  const Trials trials = read_text("trial,unit,side,t1,t2,t10\n1,a,left,5,6,7\n1,b,left,8,9,10\n").trials;
  EXPECT_EQ(trials.times[0], Vector({{1, 2, 10}}));
  EXPECT_EQ(label_texts(trials, "side"), (Names{"left"}));
}

TEST(SeriesTable, TimesMayHaveDecimalCommas) {
  for (const char* table : {"trial;channel;0,5;1,5;2,5\n1;a;1;2;3\n1;b;4;5;6\n",
                            "trial\tchannel\tt0,5\tt1,5\tt2,5\n1\ta\t1\t2\t3\n1\tb\t4\t5\t6\n"}) {
    const ReadResult result = read_text(table);
    const Trials& trials = result.trials;
    EXPECT_NE(all_notes(result).find("5\", \""), std::string::npos) << "names with commas are told apart";
    EXPECT_EQ(trials.channel_names, (Names{"a", "b"})) << table;
    EXPECT_EQ(trials.times[0], Vector({{0.5, 1.5, 2.5}})) << table;
    EXPECT_EQ(trials.values[0], (Matrix{{1, 2, 3}, {4, 5, 6}})) << table;
  }
  EXPECT_EQ(read_text("trial,channel,\"x,1\",\"x,2\"\n1,a,1,2\n").trials.times[0], Vector({{1, 2}}));
}

// One of the times must not be left for a label, nor all be taken for channels.
TEST(SeriesTable, RefusesATimeThatMayBeTwo) {
  for (const char* table :
       {"trial;channel;0,999;1,000;1,001\n1;a;1;2;3\n", "trial;channel;1,000;1,001\n1;a;1;2\n",
        "trial,channel,0,500,\"1,000\"\n1,a,1,2,3\n", "trial;channel;t0;t1,000\n1;a;1;2\n"})
    expect_refused(table, {"line 1", "1,000\"", "1.000 or 1000"});
}

TEST(SeriesTable, RefusesAChannelGivenTwice) {
  expect_refused(kSeries + "desktop,de,1,2,3\n", {"line 5", "line 2", "desktop", "\"de\"", "`trial`"},
                 {.channel = "language"});
}

TEST(SeriesTable, RefusesWhatIsNoSeries) {
  expect_refused("trial,unit,a,b\n1,x,1,2\n", {"line 1", "time"}, {.layout = Layout::series});
  expect_refused("trial,unit,1,1.0\n1,x,1,2\n", {"line 1", "same time"}, {.layout = Layout::series});
  expect_refused("unit,1,2\nx,1,2\n", {"line 1", "trial", "`trial`"});
  expect_refused("language,platform,2016-01-01,2016-01-02\nen,d,1,2\n",
                 {"line 1", "2 of them", "times", "`channel`"});
  expect_refused(kSeries + "mobile,de,1,many,3\n", {"line 5", "2016-01-03", "\"many\""},
                 {.channel = "language"});
}

}  // namespace
}  // namespace milcci
