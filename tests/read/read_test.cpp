// Which format a file is, and which options make no sense.
#include "milcci/read.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "milcci/files.hpp"
#include "milcci/simulate.hpp"
#include "support/reading.hpp"
#include "support/results.hpp"

namespace milcci {
namespace {

using testing::expect_error;
using testing::TemporaryDirectory;

TEST(ReadOptions, AreValidByDefault) {
  EXPECT_NO_THROW(validate(ReadOptions{}));
}

TEST(ReadOptions, OutsideTheirRangeAreRefused) {
  const auto refused = [](const std::vector<std::string>& words, const ReadOptions& options) {
    expect_error(ErrorKind::bad_option, words, [&] { validate(options); });
  };
  refused({"`dims`", "chanel", "channel, time and trial"}, {.dims = {"chanel", "time", "trial"}});
  refused({"`dims`", "time", "twice"}, {.dims = {"time", "time", "trial"}});
  refused({"`dims` = time", "too few"}, {.dims = {"time"}});
  refused({"`separator`", "||"}, {.separator = "||"});
  refused({"`separator`", "\""}, {.separator = "\""});
  refused({"`trial`", "empty"}, {.trial = {"a", ""}});
  refused({"`ignore_columns`", "a", "twice"}, {.ignore_columns = {"a", "a"}});
}

TEST(ReadData, ReadsTrialsFilesAsTheyAre) {
  const TemporaryDirectory folder;
  const Trials trials = simulate({.n_channels = 4, .n_trials = 6, .min_length = 5, .max_length = 7});
  write_trials(folder.file("trials.h5"), trials);
  const ReadResult result = read_data(folder.file("trials.h5"));
  EXPECT_EQ(fingerprint(result.trials), fingerprint(trials));
  EXPECT_TRUE(result.notes.empty());
}

TEST(ReadData, GoesByTheContentNotByTheName) {
  const TemporaryDirectory folder;
  write_trials(folder.file("trials.csv"),
               simulate({.n_channels = 4, .n_trials = 6, .min_length = 5, .max_length = 7}));
  EXPECT_EQ(read_data(folder.file("trials.csv")).trials.n_trials(), 6);
  EXPECT_EQ(file_format(folder.write("table.dat", "trial,channel,time,value\n1,2,3,4\n")), FileFormat::table);
}

// They would be ignored, and yet stand in the history.
TEST(ReadData, RefusesOptionsOfOtherFormats) {
  const TemporaryDirectory folder;
  const std::string table = folder.write("t.csv", "trial,channel,time,value\n1,2,3,4\n");
  const auto refused = [&](const std::string& path, const std::vector<std::string>& words,
                           const ReadOptions& options) {
    expect_error(ErrorKind::bad_option, words, [&] { read_data(path, options); });
  };
  refused(table, {"`dims` is for files of arrays", "t.csv"}, {.dims = {"channel", "time"}});
  refused(table, {"`dataset` is for files of arrays", "NWB files", "t.csv"}, {.dataset = "/a"});
  refused(table, {"`bin_width` is for NWB files", "t.csv"}, {.bin_width = 0.1});
  write_trials(folder.file("t.h5"),
               simulate({.n_channels = 4, .n_trials = 6, .min_length = 5, .max_length = 7}));
  refused(folder.file("t.h5"), {"`layout` is for tables", "t.h5"}, {.layout = Layout::wide});
  refused(folder.file("t.h5"), {"`label_columns` is for tables"}, {.label_columns = {"choice"}});
  // The table of labels has them.
  const std::string labels = folder.write("l.csv", "mood;other\n1;2\n1;3\n1;4\n1;5\n1;6\n1;7\n");
  const ReadOptions of_labels{.separator = ";", .label_columns = {"mood"}, .labels = labels};
  EXPECT_NE(read_data(folder.file("t.h5"), of_labels).trials.find_label("mood"), nullptr);
}

TEST(ReadData, RefusesTextsThatAreNotUtf8) {
  const auto table = [](const std::string& column, const std::string& channel, const std::string& label) {
    return fmt::format("trial,channel,time,value,{}\n1,{},0,5,{}\n", column, channel, label);
  };
  testing::expect_refused(table("side", "caf\xE9", "left"), {"channel", "\"caf\\xE9\"", "UTF-8", "iconv"});
  testing::expect_refused(table("side", "a", "\xC0\x80"), {"label side of trial 1", "\\xC0\\x80"});
  testing::expect_refused(table("c\xF4t\xE9", "a", "left"), {"line 1", "column 5", "c\\xF4t\\xE9", "UTF-8"});
  testing::expect_refused(table("side", "\xED\xA0\x80", "left"), {"\\xED"});
  EXPECT_EQ(testing::read_text(table("côté", "Zürich 𝄞", "é")).trials.channel_names.front(), "Zürich 𝄞");
}

TEST(ReadData, ALabelTableIsNamedWhereItsTextsAreNotUtf8) {
  const TemporaryDirectory folder;
  const std::string labels = folder.write("labels.csv", "trial,side\n1,\xE9\n");
  expect_error(ErrorKind::bad_file, {"labels.csv", "label side of trial 1"},
               [&] { testing::read_text("trial,channel,time,value\n1,a,0,5\n", {.labels = labels}); });
}

TEST(ReadData, RefusesWhatItDoesNotKnow) {
  const TemporaryDirectory folder;
  const auto refused = [&](const std::string& name, const std::string& bytes,
                           const std::vector<std::string>& words) {
    expect_error(ErrorKind::bad_file, words, [&] { read_data(folder.write(name, bytes)); });
  };
  refused("a.csv", "", {"a.csv", "empty"});
  refused("a.bin",
          std::string("\x7F"
                      "ELF\0\0\0\0",
                      8),
          {"a.bin", "\\x7FELF", "CSV"});
  refused("a.h5", "trial,channel\n", {"a.h5", "HDF5", "signature"});
  refused("a.mat", "trial,channel\n", {"a.mat", "-v7"});
  refused("a.csv",
          std::string("\xFF\xFE"
                      "t\0r\0",
                      6),
          {"a.csv", "UTF-16", "UTF-8"});
  expect_error(ErrorKind::bad_file, {"nowhere.csv", "no such file"},
               [&] { read_data(folder.file("nowhere.csv")); });
  expect_error(ErrorKind::bad_file, {"folder"}, [&] { read_data(folder.path()); });
}

TEST(ReadData, RefusesAModelFile) {
  const TemporaryDirectory folder;
  write_model(folder.file("model.h5"), testing::full_result());
  expect_error(ErrorKind::bad_file, {"model.h5", "model file", "trials"},
               [&] { read_data(folder.file("model.h5")); });
}

}  // namespace
}  // namespace milcci
