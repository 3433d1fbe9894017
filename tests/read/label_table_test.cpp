// Labels in a table of their own, beside a recording of any format.
#include <gtest/gtest.h>

#include "milcci/files.hpp"
#include "support/reading.hpp"
#include "support/results.hpp"

namespace milcci {
namespace {

using testing::all_notes;
using testing::expect_error;
using testing::label_texts;
using testing::TemporaryDirectory;
using Names = std::vector<std::string>;

const std::string kValues = "trial,channel,time,value\n10,a,0,1\n2,a,0,2\n3,a,0,3\n";

struct Files {
  TemporaryDirectory folder;
  ReadOptions options;

  ReadResult read(const std::string& labels, const std::string& values = kValues) {
    options.labels = folder.write("labels.csv", labels);
    return read_data(folder.write("values.csv", values), options);
  }
  void expect_refused(const std::string& labels, const std::vector<std::string>& words,
                      ErrorKind kind = ErrorKind::bad_file) {
    expect_error(kind, words, [&] { read(labels); });
  }
};

TEST(LabelTable, IsJoinedByTheNameOfTheTrial) {
  const ReadResult result = Files().read("choice,trial,age\nleft,3,30\nright,10.0,40\nleft,02,\nup,99,1\n");
  EXPECT_EQ(label_texts(result.trials, "trial"), (Names{"2", "3", "10"}));
  EXPECT_EQ(label_texts(result.trials, "choice"), (Names{"left", "left", "right"}));
  EXPECT_TRUE(result.trials.find_label("age")->is_missing(0));
  EXPECT_NE(all_notes(result).find("left out 1 rows"), std::string::npos) << "rows without a trial are told";
}

TEST(LabelTable, TrialsMayBeNamedByLongNumbers) {
  const ReadResult result =
      Files().read("trial,choice\n1466538912345678902,right\n1466538912345678901,left\n",
                   "trial,channel,time,value\n1466538912345678901,a,0,1\n1466538912345678902,a,0,2\n");
  EXPECT_EQ(label_texts(result.trials, "choice"), (Names{"left", "right"}));
}

TEST(LabelTable, DecimalCommasAreThoseOfTheRecording) {
  const std::string values = "trial;channel;time;value\n1,5;a;0;1\n0,5;a;0;2\n";
  for (const char* labels : {"trial;dose\n0,5;0,1\n1,5;0,2\n", "trial,dose\n1.5,0.2\n0.5,0.1\n",
                             "trial;dose\nnone;0,3\n0,5;0,1\n1,000;0,4\n1,5;0,2\n"}) {
    const Trials trials = Files().read(labels, values).trials;
    EXPECT_EQ(label_texts(trials, "trial"), (Names{"0.5", "1.5"})) << "numbered trials in order";
    EXPECT_EQ(trials.trial_names, (Names{"0,5", "1,5"})) << "names as they are written";
    EXPECT_EQ(label_texts(trials, "dose"), (Names{"0.1", "0.2"})) << labels;
  }
  const std::string pairs = "trial;channel;time;value\n1,1;a;0;1\n1,10;a;0;2\n";
  EXPECT_EQ(label_texts(Files().read("trial;side\n1,10;r\n1,1;l\n", pairs).trials, "side"),
            (Names{"l", "r"}));
}

TEST(LabelTable, MayNameTheTrialInAnotherWay) {
  const ReadResult result = Files().read("Trial_ID,choice\n10,right\n3,up\n2,left\n");
  EXPECT_EQ(label_texts(result.trials, "choice"), (Names{"left", "up", "right"}));
  EXPECT_FALSE(result.trials.find_label("Trial_ID"));
}

// Arrays have no names of trials: a table that counts them is taken in its own order, and one that names them
// otherwise, out of order, is refused.
TEST(LabelTable, IsSortedByTheNumberOfTheTrial) {
  const TemporaryDirectory folder;
  Trials trials;
  trials.values = {Matrix::Ones(1, 2), Matrix::Ones(1, 2), Matrix::Ones(1, 2)};
  trials.channel_names = {"a"};
  write_trials(folder.file("trials.h5"), trials);
  const auto read_with = [&](const std::string& labels) {
    return read_data(folder.file("trials.h5"), {.labels = folder.write("labels.csv", labels)});
  };
  const ReadResult result = read_with("trial,choice\n3,c\n1,a\n2,b\n");
  EXPECT_EQ(label_texts(result.trials, "choice"), (Names{"a", "b", "c"}));
  EXPECT_NE(all_notes(result).find("sorted by trial"), std::string::npos);
  EXPECT_EQ(label_texts(read_with("trial,choice\n4,c\n7,a\n9,b\n").trials, "choice"), (Names{"c", "a", "b"}));
  expect_error(ErrorKind::bad_file, {"trial", "in no order", "1 to 3", "sort the rows"},
               [&] { read_with("trial,choice\n9,c\n7,a\n8,b\n"); });
}

TEST(LabelTable, IsTakenRowByRowWithoutNames) {
  EXPECT_EQ(label_texts(Files().read("choice\nx\ny\nz\n").trials, "choice"), (Names{"x", "y", "z"}));
}

TEST(LabelTable, ServesTrialsFilesToo) {
  const TemporaryDirectory folder;
  Trials trials;
  trials.values = {Matrix::Ones(1, 2), Matrix::Ones(1, 2)};
  trials.channel_names = {"a"};
  write_trials(folder.file("trials.h5"), trials);
  const ReadResult result =
      read_data(folder.file("trials.h5"), {.labels = folder.write("labels.csv", "side;dose\nl;1\nr;2\n")});
  EXPECT_EQ(label_texts(result.trials, "dose"), (Names{"1", "2"}));
}

TEST(LabelTable, GivesOnlyTheLabelsAskedFor) {
  Files files;
  files.options.label_columns = {"choice"};
  const Trials trials = files.read("trial,choice,age\n2,x,1\n3,y,2\n10,z,3\n").trials;
  EXPECT_EQ(label_texts(trials, "choice"), (Names{"x", "y", "z"}));
  EXPECT_EQ(trials.find_label("age"), nullptr);
  files.options.label_columns = {"chioce"};
  files.expect_refused("trial,choice\n2,x\n3,y\n10,z\n", {"chioce", "did you mean", "choice"},
                       ErrorKind::bad_option);
}

TEST(LabelTable, MustHaveOneRowPerTrial) {
  Files().expect_refused("trial,choice\n2,x\n3,y\n", {"labels.csv", "no row", "\"10\""});
  Files().expect_refused("trial,choice\n2,x\n3,y\n10,z\n3,w\n", {"labels.csv", "line 5", "line 3"});
  Files().expect_refused("choice\nx\ny\n", {"labels.csv", "2 rows", "3 trials", "`trial`"});
  Files().expect_refused("trial,choice\n", {"labels.csv", "no rows"});
  Files().expect_refused("trial,choice\n2,x,9\n", {"labels.csv", "line 2", "3 cells"});
}

TEST(LabelTable, MustNotRepeatALabel) {
  Files files;
  expect_error(ErrorKind::bad_file, {"labels.csv", "choice", "`ignore_columns` = choice"},
               [&] { files.read("trial,choice\n2,x\n", "trial,channel,time,value,choice\n2,a,0,1,x\n"); });
}

}  // namespace
}  // namespace milcci
