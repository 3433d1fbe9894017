// NWB files that are not as they should be are refused with the place, what was found and what was expected.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <functional>

#include "support/nwb_file.hpp"
#include "support/reading.hpp"

namespace milcci {
namespace {

using namespace testing;

class BrokenNwb : public ::testing::Test {
 protected:
  BrokenNwb() : path_(folder_.file("a.nwb")) { write_nwb(path_); }
  void edit(const std::function<void(Hdf5Editor&)>& change) {
    Hdf5Editor file(path_);
    change(file);
  }
  void refuse(const std::vector<std::string>& words, const ReadOptions& options = {},
              ErrorKind kind = ErrorKind::bad_file) {
    expect_error(kind, words, [&] { read_data(path_, options); });
  }

  TemporaryDirectory folder_;
  std::string path_;
};

TEST_F(BrokenNwb, IndexOfTheSpikesMissing) {
  edit([](auto& file) { file.remove("units/spike_times_index"); });
  refuse({"a.nwb", "/units/spike_times_index", "no such column"});
}

TEST_F(BrokenNwb, IndexBeyondTheSpikes) {
  edit([](auto& file) { file.put("units/spike_times_index", Integers{3, 3, 8}, {3}); });
  refuse({"/units/spike_times_index", "row 3 ends at 8", "only 7"});
}

TEST_F(BrokenNwb, IndexThatDecreasesOrIsNegative) {
  edit([](auto& file) { file.put("units/spike_times_index", Integers{3, 2, 7}, {3}); });
  refuse({"/units/spike_times_index", "row 2 ends at 2", "3"});
  edit([](auto& file) { file.put("units/spike_times_index", Integers{-1, 2, 7}, {3}); });
  refuse({"row 1 ends at -1"});
}

TEST_F(BrokenNwb, SpikesThatBelongToNoUnit) {
  edit([](auto& file) { file.put("units/spike_times_index", Integers{3, 3, 5}, {3}); });
  refuse({"/units/spike_times_index", "ends at 5", "must be 7"});
  edit([](auto& file) {
    file.put("units/spike_times", Reals{}, {0});
    file.put("units/spike_times_index", Integers{}, {0});
  });
  refuse({"/units/spike_times_index", "is empty"});
}

TEST_F(BrokenNwb, SpikesOfTheWrongType) {
  edit([](auto& file) { file.put("units/spike_times", Texts(7, "x"), {7}); });
  refuse({"/units/spike_times", "holds texts", "must hold numbers"});
}

TEST_F(BrokenNwb, SpikesAtNoTime) {
  edit([](auto& file) { file.put("units/spike_times", Reals{1, NAN, 2, 3, 4, 5, 6}, {7}); });
  refuse({"/units/spike_times", "spike 2 of unit 1", "nan"});
}

TEST_F(BrokenNwb, IndexOfRealsOrWithTwoAxes) {
  edit([](auto& file) { file.put("units/spike_times_index", Reals{3, 3, 7}, {3}); });
  refuse({"/units/spike_times_index", "real numbers", "must hold integers"});
  edit([](auto& file) { file.put("units/spike_times_index", Integers{3, 3, 7}, {3, 1}); });
  refuse({"/units/spike_times_index", "3 x 1"});
}

TEST_F(BrokenNwb, WithoutUnitsTheSeriesAreListed) {
  edit([](auto& file) { file.remove("units"); });
  refuse({"no spikes", "`dataset`", "/acquisition/pupil (12)"});
  refuse({"`dataset` = /acquisition/eye", "/acquisition/pupil (12)"}, {.dataset = "/acquisition/eye"},
         ErrorKind::bad_option);
}

TEST_F(BrokenNwb, TablesWithoutStartOrStop) {
  edit([](auto& file) { file.remove("intervals/trials/stop_time"); });
  refuse({"no table of trials", "`table`"});
  refuse({"/intervals/trials/stop_time", "no such column"}, {.table = "trials"});
  edit([](auto& file) { file.remove("intervals"); });
  refuse({"no table of trials"});
}

TEST_F(BrokenNwb, StartsThatAreNoTimes) {
  edit([](auto& file) { file.put("intervals/trials/start_time", Reals{1, NAN}, {2}); });
  refuse({"/intervals/trials/start_time", "trial 2", "nan", "`align`"});
  refuse({"/intervals/trials/start_time", "trial 2"}, {.align = "start_time", .after = 1});
}

TEST_F(BrokenNwb, StopsBeforeTheStartOrFarAway) {
  edit([](auto& file) { file.put("intervals/trials/stop_time", Reals{1.3, 1.9}, {2}); });
  refuse({"/intervals/trials/stop_time", "trial 2", "1.9", "2"});
  edit([](auto& file) { file.put("intervals/trials/stop_time", Reals{1.3, 1e300}, {2}); });
  refuse({"/intervals/trials", "trial 2", "`bin_width`"});
  edit([](auto& file) { file.put("intervals/trials/stop_time", Reals{1.3, 1e5}, {2}); });
  refuse({"/intervals/trials", "trial 2 is 99998", "within 1.2"});
}

TEST_F(BrokenNwb, ColumnsOfAnotherLength) {
  edit([](auto& file) { file.put("intervals/trials/stop_time", Reals{1.3}, {1}); });
  refuse({"/intervals/trials/stop_time", "its shape is 1, must be 2"});
}

TEST_F(BrokenNwb, TrialsShorterThanABin) {
  edit([](auto& file) { file.put("intervals/trials/stop_time", Reals{1, 2}, {2}); });
  refuse({"/intervals/trials", "none of its 2 rows", "shorter than a bin"});
}

TEST_F(BrokenNwb, ObservedIntervalsThatDoNotFit) {
  edit([](auto& file) {
    file.put("units/obs_intervals", Reals{0, 10, 0, 10}, {2, 2});
    file.put("units/obs_intervals_index", Integers{1, 2}, {2});
  });
  refuse({"/units/obs_intervals_index", "2 rows", "3 units"});
  edit([](auto& file) {
    file.put("units/obs_intervals", Reals{0, 10, 10, 0, 0, 1}, {3, 2});
    file.put("units/obs_intervals_index", Integers{1, 2, 3}, {3});
  });
  refuse({"/units/obs_intervals", "interval 2", "10 to 0"});
}

TEST_F(BrokenNwb, ElectrodesThatAreNotThere) {
  edit([](auto& file) { file.put("units/electrodes", Integers{1, 0, 2}, {3}); });
  refuse({"/units/electrodes", "electrode 2", "there are 2"});
}

TEST_F(BrokenNwb, SeriesWithoutAClock) {
  edit([](auto& file) { file.put("acquisition/pupil/starting_time", Reals{1}, {}); });
  refuse({"/acquisition/pupil/starting_time", "`rate`"}, {.dataset = "acquisition/pupil"});
  put_object_attribute(path_, "acquisition/pupil/starting_time", "rate", 0);
  refuse({"/acquisition/pupil/starting_time", "`rate` is 0"}, {.dataset = "acquisition/pupil"});
  edit([](auto& file) { file.put("acquisition/pupil/timestamps", Reals(12, 1.0), {12}); });
  refuse({"/acquisition/pupil/timestamps", "sample 2"}, {.dataset = "acquisition/pupil"});
}

TEST_F(BrokenNwb, LinksThatGoInCirclesAreNotFollowed) {
  const hid_t file = H5Fopen(path_.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  H5Ldelete(file, "units", H5P_DEFAULT);
  H5Lcreate_soft("/units", file, "units", H5P_DEFAULT, H5P_DEFAULT);
  H5Lcreate_soft("/intervals/b", file, "intervals/a", H5P_DEFAULT, H5P_DEFAULT);
  H5Lcreate_soft("/intervals/a", file, "intervals/b", H5P_DEFAULT, H5P_DEFAULT);
  H5Lcreate_hard(file, "acquisition", file, "acquisition/self", H5P_DEFAULT, H5P_DEFAULT);
  H5Fclose(file);
  refuse({"no spikes", "/acquisition/pupil"});
  EXPECT_EQ(read_data(path_, {.dataset = "acquisition/self/self/pupil"}).trials.n_trials(), 2U);
}

TEST_F(BrokenNwb, LinksIntoOtherFilesAreRefused) {
  edit([](auto& file) { file.put_external_link("units", "elsewhere.nwb"); });
  refuse({"/units", "another file"});
}

TEST_F(BrokenNwb, CutOffAnywhere) {
  std::ifstream file(path_, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  for (std::size_t length = 0; length < bytes.size(); length += 97) {
    const std::string cut = folder_.write("cut.nwb", bytes.substr(0, length));
    expect_error(ErrorKind::bad_file, {"cut.nwb"}, [&] { read_data(cut); });
  }
}

// Puts numbers that say to be more than the file can hold, none stored.
void put_unstored(const std::string& path, const char* name, const std::vector<hsize_t>& shape,
                  const std::vector<hsize_t>& chunk) {
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  H5Ldelete(file, name, H5P_DEFAULT);
  const int rank = static_cast<int>(shape.size());
  const hid_t space = H5Screate_simple(rank, shape.data(), nullptr), creation = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(creation, rank, chunk.data());
  H5Pset_deflate(creation, 6);
  H5Dclose(H5Dcreate2(file, name, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, creation, H5P_DEFAULT));
  H5Pclose(creation), H5Sclose(space), H5Fclose(file);
}

TEST_F(BrokenNwb, MoreSpikesThanTheFileCanHold) {
  put_unstored(path_, "units/spike_times", {hsize_t{1} << 40}, {1024});
  refuse({"/units/spike_times", "a.nwb"});
}

TEST_F(BrokenNwb, ChunksLargerThanTheFile) {
  put_unstored(path_, "units/spike_times", {hsize_t{1} << 28}, {hsize_t{1} << 28});
  refuse({"/units/spike_times", "a.nwb"});
}

// Found by fuzzing: without a row nothing is too large, but there are the channels.
TEST_F(BrokenNwb, MoreChannelsThanTheFileCanHold) {
  for (const hsize_t n_rows : {0, 1, 100}) {
    put_unstored(path_, "acquisition/pupil/data", {n_rows, hsize_t{1} << 48}, {1, 8});
    refuse({"/acquisition/pupil/data", "a.nwb"}, {.dataset = "acquisition/pupil"});
    refuse({"/acquisition/pupil/data", "a.nwb"}, {.series_labels = {"pupil=acquisition/pupil"}});
  }
}

TEST_F(BrokenNwb, TrialsThatAreTheWholeSeriesAgainAndAgain) {
  constexpr std::size_t kRows = 10000, kSamples = 100000;
  edit([](auto& file) {
    file.put("intervals/trials/start_time", Reals(kRows, 0.0), {kRows});
    file.put("intervals/trials/stop_time", Reals(kRows, 1e6), {kRows});
    file.put("acquisition/pupil/data", Reals(kSamples, 1.0), {kSamples});
  });
  refuse({"/acquisition/pupil/data", "1e+09 values", "`align`"}, {.dataset = "acquisition/pupil"});
}

TEST_F(BrokenNwb, OptionsOfNwbForOtherFiles) {
  folder_.write("a.csv", "trial,channel,time,value\n1,a,0,1\n");
  expect_error(ErrorKind::bad_option, {"`bin_width`", "a.csv", "NWB"},
               [&] { read_data(folder_.file("a.csv"), {.bin_width = 0.1}); });
}

TEST_F(BrokenNwb, OptionsThatContradictThemselves) {
  refuse({"`align` = go_time", "`before`"}, {.align = "go_time"}, ErrorKind::bad_option);
  refuse({"`align` = go", "'go_time'"}, {.align = "go", .after = 1}, ErrorKind::bad_option);
  refuse({"`bin_width` = 0"}, {.bin_width = 0}, ErrorKind::bad_option);
  refuse({"`smooth_window`", "bins"}, {.smooth_window = 1e8}, ErrorKind::bad_option);
  refuse({"`first_trials` = 0"}, {.first_trials = 0}, ErrorKind::bad_option);
  refuse({"`label_columns` = chioce", "'choice'"}, {.label_columns = {"chioce"}}, ErrorKind::bad_option);
}

}  // namespace
}  // namespace milcci
