// Long tables: one value per row.
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

const std::string kTable =
    "trial,channel,time,value,choice,age\n"
    "1,a,0.1,10,left,3\n"
    "1,a,0.2,11,left,3\n"
    "1,b,0.1,12,left,3\n"
    "1,b,0.2,,left,3\n"
    "2,a,0.1,14,right,4.5\n"
    "2,b,0.3,17,right,4.5\n";

TEST(LongTable, BecomesTrials) {
  const ReadResult result = read_text(kTable);
  const Trials& trials = result.trials;
  ASSERT_EQ(trials.n_trials(), 2);
  EXPECT_EQ(trials.channel_names, (Names{"a", "b"}));
  EXPECT_EQ(trials.values[0](0, 0), 10);
  EXPECT_EQ(trials.values[0](0, 1), 11);
  EXPECT_EQ(trials.values[0](1, 0), 12);
  EXPECT_TRUE(std::isnan(trials.values[0](1, 1)));
  EXPECT_EQ(trials.times[1](0), 0.1);
  EXPECT_EQ(trials.times[1](1), 0.3);
  EXPECT_EQ(trials.values[1](1, 1), 17);
  EXPECT_TRUE(std::isnan(trials.values[1](1, 0))) << "a value in no row is missing";
  EXPECT_TRUE(std::holds_alternative<LabelColumn::Integers>(trials.find_label("trial")->values));
  EXPECT_TRUE(std::holds_alternative<LabelColumn::Reals>(trials.find_label("age")->values));
  EXPECT_EQ(label_texts(trials, "choice"), (Names{"left", "right"}));
  EXPECT_NE(all_notes(result).find("long"), std::string::npos);
}

TEST(LongTable, MayHaveItsRowsInAnyOrder) {
  const std::string shuffled =
      "trial,channel,time,value,choice,age\n"
      "2,b,0.3,17,right,4.5\n"
      "1,a,0.2,11,left,3\n"
      "1,b,0.2,,left,3\n"
      "2,a,0.1,14,right,4.5\n"
      "1,a,0.1,10,left,3\n"
      "1,b,0.1,12,left,3\n";
  const Trials expected = read_text(kTable).trials, found = read_text(shuffled).trials;
  EXPECT_EQ(found.channel_names, (Names{"b", "a"})) << "channels in order of appearance";
  EXPECT_EQ(label_texts(found, "trial"), label_texts(expected, "trial")) << "numbered trials in order";
  for (std::size_t m = 0; m < 2; ++m) {
    EXPECT_EQ(found.times[m], expected.times[m]);
    for (Index t = 0; t < 2; ++t)
      for (Index n = 0; n < 2; ++n) {
        const double a = found.values[m](n, t), b = expected.values[m](1 - n, t);
        EXPECT_TRUE(a == b || (std::isnan(a) && std::isnan(b)));
      }
  }
}

TEST(LongTable, KeepsNamedTrialsAsTheyAppear) {
  const Trials trials = read_text("trial,channel,time,value\nt10,a,0,1\nt2,a,0,2\nt10,a,1,3\n").trials;
  EXPECT_EQ(label_texts(trials, "trial"), (Names{"t10", "t2"}));
  EXPECT_EQ(trials.n_times(0), 2);
}

TEST(LongTable, TakesColumnsByTheirUsualNames) {
  const Trials trials = read_text("Trial ID;Neuron;Bin;Count\n1;5;1;3\n1;6;1;4\n").trials;
  EXPECT_EQ(trials.channel_names, (Names{"5", "6"}));
  EXPECT_EQ(trials.values[0](1, 0), 4);
}

TEST(LongTable, TakesColumnsByTheNamesGiven) {
  ReadOptions options;
  options.trial = {"session", "run"};
  options.channel = "state";
  options.time = "year";
  options.value = "votes";
  options.label_columns = {"party"};
  const ReadResult result = read_text(
      "state,year,votes,party,session,run,remark\n"
      "CA,2000,5,D,s1,1,x\nCA,2004,6,D,s1,1,y\nCA,2000,7,R,s1,2,z\n",
      options);
  ASSERT_EQ(result.trials.n_trials(), 2);
  EXPECT_EQ(label_texts(result.trials, "party"), (Names{"D", "R"}));
  EXPECT_EQ(label_texts(result.trials, "session"), (Names{"s1", "s1"}));
  EXPECT_EQ(label_texts(result.trials, "run"), (Names{"1", "2"}));
  EXPECT_EQ(result.trials.find_label("remark"), nullptr);
  EXPECT_NE(all_notes(result).find("remark"), std::string::npos) << "what is left out is told";
}

TEST(LongTable, MayListOnlyWhatIsNotZero) {
  const std::string table = "trial,channel,time,value\n1,a,1,5\n1,b,3,6\n2,a,2,7\n2,b,2,NA\n";
  const Trials trials = read_text(table, {.absent = Absent::zero}).trials;
  for (std::size_t m = 0; m < 2; ++m) EXPECT_EQ(trials.n_times(m), 3) << "every trial has all times";
  EXPECT_EQ(trials.values[0](0, 0), 5);
  EXPECT_EQ(trials.values[0](0, 1), 0);
  EXPECT_EQ(trials.values[1](0, 1), 7);
  EXPECT_TRUE(std::isnan(trials.values[1](1, 1))) << "what is said to be missing stays so";
}

TEST(LongTable, MayHaveDatesAsTimes) {
  const ReadResult result =
      read_text("trial,channel,date,value\nx,a,2016-03-01,2\nx,a,2016-02-28,1\nx,a,2016-02-29,5\n");
  EXPECT_EQ(result.trials.times[0](1) - result.trials.times[0](0), 1);
  EXPECT_EQ(result.trials.values[0](0, 2), 2);
  EXPECT_NE(all_notes(result).find("1970-01-01"), std::string::npos);
}

TEST(LongTable, KnowsATimeHoweverItIsWritten) {
  const Trials trials = read_text("trial,channel,time,value\n1,a,1,5\n1,b,1.0,6\n1,a,2e0,7\n").trials;
  EXPECT_EQ(trials.n_times(0), 2);
}

TEST(LongTable, MayHaveGroupsOfChannels) {
  ReadOptions options;
  options.channel_group = "region";
  const std::string table = "trial,channel,time,value,region\n1,a,1,5,V1\n1,b,1,6,MT\n2,a,1,7,V1\n";
  EXPECT_EQ(read_text(table, options).trials.channel_groups, (Names{"V1", "MT"}));
  expect_refused(table + "2,b,1,6,V1\n", {"line 5", "line 3", "region", "\"V1\"", "\"MT\"", "channel"},
                 options);
}

TEST(LongTable, LabelsMayHaveDecimalCommas) {
  const ReadResult result = read_text(
      "trial;channel;time;value;dose;pair;code\n"
      "1;a;0;1;0,1;1,1;1,001\n2;a;0;1;2;1,10;0,5\n3;a;0;1;;2,1;0,5\n");
  const Trials& trials = result.trials;
  const LabelColumn* const dose = trials.find_label("dose");
  ASSERT_TRUE(std::holds_alternative<LabelColumn::Reals>(dose->values));
  EXPECT_EQ(dose->number(0), 0.1);
  EXPECT_EQ(dose->number(1), 2);
  EXPECT_TRUE(dose->is_missing(2));
  EXPECT_EQ(label_texts(trials, "pair"), (Names{"1,1", "1,10", "2,1"})) << "two texts are never one label";
  EXPECT_EQ(label_texts(trials, "code"), (Names{"1,001", "0,5", "0,5"})) << "1.001 or 1001";
  const std::string notes = all_notes(result);
  EXPECT_NE(notes.find("label code is text for \"1,001\"; it may be 1.001 or 1001"), std::string::npos)
      << notes;
  EXPECT_EQ(notes.find("label pair"), std::string::npos) << notes;
}

TEST(LongTable, LeavesOutTheNumbersOfRows) {
  const ReadResult result = read_text(",trial,channel,time,value\n0,1,a,0,5\n1,1,a,1,6\n");
  EXPECT_EQ(result.trials.labels.size(), 1);
  EXPECT_NE(all_notes(result).find("without a name"), std::string::npos);
}

TEST(LongTable, RefusesAValueGivenTwice) {
  expect_refused(kTable + "1,b,0.10,12,left,3\n", {"line 8", "line 4", "\"1\"", "\"b\"", "0.1", "once"});
  expect_refused("trial,channel,time,value\n1,a,0,\n1,a,0,\n", {"line 3", "line 2"});
}

TEST(LongTable, RefusesLabelsThatChangeWithinATrial) {
  expect_refused(kTable + "2,a,0.9,1,left,4.5\n",
                 {"line 8", "line 6", "choice", "\"left\"", "\"right\"", "`ignore_columns`"});
  ReadOptions without;
  without.ignore_columns = {"choice"};
  EXPECT_EQ(read_text(kTable + "2,a,0.9,1,left,4.5\n", without).trials.find_label("choice"), nullptr);
}

TEST(LongTable, RefusesCellsThatAreNoNumbers) {
  expect_refused(kTable + "3,a,0.1,tall,left,3\n", {"line 8", "value", "\"tall\"", "number"});
  expect_refused(kTable + "3,a,soon,1,left,3\n", {"line 8", "time", "\"soon\""});
  expect_refused(kTable + "3,a,0.1,inf,left,3\n", {"line 8", "\"inf\"", "finite"});
  expect_refused(kTable + "3,a,,1,left,3\n", {"line 8", "time"});
  expect_refused(kTable + "3,,0.1,1,left,3\n", {"line 8", "channel"});
  expect_refused(kTable + ",a,0.1,1,left,3\n", {"line 8", "trial"});
  expect_refused(kTable + "3,a,2016-01-01,1,left,3\n", {"line 8", "dates"});
  expect_refused(kTable + "3,a,0.1,\x01\x02" + std::string(100, 'y') + ",left,3\n", {"\\x01\\x02yyy", "..."});
}

TEST(LongTable, RefusesRaggedRows) {
  expect_refused(kTable + "3,a,0.1,5,left\n", {"line 8", "5 cells", "must be 6", "\"3\""});
  expect_refused(kTable + "3,a,0.1,5,left,3,9\n", {"line 8", "7 cells", "must be 6"});
}

TEST(LongTable, RefusesHeadersThatSayTooLittle) {
  expect_refused("", {"empty"});
  expect_refused("\n\n", {"empty"});
  expect_refused("trial,channel,time,value\n", {"header", "no rows"});
  expect_refused("trial,channel,time,trial\n1,2,3,4\n", {"line 1", "columns 1 and 4", "\"trial\""});
  expect_refused(",,\n1,2,3\n", {"line 1", "no column"});
  expect_refused("a,b,c\n1,2,3\n", {"line 1", "trial", "\"a\", \"b\", \"c\"", "`trial`"});
  expect_refused("trial,channel,x,value\n1,2,3,4\n", {"line 1", "time", "`time`"},
                 {.layout = Layout::long_rows});
  expect_refused("trial,channel\r1,2\r", {"CR"});
}

TEST(LongTable, RefusesOptionsThatNameNoColumn) {
  expect_refused(kTable, {"`value` = valeu", "did you mean", "value"}, {.value = "valeu"},
                 ErrorKind::bad_option);
  expect_refused(kTable, {"`value` = value", "another meaning"}, {.time = "value", .value = "value"},
                 ErrorKind::bad_option);
}

// Ten thousand rows, each with its own channel and time, would be 10^8 values.
TEST(LongTable, RefusesToFillTheMemoryWithMissingValues) {
  std::string table = "trial,channel,time,value\n";
  for (int i = 0; i < 10000; ++i) table += fmt::format("1,c{},{},1\n", i, i);
  expect_refused(table, {"10000 rows", "channel", "right columns"});
}

}  // namespace
}  // namespace milcci
