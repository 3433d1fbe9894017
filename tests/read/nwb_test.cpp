// NWB files with spikes or a time series, cut into trials. A real one is read in tests/python.
#include <gtest/gtest.h>

#include <cmath>

#include "support/nwb_file.hpp"
#include "support/reading.hpp"

namespace milcci {
namespace {

using namespace testing;
using Names = std::vector<std::string>;
constexpr double kRounding = 1e-9;

class Nwb : public ::testing::Test {
 protected:
  Nwb() : path_(folder_.file("a.nwb")) { write_nwb(path_); }
  ReadResult read(ReadOptions options = {}) {
    options.bin_width = 0.1;
    options.smooth_sigma = 0;
    return read_data(path_, options);
  }

  TemporaryDirectory folder_;
  std::string path_;
};

TEST_F(Nwb, GivesRatesFromStartToStop) {
  EXPECT_EQ(file_format(path_), FileFormat::nwb);
  const Trials trials = read().trials;
  ASSERT_EQ(trials.n_trials(), 2U);
  EXPECT_TRUE(trials.values[0].isApprox(Matrix{{10, 10, 0}, {0, 0, 0}, {0, 0, 20}}, kRounding));
  EXPECT_TRUE(trials.values[1].isApprox(Matrix{{10, 0}, {0, 0}, {0, 10}}, kRounding));
  EXPECT_TRUE(trials.times[1].isApprox(Vector{{0.05, 0.15}}, kRounding))
      << "middles of bins, from the start on";
  EXPECT_EQ(trials.channel_names, (Names{"unit7", "unit8", "unit9"}));
  EXPECT_EQ(trials.channel_groups, (Names{"CA1", "V1", "CA1"}));
}

TEST_F(Nwb, GivesTheColumnsOfTheTableAsLabels) {
  const ReadResult result = read();
  EXPECT_EQ(label_texts(result.trials, "choice"), (Names{"left", "right"}));
  EXPECT_TRUE(result.trials.find_label("dose")->is_missing(1));
  EXPECT_TRUE(std::holds_alternative<LabelColumn::Integers>(result.trials.find_label("block")->values));
  EXPECT_FALSE(result.trials.find_label("start_time"));
  EXPECT_EQ(read({.label_columns = {"start_time"}}).trials.labels.size(), 1U);
  EXPECT_FALSE(read({.ignore_columns = {"choice"}}).trials.find_label("choice"));
}

TEST_F(Nwb, NamesOfAnEnumerationAreLabelsAndBooleansAreNumbers) {
  const auto put = [&](const char* name, const char* zero, const char* one) {
    const hid_t file = H5Fopen(path_.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), type = H5Tenum_create(H5T_STD_I8BE);
    const std::int8_t values[2] = {0, 1};
    H5Tenum_insert(type, zero, &values[0]);
    H5Tenum_insert(type, one, &values[1]);
    const hsize_t length = 2;
    const hid_t space = H5Screate_simple(1, &length, nullptr);
    const hid_t data = H5Dcreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    H5Dwrite(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
    H5Dclose(data), H5Sclose(space), H5Tclose(type), H5Fclose(file);
  };
  put("intervals/trials/rewarded", "FALSE", "TRUE");
  put("intervals/trials/side", "port", "starboard");
  const Trials trials = read().trials;
  EXPECT_EQ(label_texts(trials, "rewarded"), (Names{"0", "1"}));
  EXPECT_EQ(label_texts(trials, "side"), (Names{"port", "starboard"}));
}

TEST_F(Nwb, RaggedColumnsAreLeftOutAndTold) {
  Hdf5Editor(path_).put("intervals/trials/tags", Texts{"a", "b"}, {2});
  Hdf5Editor(path_).put("intervals/trials/tags_index", Integers{1, 2}, {2});
  const ReadResult result = read();
  EXPECT_FALSE(result.trials.find_label("tags"));
  EXPECT_FALSE(result.trials.find_label("tags_index"));
  EXPECT_NE(all_notes(result).find("tags (several values per trial)"), std::string::npos);
}

TEST_F(Nwb, CutsTrialsAroundAnEventAndLeavesOutThoseWithoutIt) {
  const ReadResult result = read({.align = "go_time", .before = 0.1, .after = 0.2});
  ASSERT_EQ(result.trials.n_trials(), 1U);
  EXPECT_TRUE(result.trials.values[0].isApprox(Matrix{{10, 10, 0}, {0, 0, 0}, {0, 0, 20}}, kRounding));
  EXPECT_TRUE(result.trials.times[0].isApprox(Vector{{-0.05, 0.05, 0.15}}, kRounding));
  EXPECT_EQ(label_texts(result.trials, "choice"), (Names{"left"}));
  EXPECT_NE(all_notes(result).find("left out 1 of 2 trials: no go_time"), std::string::npos);
}

TEST_F(Nwb, BeforeAndAfterWidenATrial) {
  const Trials trials = read({.before = 0.1, .after = -0.1}).trials;
  EXPECT_TRUE(trials.values[0].isApprox(Matrix{{0, 10, 10}, {0, 0, 0}, {10, 0, 0}}, kRounding));
  EXPECT_NEAR(trials.times[0](0), -0.05, kRounding);
}

TEST_F(Nwb, TimesThatWereNotObservedAreMissingAndNotZero) {
  Hdf5Editor(path_).put("units/obs_intervals", Reals{0, 10, 0, 10, 1.1, 1.5}, {3, 2});
  Hdf5Editor(path_).put("units/obs_intervals_index", Integers{1, 2, 3}, {3});
  Hdf5Editor(path_).put_group("intervals/invalid_times");
  Hdf5Editor(path_).put("intervals/invalid_times/start_time", Reals{2.1}, {1});
  Hdf5Editor(path_).put("intervals/invalid_times/stop_time", Reals{9}, {1});
  const Trials trials = read().trials;
  EXPECT_TRUE(std::isnan(trials.values[0](2, 0)));
  EXPECT_NEAR(trials.values[0](2, 2), 20, kRounding);
  EXPECT_TRUE(trials.values[1].row(2).array().isNaN().all());
  EXPECT_NEAR(trials.values[1](0, 0), 10, kRounding);
  EXPECT_TRUE(std::isnan(trials.values[1](0, 1))) << "invalid for all units";
}

TEST_F(Nwb, UnitsThatHardlyFireAreLeftOut) {
  const ReadResult result = read({.min_rate = 0.1});
  EXPECT_EQ(result.trials.channel_names, (Names{"unit7", "unit9"}));
  EXPECT_EQ(result.trials.channel_groups.size(), 2U);
  EXPECT_NE(all_notes(result).find("left out 1 of 3 units"), std::string::npos);
  expect_error(ErrorKind::bad_option, {"`min_rate` = 100", "3 units"}, [&] { read({.min_rate = 100}); });
}

// Unit 9 has 2 spikes in 0.3 s, and then 1 in 0.2 s.
TEST_F(Nwb, OnlyTheFirstTrialsCountForTheRate) {
  const ReadResult result = read({.min_rate = 6.5, .first_trials = 1});
  EXPECT_EQ(result.trials.channel_names, (Names{"unit7", "unit9"}));
  EXPECT_EQ(result.trials.n_trials(), 1U);
  EXPECT_NE(all_notes(result).find("only the first 1 of 2 trials"), std::string::npos);
  expect_error(ErrorKind::bad_option, {"`min_rate`"}, [&] { read({.min_rate = 6.5}); });
}

TEST_F(Nwb, NamesOneOfSeveralTables) {
  Hdf5Editor(path_).copy("intervals/trials", "intervals/passive");
  EXPECT_EQ(read().trials.n_trials(), 2U) << "`trials` needs no name";
  EXPECT_EQ(read({.table = "passive"}).trials.n_trials(), 2U);
  EXPECT_EQ(read({.table = "/intervals/passive"}).trials.n_trials(), 2U);
  Hdf5Editor(path_).copy("intervals/trials", "intervals/active");
  Hdf5Editor(path_).remove("intervals/trials");
  expect_error(ErrorKind::bad_file, {"`table`", "/intervals/passive (2 rows)", "/intervals/active (2 rows)"},
               [&] { read(); });
  expect_error(ErrorKind::bad_option, {"`table` = pasive", "'passive'"}, [&] { read({.table = "pasive"}); });
}

TEST_F(Nwb, CutsATimeSeries) {
  const Trials trials = read({.dataset = "/acquisition/pupil"}).trials;
  EXPECT_EQ(trials.values[0], (Matrix{{1, 2, 3}}));
  EXPECT_TRUE(trials.times[0].isApprox(Vector{{0.05, 0.15, 0.25}}, 1e-6));
  EXPECT_EQ(trials.n_trials(), 2U);
  put_object_attribute(path_, "acquisition/pupil/data", "conversion", 0.5);
  put_object_attribute(path_, "acquisition/pupil/data", "offset", 1);
  EXPECT_EQ(read({.dataset = "acquisition/pupil/data"}).trials.values[0], (Matrix{{1.5, 2, 2.5}}));
}

TEST_F(Nwb, CutsASeriesWithTimestampsAndSeveralChannels) {
  Hdf5Editor(path_).put_group("acquisition/dff");
  Hdf5Editor(path_).put("acquisition/dff/data", Reals{1, 2, 3, 4, 5, 6, 7, 8}, {4, 2});
  Hdf5Editor(path_).put("acquisition/dff/timestamps", Reals{0.5, 1.0, 1.29, 1.3}, {4});
  Hdf5Editor(path_).put("acquisition/dff/rois", Integers{4, 5}, {2});
  const ReadResult result = read({.dataset = "acquisition/dff"});
  ASSERT_EQ(result.trials.n_trials(), 1U);
  EXPECT_EQ(result.trials.values[0], (Matrix{{3, 5}, {4, 6}})) << "the stop does not belong to the trial";
  EXPECT_EQ(result.trials.channel_names, (Names{"roi1", "roi2"}));
  EXPECT_NE(all_notes(result).find("left out 1 of 2 trials: without a sample"), std::string::npos);
}

TEST_F(Nwb, AppliesTheFactorsOfTheChannels) {
  Hdf5Editor(path_).put_group("acquisition/lfp");
  Hdf5Editor(path_).put("acquisition/lfp/data", Integers{1, 2, 3, 4}, {2, 2}, H5T_STD_I16LE);
  Hdf5Editor(path_).put("acquisition/lfp/timestamps", Reals{1.0, 1.1}, {2});
  Hdf5Editor(path_).put("acquisition/lfp/channel_conversion", Reals{1, 10}, {2});
  put_object_attribute(path_, "acquisition/lfp/data", "conversion", 0.5);
  EXPECT_EQ(read({.dataset = "acquisition/lfp"}).trials.values[0], (Matrix{{0.5, 1.5}, {10, 20}}));
}

TEST_F(Nwb, MeansOfASeriesAreLabels) {
  const ReadResult result = read({.series_labels = {"pupil=/acquisition/pupil"}});
  const LabelColumn& pupil = *result.trials.find_label("pupil");
  EXPECT_EQ(pupil.number(0), 2) << "samples 1, 2 and 3";
  EXPECT_EQ(pupil.number(1), 11) << "sample 11 only";
  EXPECT_NE(all_notes(result).find("label pupil = mean of /acquisition/pupil/data"), std::string::npos);
  const Trials later =
      read({.before = -5, .after = 5.5, .series_labels = {"pupil=/acquisition/pupil"}}).trials;
  EXPECT_TRUE(later.find_label("pupil")->is_missing(0)) << "no sample in these trials";
  for (const char* text : {"pupil", "=x", "pupil=", "pupil=/acquisition/eye", "choice=/acquisition/pupil"})
    expect_error(ErrorKind::bad_option, {"`series_labels`", text}, [&] { read({.series_labels = {text}}); });
}

TEST_F(Nwb, RemembersHowItWasRead) {
  const Trials trials = read({.min_rate = 0.1}).trials;
  ASSERT_EQ(trials.history.size(), 1U);
  for (const char* word :
       {"\"step\":\"read\"", "\"file\":\"a.nwb\"", "\"min_rate\":0.1", "\"bin_width\":0.1"})
    EXPECT_NE(trials.history[0].find(word), std::string::npos) << trials.history[0];
}

}  // namespace
}  // namespace milcci
