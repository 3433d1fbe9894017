// MATLAB files of version 5. Files as SciPy writes them are read in tests/python.
#include <gtest/gtest.h>

#include "support/mat_writer.hpp"
#include "support/reading.hpp"

namespace milcci {
namespace {

using namespace testing;
using Names = std::vector<std::string>;

ReadResult read_mat(const std::string& elements, const ReadOptions& options = {}) {
  const TemporaryDirectory folder;
  return read_data(folder.write("a.mat", mat_file(elements)), options);
}

void refuse(const std::string& elements, const std::vector<std::string>& words,
            const ReadOptions& options = {}) {
  expect_error(ErrorKind::bad_file, words, [&] { read_mat(elements, options); });
}

const ReadOptions kCube{.dims = {"channel", "time", "trial"}};
const std::string kValues = mat_doubles({2, 3, 2}, "rates", {11, 12, 21, 22, 31, 32, 41, 42, 51, 52, 61, 62});

TEST(Mat, HoldsAnArrayWithLabels) {
  const ReadResult result = read_mat(
      kValues + mat_packed(mat_cell("choice", {mat_text("", "left"), mat_text("", "right")})) +
          mat_doubles({1, 2}, "dose", {3, 4}) + mat_doubles({3, 1}, "t", {0, 0.5, 1}) +
          mat_cell("units", {mat_text("", "a"), mat_text("", "b")}) + mat_doubles({1, 1}, "rate_hz", {100}),
      {.dims = {"channel", "time", "trial"}, .channel = "units"});
  EXPECT_EQ(result.trials.values[0], (Matrix{{11, 21, 31}, {12, 22, 32}}));
  EXPECT_EQ(result.trials.values[1], (Matrix{{41, 51, 61}, {42, 52, 62}}));
  EXPECT_EQ(label_texts(result.trials, "choice"), (Names{"left", "right"}));
  EXPECT_EQ(label_texts(result.trials, "dose"), (Names{"3", "4"}));
  EXPECT_TRUE(std::holds_alternative<LabelColumn::Integers>(result.trials.find_label("dose")->values));
  EXPECT_EQ(result.trials.channel_names, (Names{"a", "b"}));
  EXPECT_EQ(result.trials.times[0], Vector({{0, 0.5, 1}}));
  EXPECT_NE(all_notes(result).find("rate_hz"), std::string::npos) << "what is left out is told";
}

TEST(Mat, MayHaveACellPerTrial) {
  const std::string cells =
      mat_cell("spikes", {mat_doubles({2, 3}, "", {1, 2, 3, 4, 5, 6}), mat_doubles({2, 1}, "", {7, 8})});
  const Trials trials =
      read_mat(cells + mat_cell("level", {mat_doubles({1, 1}, "", {5}), mat_doubles({0, 0}, "", {})})).trials;
  EXPECT_EQ(trials.values[0], (Matrix{{1, 3, 5}, {2, 4, 6}}));
  EXPECT_EQ(trials.values[1], (Matrix{{7}, {8}}));
  EXPECT_TRUE(trials.find_label("level")->is_missing(1)) << "an empty cell is a missing label";
}

TEST(Mat, MayHaveAStructPerTrial) {
  const std::string names =
      mat_element(5, little_endian(8, 4)) + mat_element(1, std::string("data\0\0\0\0side\0\0\0\0", 16));
  const std::string values = mat_doubles({2, 2}, "", {1, 2, 3, 4}) + mat_text("", "l") +
                             mat_doubles({2, 1}, "", {5, 6}) + mat_text("", "r");
  const Trials trials = read_mat(mat_matrix(2, {1, 2}, "trial", names + values)).trials;
  EXPECT_EQ(trials.values[0], (Matrix{{1, 3}, {2, 4}}));
  EXPECT_EQ(label_texts(trials, "side"), (Names{"l", "r"}));
}

TEST(Mat, MayHaveItsArraysInAStruct) {
  const std::string names =
      mat_element(5, little_endian(8, 4)) + mat_element(1, std::string("rates\0\0\0side\0\0\0\0", 16));
  const std::string fields = mat_doubles({1, 2, 2}, "", {1, 2, 3, 4}) + mat_doubles({2, 1}, "", {1, 2});
  const Trials trials =
      read_mat(mat_matrix(2, {1, 1}, "s", names + fields), {.dataset = "s.rates", .dims = kCube.dims}).trials;
  EXPECT_EQ(trials.values[1], (Matrix{{3, 4}}));
  EXPECT_EQ(label_texts(trials, "side"), (Names{"1", "2"}));
}

TEST(Mat, StoresWholeNumbersInFewBytes) {
  const std::string values =
      mat_matrix(6, {1, 2, 2}, "v", little_endian(4 << 16 | 2, 4) + std::string("\1\2\3\4", 4));
  EXPECT_EQ(read_mat(values, kCube).trials.values[1], (Matrix{{3, 4}}));
}

TEST(Mat, MustBeWhole) {
  const TemporaryDirectory folder;
  for (const std::string& elements : {kValues, mat_packed(kValues)}) {
    const std::string whole = mat_file(elements);
    for (std::size_t length = 129; length < whole.size(); length += 3)
      expect_error(ErrorKind::bad_file, {"a.mat"},
                   [&] { read_data(folder.write("a.mat", whole.substr(0, length)), kCube); });
  }
}

// Whatever byte is wrong, the outcome is trials or an error, never anything else.
TEST(Mat, WithAnyWrongByteNeverDoesHarm) {
  const TemporaryDirectory folder;
  const std::string names =
      mat_element(5, little_endian(8, 4)) + mat_element(1, std::string("data\0\0\0\0", 8));
  const std::string whole =
      mat_file(kValues + mat_packed(kValues) + mat_cell("c", {mat_text("", "left"), kValues}) +
               mat_matrix(2, {1, 1}, "s", names + mat_doubles({1, 1}, "", {1})));
  for (std::size_t i = 124; i < whole.size(); ++i)
    for (const int change : {0x01, 0xFF}) {
      std::string bytes = whole;
      bytes[i] = static_cast<char>(bytes[i] ^ change);
      try {
        read_data(folder.write("a.mat", bytes), kCube);
      } catch (const Error&) {
      }
    }
}

TEST(Mat, MustNotDeclareMoreThanItHolds) {
  refuse(mat_doubles({100000, 100000, 100}, "v", {1, 2}), {"\"v\"", "100000 x 100000 x 100", "2 values"},
         kCube);
  refuse(mat_matrix(1, {100000, 100000}, "c", ""), {"\"c\"", "100000 x 100000"});
  refuse(little_endian(14, 4) + little_endian(1'000'000'000, 4) + "abc", {"1000000000 bytes"});
  refuse(mat_packed(little_endian(14, 4) + little_endian(4'000'000'000, 4)), {"4000000000"});
}

TEST(Mat, OfOtherContentsSaysWhatToDo) {
  const ReadOptions options{.dataset = "v", .dims = kCube.dims};
  refuse(mat_matrix(5, {2, 3}, "v", ""), {"\"v\"", "sparse", "full"}, options);
  refuse(mat_matrix(6 | 1 << 11, {2, 3}, "v", ""), {"\"v\"", "complex"}, options);
  refuse(mat_matrix(17, {2, 3}, "v", ""), {"\"v\"", "cellstr"}, options);
  refuse(mat_text("v", "hello"), {"\"v\"", "texts", "numbers"}, options);
  refuse(mat_cell("v", {mat_text("", "a"), mat_doubles({1, 1}, "", {1})}), {"\"v\"", "mixed"}, options);
  refuse("", {"no arrays"});
  refuse(mat_doubles({2, 3}, "a", {1, 2, 3, 4, 5, 6}) + mat_doubles({2, 3}, "b", {1, 2, 3, 4, 5, 6}),
         {"`dataset`", "a (2 x 3)", "b (2 x 3)"});
  refuse(mat_cell("v", {mat_doubles({2, 2}, "", {1, 2, 3, 4}), mat_doubles({2, 2}, "", {1, 2, 3, 4})}),
         {"\"v\"", "2 x 2", "`dims` = channel,time"});
  refuse(mat_cell("v", {mat_doubles({2, 2}, "", {1, 2, 3, 4}), mat_doubles({1, 2}, "", {1, 2})}),
         {"\"v\"", "trial 2", "1 channels", "must have 2"}, {.dims = {"channel", "time"}});
}

}  // namespace
}  // namespace milcci
