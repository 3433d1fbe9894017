// Files with wrong bytes: cut short, with bytes changed, or not ours at all. Whatever the bytes, reading ends
// in success or in Error(bad_file).
#include <gtest/gtest.h>

#include "milcci/files.hpp"
#include "support/expect_error.hpp"
#include "support/results.hpp"
#include "support/temporary_directory.hpp"
#include "util/random.hpp"

namespace milcci {
namespace {

using testing::expect_error;
using testing::full_result;
using testing::full_trials;
using testing::read_bytes;
using testing::TemporaryDirectory;

// Both files, so that every case below is tried with each.
class BrokenFile : public ::testing::TestWithParam<FileKind> {
 protected:
  BrokenFile() {
    if (GetParam() == FileKind::trials)
      write_trials(directory_.file("good.h5"), full_trials());
    else
      write_model(directory_.file("good.h5"), full_result());
    good_ = read_bytes(directory_.file("good.h5"));
  }

  void read(const std::string& path) const {
    if (GetParam() == FileKind::trials)
      read_trials(path);
    else
      read_model(path);
  }

  // True if it could be read; anything but success and Error(bad_file) fails the test.
  bool reads(const std::string& bytes, const std::string& what) const {
    const std::string path = directory_.write("bad.h5", bytes);
    try {
      read(path);
      return true;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::bad_file) << what << ": " << error.what();
      EXPECT_NE(std::string(error.what()).find("bad.h5"), std::string::npos) << error.what();
    } catch (const std::exception& error) {
      ADD_FAILURE() << what << ": " << error.what();
    }
    return false;
  }

  TemporaryDirectory directory_;
  std::string good_;
};

TEST_P(BrokenFile, CutShortAtAnyLengthIsRefused) {
  constexpr std::size_t kLengths = 400;
  for (std::size_t i = 0; i < kLengths; ++i) {
    const std::size_t length = good_.size() * i / kLengths;
    EXPECT_FALSE(reads(good_.substr(0, length), "cut at " + std::to_string(length)));
  }
  EXPECT_FALSE(reads(good_.substr(0, good_.size() - 1), "cut by one byte"));
  EXPECT_TRUE(reads(good_, "whole"));
}

TEST_P(BrokenFile, ChangedBytesNeverCrash) {
  constexpr std::size_t kFlips = 1000;
  Random random(7, static_cast<std::uint64_t>(GetParam()));
  std::size_t n_refused = 0;
  for (std::size_t i = 0; i < kFlips; ++i) {
    std::string bytes = good_;
    const std::size_t at = random.bits() % bytes.size();
    const auto change = static_cast<char>(i % 2 ? 0xff : 1u << random.bits() % 8);
    bytes[at] = static_cast<char>(bytes[at] ^ change);
    if (!reads(bytes, "byte " + std::to_string(at))) ++n_refused;
  }
  EXPECT_GT(n_refused, kFlips / 4) << "checksums should notice most of what matters";
}

TEST_P(BrokenFile, StretchesOfOtherBytesNeverCrash) {
  constexpr std::size_t kStretches = 300, kLength = 64;
  Random random(8, static_cast<std::uint64_t>(GetParam()));
  for (std::size_t i = 0; i < kStretches; ++i) {
    std::string bytes = good_;
    const std::size_t at = random.bits() % (bytes.size() - kLength);
    for (std::size_t b = 0; b < kLength; ++b)
      bytes[at + b] = i % 3 == 0 ? '\0' : i % 3 == 1 ? '\xff' : static_cast<char>(random.bits());
    reads(bytes, "64 bytes at " + std::to_string(at));
  }
}

TEST_P(BrokenFile, WhatIsNoFileOfOursIsSaidToBeNone) {
  const auto refused = [&](const std::string& path, const std::vector<std::string>& words) {
    expect_error(ErrorKind::bad_file, words, [&] { read(path); });
    expect_error(ErrorKind::bad_file, words, [&] { file_kind(path); });
  };
  refused(directory_.file("nothing.h5"), {"nothing.h5", "no such file"});
  refused(directory_.path(), {"not a regular file"});
  refused("/dev/null", {"not a regular file"});
  refused("", {"no such file"});
  refused(directory_.write("empty.h5", ""), {"empty.h5", "not an HDF5 file"});
  refused(directory_.write("text.h5", "trial,value\n1,2\n"), {"text.h5", "not an HDF5 file", "16 bytes"});
}

INSTANTIATE_TEST_SUITE_P(Both, BrokenFile, ::testing::Values(FileKind::trials, FileKind::model),
                         [](const auto& info) {
                           return info.param == FileKind::trials ? "Trials" : "Model";
                         });

TEST(BrokenValues, AChangedByteInTheValuesIsNoticed) {
  const TemporaryDirectory directory;
  Trials trials = full_trials();
  constexpr double kMark = 1.2345678901234567e89;
  trials.values[2](2, 5) = kMark;
  write_trials(directory.file("t.h5"), trials);
  std::string bytes = read_bytes(directory.file("t.h5"));
  const std::size_t at = bytes.find(std::string(reinterpret_cast<const char*>(&kMark), sizeof kMark));
  ASSERT_NE(at, std::string::npos);
  bytes[at] = static_cast<char>(bytes[at] ^ 1);
  directory.write("t.h5", bytes);
  expect_error(ErrorKind::bad_file, {"t.h5", "/values", "damaged"},
               [&] { read_trials(directory.file("t.h5")); });
}

}  // namespace
}  // namespace milcci
