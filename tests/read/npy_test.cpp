// NPY and NPZ: arrays of NumPy. Files as NumPy itself writes them are read in tests/python.
#include <gtest/gtest.h>
#include <zlib.h>

#include <bit>
#include <cmath>
#include <cstring>

#include "support/reading.hpp"
#include "support/zip_writer.hpp"

namespace milcci {
namespace {

using testing::all_notes;
using testing::expect_error;
using testing::label_texts;
using testing::npy;
using testing::TemporaryDirectory;
using testing::ZipWriter;
using Names = std::vector<std::string>;

template <class T>
std::string bytes_of(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

// 2 trials of 3 channels and 4 times; the value says where it is: trial, channel, time as digits.
double value_at(int m, int n, int t) {
  return 100 * (m + 1) + 10 * (n + 1) + t + 1;
}

template <class T>
std::string all_values(bool is_swapped = false) {
  std::string bytes;
  for (int m = 0; m < 2; ++m)
    for (int n = 0; n < 3; ++n)
      for (int t = 0; t < 4; ++t) {
        std::string one = bytes_of(std::vector<T>{static_cast<T>(value_at(m, n, t))});
        if (is_swapped) std::reverse(one.begin(), one.end());
        bytes += one;
      }
  return bytes;
}

const std::string kHeader = "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3, 4), }";

ReadResult read_npy(const std::string& bytes, const Names& dims = {"trial", "channel", "time"}) {
  const TemporaryDirectory folder;
  return read_data(folder.write("a.npy", bytes), {.dims = dims});
}

void expect_all_values(const Trials& trials) {
  ASSERT_EQ(trials.n_trials(), 2);
  ASSERT_EQ(trials.n_channels(), 3);
  for (int m = 0; m < 2; ++m)
    for (int n = 0; n < 3; ++n)
      for (int t = 0; t < 4; ++t)
        EXPECT_EQ(trials.values[static_cast<std::size_t>(m)](n, t), value_at(m, n, t));
}

void refuse(const std::string& bytes, const std::vector<std::string>& words,
            const Names& dims = {"trial", "channel", "time"}) {
  expect_error(ErrorKind::bad_file, words, [&] { read_npy(bytes, dims); });
}

std::string header_of(const std::string& type, const std::string& order = "False",
                      const std::string& shape = "(2, 3, 4)") {
  return fmt::format("{{'descr': '{}', 'fortran_order': {}, 'shape': {}, }}", type, order, shape);
}

TEST(Npy, OfEveryTypeAndByteOrderIsRead) {
  expect_all_values(read_npy(npy(header_of("<f8"), all_values<double>())).trials);
  expect_all_values(read_npy(npy(header_of(">f8"), all_values<double>(true))).trials);
  expect_all_values(read_npy(npy(header_of("<f4"), all_values<float>())).trials);
  expect_all_values(read_npy(npy(header_of(">f4"), all_values<float>(true))).trials);
  expect_all_values(read_npy(npy(header_of("<i2"), all_values<std::int16_t>())).trials);
  expect_all_values(read_npy(npy(header_of(">i2"), all_values<std::int16_t>(true))).trials);
  expect_all_values(read_npy(npy(header_of("<i4"), all_values<std::int32_t>())).trials);
  expect_all_values(read_npy(npy(header_of("<i8"), all_values<std::int64_t>())).trials);
  expect_all_values(read_npy(npy(header_of(">u8"), all_values<std::uint64_t>(true))).trials);
  expect_all_values(read_npy(npy(header_of("<u2"), all_values<std::uint16_t>())).trials);
  const Trials flags =
      read_npy(npy(header_of("|b1", "False", "(1, 1, 2)"), std::string("\x01\x00", 2))).trials;
  EXPECT_EQ(flags.values[0], (Matrix{{1, 0}}));
  const Trials bytes = read_npy(npy(header_of("|i1", "False", "(1, 1, 2)"), "\xFF\x02")).trials;
  EXPECT_EQ(bytes.values[0], (Matrix{{-1, 2}}));
}

TEST(Npy, OfEveryVersionIsRead) {
  for (const int version : {1, 2, 3})
    expect_all_values(read_npy(npy(kHeader, all_values<double>(), version)).trials);
}

// The same numbers with their axes named in all six orders, stored in either order.
TEST(Npy, MayHaveItsAxesInAnyOrder) {
  const int lengths[] = {2, 3, 4};
  const Names names = {"trial", "channel", "time"};
  std::vector<int> axes = {0, 1, 2};
  do {
    std::string forward, backward;
    int index[3];
    const auto fill = [&](std::string& out, const std::vector<int>& loops) {
      for (index[loops[0]] = 0; index[loops[0]] < lengths[loops[0]]; ++index[loops[0]])
        for (index[loops[1]] = 0; index[loops[1]] < lengths[loops[1]]; ++index[loops[1]])
          for (index[loops[2]] = 0; index[loops[2]] < lengths[loops[2]]; ++index[loops[2]])
            out += bytes_of(std::vector<double>{value_at(index[0], index[1], index[2])});
    };
    fill(forward, axes);
    fill(backward, {axes[2], axes[1], axes[0]});
    const Names dims = {names[static_cast<std::size_t>(axes[0])], names[static_cast<std::size_t>(axes[1])],
                        names[static_cast<std::size_t>(axes[2])]};
    const std::string shape =
        fmt::format("({}, {}, {})", lengths[axes[0]], lengths[axes[1]], lengths[axes[2]]);
    expect_all_values(read_npy(npy(header_of("<f8", "False", shape), forward), dims).trials);
    expect_all_values(read_npy(npy(header_of("<f8", "True", shape), backward), dims).trials);
  } while (std::next_permutation(axes.begin(), axes.end()));
}

TEST(Npy, MayLackOneAxis) {
  const std::string bytes =
      npy(header_of("<f8", "False", "(2, 3)"), bytes_of(std::vector<double>{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(read_npy(bytes, {"channel", "time"}).trials.values[0], (Matrix{{1, 2, 3}, {4, 5, 6}}));
  EXPECT_EQ(read_npy(bytes, {"trial", "time"}).trials.values[1], (Matrix{{4, 5, 6}}));
  EXPECT_EQ(read_npy(bytes, {"channel", "trial"}).trials.values[2], (Matrix{{3}, {6}}));
}

TEST(Npy, MayPadShortTrialsWithNan) {
  const double nan = std::nan("");
  const std::string bytes = npy(header_of("<f8", "False", "(2, 2, 3)"),
                                bytes_of(std::vector<double>{1, 2, nan, 4, nan, nan, 1, 2, 3, nan, 5, 6}));
  const ReadResult result = read_npy(bytes);
  EXPECT_EQ(result.trials.n_times(0), 2);
  EXPECT_EQ(result.trials.n_times(1), 3);
  EXPECT_NE(all_notes(result).find("1 trials end early"), std::string::npos);
}

TEST(Npy, MustBeWhole) {
  const std::string whole = npy(kHeader, all_values<double>());
  for (const std::size_t length : {0UL, 5UL, 8UL, 11UL, 40UL, 127UL, 128UL, whole.size() - 1})
    expect_error(ErrorKind::bad_file, {"a.npy"}, [&] { read_npy(whole.substr(0, length)); });
}

// Refused before memory is taken: the file has 300 bytes.
TEST(Npy, MustNotDeclareMoreThanItHolds) {
  refuse(npy(header_of("<f8", "False", "(1000000000000, 3, 4)"), "x"), {"1000000000000 x 3 x 4", "1 bytes"});
  refuse(npy(header_of("<f8", "False", "(4294967296, 4294967296, 4294967296)"), "x"), {"4294967296"});
  refuse(npy(header_of("<U0", "False", "(1000000000000,)"), ""), {"1000000000000"});
}

TEST(Npy, MustHaveAHeaderThatMakesSense) {
  const std::string values = all_values<double>();
  refuse(npy("", values), {"header"});
  refuse(npy("{'descr': '<f8', 'fortran_order': False}", values), {"'shape'"});
  refuse(npy(header_of("<f8", "Maybe"), values), {"order"});
  refuse(npy(header_of("<f8", "False", "(-2, 3, 4)"), values), {"shape"});
  refuse(npy(header_of("<f8", "False", "(2, x, 4)"), values), {"shape"});
  refuse(npy(header_of("<f8", "False", "(2, 3"), values), {"shape"});
  refuse(npy(kHeader, values, 9), {"version 9"});
  refuse(npy(header_of("|O"), "x"), {"Python objects"});
  refuse(npy(header_of("<c16"), values), {"<c16", "astype"});
  refuse(npy(header_of("<M8[ns]"), values), {"<M8[ns]"});
  refuse(npy("{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (2, 3, 4)}", values), {"records"});
}

TEST(Npy, MustHaveItsAxesNamed) {
  const std::string bytes = npy(kHeader, all_values<double>());
  refuse(bytes, {"2 x 3 x 4", "`dims`"}, {});
  refuse(bytes, {"2 x 3 x 4", "2 axes", "`dims`"}, {"channel", "time"});
  refuse(npy(header_of("<f8", "False", "(2, 0, 4)"), ""), {"2 x 0 x 4", "empty"});
}

// An NPZ with values, labels of three types, names and times.
ZipWriter archive() {
  ZipWriter zip;
  zip.add("values.npy", npy(kHeader, all_values<double>()), true);
  zip.add("choice.npy",
          npy(header_of("<U5", "False", "(2,)"),
              bytes_of(std::vector<char32_t>{U'l', U'\u00e9', 0, 0, 0, U'r', U'i', U'g', U'h', U't'})));
  zip.add("dose.npy",
          npy(header_of("<f8", "False", "(2,)"), bytes_of(std::vector<double>{0.5, std::nan("")})));
  zip.add("correct.npy", npy(header_of("|b1", "False", "(2,)"), std::string("\x00\x01", 2)));
  zip.add("neurons.npy", npy(header_of("|S2", "False", "(3,)"), std::string("a\0b1c\0", 6)), true);
  zip.add("time.npy", npy(header_of("<f4", "False", "(4,)"), bytes_of(std::vector<float>{0, 0.5, 1, 1.5})));
  zip.add("other.npy", npy(header_of("<f8", "False", "(7,)"), bytes_of(std::vector<double>(7))));
  return zip;
}

TEST(Npz, HoldsValuesLabelsNamesAndTimes) {
  const TemporaryDirectory folder;
  const ReadResult result =
      read_data(folder.write("a.npz", archive().bytes()), {.dims = {"trial", "channel", "time"}});
  expect_all_values(result.trials);
  EXPECT_EQ(label_texts(result.trials, "choice"), (Names{"l\xC3\xA9", "right"}));
  EXPECT_EQ(label_texts(result.trials, "correct"), (Names{"0", "1"}));
  EXPECT_TRUE(result.trials.find_label("dose")->is_missing(1));
  EXPECT_EQ(result.trials.channel_names, (Names{"a", "b1", "c"}));
  EXPECT_EQ(result.trials.times[1], Vector({{0, 0.5, 1, 1.5}}));
  EXPECT_NE(all_notes(result).find("left out: other (7)"), std::string::npos);
}

TEST(Npz, GivesOnlyTheLabelsAskedFor) {
  const TemporaryDirectory folder;
  const std::string path = folder.write("a.npz", archive().bytes());
  ReadOptions options{.dataset = "values", .dims = {"trial", "channel", "time"}, .label_columns = {"dose"}};
  EXPECT_EQ(read_data(path, options).trials.labels.size(), 1);
  options.label_columns = {"other"};
  expect_error(ErrorKind::bad_file, {"\"other\"", "7", "2 trials"}, [&] { read_data(path, options); });
  options.label_columns = {"dosis"};
  expect_error(ErrorKind::bad_option, {"dosis", "dose"}, [&] { read_data(path, options); });
}

TEST(Npz, MayHaveOneArrayPerTrial) {
  const TemporaryDirectory folder;
  ZipWriter zip;
  zip.add("arr_10.npy", npy(header_of("<f8", "False", "(2, 1)"), bytes_of(std::vector<double>{10, 20})));
  zip.add("arr_9.npy", npy(header_of("<f8", "False", "(2, 2)"), bytes_of(std::vector<double>{1, 2, 3, 4})));
  zip.add("side.npy", npy(header_of("<i4", "False", "(2,)"), bytes_of(std::vector<std::int32_t>{7, 8})));
  const Trials trials = read_data(folder.write("a.npz", zip.bytes())).trials;
  EXPECT_EQ(trials.values[0], (Matrix{{1, 2}, {3, 4}}));
  EXPECT_EQ(trials.values[1], (Matrix{{10}, {20}}));
  EXPECT_EQ(label_texts(trials, "side"), (Names{"7", "8"}));
}

TEST(Npz, MustSayWhichArrayIfSeveralWouldDo) {
  const TemporaryDirectory folder;
  ZipWriter zip = archive();
  zip.add("again.npy", npy(kHeader, all_values<double>()));
  const std::string path = folder.write("a.npz", zip.bytes());
  expect_error(ErrorKind::bad_file, {"`dataset`", "values (2 x 3 x 4)", "again"}, [&] { read_data(path); });
  expect_error(ErrorKind::bad_option, {"`dataset` = value", "values"},
               [&] { read_data(path, {.dataset = "value"}); });
}

// Its longest axis is as long as the trials' only time point, and yet it holds nothing.
TEST(Npz, DoesNotTakeAnEmptyArrayForTimes) {
  const TemporaryDirectory folder;
  ZipWriter zip;
  zip.add("values.npy", npy(header_of("<f8", "False", "(1, 2, 1)"), bytes_of(std::vector<double>{1, 2})));
  zip.add("time.npy", npy(header_of("<f8", "False", "(0, 1)"), ""));
  const ReadResult result =
      read_data(folder.write("a.npz", zip.bytes()), {.dims = {"trial", "channel", "time"}});
  EXPECT_TRUE(result.trials.times.empty());
  EXPECT_NE(all_notes(result).find("left out: time (0 x 1)"), std::string::npos);
}

class BrokenZip : public ::testing::Test {
 protected:
  void refuse(const std::string& bytes, const std::vector<std::string>& words) {
    expect_error(ErrorKind::bad_file, words, [&] {
      read_data(folder_.write("a.npz", bytes), {.dims = {"trial", "channel", "time"}});
    });
  }
  TemporaryDirectory folder_;
};

TEST_F(BrokenZip, CutAnywhereIsRefused) {
  const std::string whole = archive().bytes();
  for (std::size_t length = 4; length < whole.size(); length += 13)
    refuse(whole.substr(0, length), {"a.npz"});
}

// Whatever byte is wrong, the outcome is trials or an error, never anything else.
TEST_F(BrokenZip, WithAnyWrongByteNeverDoesHarm) {
  const std::string whole = archive().bytes();
  for (std::size_t i = 4; i < whole.size(); i += 3)
    for (const int change : {0x01, 0xFF}) {
      std::string bytes = whole;
      bytes[i] = static_cast<char>(bytes[i] ^ change);
      try {
        read_data(folder_.write("a.npz", bytes), {.dims = {"trial", "channel", "time"}});
      } catch (const Error&) {
      }
    }
}

TEST_F(BrokenZip, ThatLiesAboutItsSizesIsRefused) {
  const std::string values = npy(kHeader, all_values<double>());
  ZipWriter smaller;
  smaller.add("v.npy", values, true, values.size() - 8);
  refuse(smaller.bytes(), {"v.npy"});
  ZipWriter larger;
  larger.add("v.npy", values, true, values.size() + 8);
  refuse(larger.bytes(), {"v.npy", "bytes"});
  // 10^12 bytes in the directory and in the array's own header.
  ZipWriter huge;
  huge.add("v.npy", npy(header_of("<f8", "False", "(125000000, 100, 9)"), std::string(80, 'x')), true,
           1'000'000'000'000);
  refuse(huge.bytes(), {"v.npy", "1000000000000"});
}

TEST_F(BrokenZip, OfAnotherKindIsRefused) {
  ZipWriter office;
  office.add("[Content_Types].xml", "<xml/>");
  refuse(office.bytes(), {"office", "CSV"});
  ZipWriter text;
  text.add("notes.txt", "hello");
  refuse(text.bytes(), {"notes.txt", "savez"});
  refuse(ZipWriter().bytes(), {"no arrays"});
}

}  // namespace
}  // namespace milcci
