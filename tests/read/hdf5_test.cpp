// Datasets of HDF5 files that are not ours. Files as h5py writes them are read in tests/python.
#include <gtest/gtest.h>
#include <hdf5.h>

#include "support/hdf5_editor.hpp"
#include "support/reading.hpp"

namespace milcci {
namespace {

using namespace testing;
using Names = std::vector<std::string>;

class Hdf5Recording : public ::testing::Test {
 protected:
  Hdf5Recording() : path_(folder_.file("a.h5")) {
    H5Fclose(H5Fcreate(path_.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
    Hdf5Editor file(path_);
    file.put_group("session");
    file.put("session/rates", std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, {2, 2, 3});
    file.put("session/choice", std::vector<std::string>{"left", "right"}, {2});
    file.put("dose", std::vector<std::int64_t>{7, 8}, {2}, H5T_STD_U8LE);
  }
  void refuse(const ReadOptions& options, const std::vector<std::string>& words,
              ErrorKind kind = ErrorKind::bad_file) {
    expect_error(kind, words, [&] { read_data(path_, options); });
  }

  TemporaryDirectory folder_;
  std::string path_;
  ReadOptions options_{.dims = {"trial", "channel", "time"}};
};

TEST_F(Hdf5Recording, IsReadByThePathOfItsDataset) {
  for (const std::string dataset : {"/session/rates", "session/rates", ""}) {
    options_.dataset = dataset;
    const ReadResult result = read_data(path_, options_);
    EXPECT_EQ(result.trials.values[1], (Matrix{{7, 8, 9}, {10, 11, 12}}));
    EXPECT_EQ(label_texts(result.trials, "choice"), (Names{"left", "right"}));
    EXPECT_EQ(label_texts(result.trials, "dose"), (Names{"7", "8"}));
    EXPECT_NE(all_notes(result).find("/session/rates"), std::string::npos);
  }
}

TEST_F(Hdf5Recording, NeedsADatasetThatIsThere) {
  options_.dataset = "/session/rate";
  refuse(options_, {"`dataset` = /session/rate", "/session/rates"}, ErrorKind::bad_option);
  options_.dataset = "/session";
  refuse(options_, {"`dataset` = /session", "no such array"}, ErrorKind::bad_option);
  options_.dataset = "/session/choice";
  refuse(options_, {"/session/choice", "texts", "numbers"});
}

TEST_F(Hdf5Recording, MayContainItself) {
  {
    const hid_t file = H5Fopen(path_.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
    H5Lcreate_hard(file, "/", file, "/session/up", H5P_DEFAULT, H5P_DEFAULT);
    H5Lcreate_hard(file, "/session", file, "/session/self", H5P_DEFAULT, H5P_DEFAULT);
    H5Lcreate_soft("/session/loop", file, "/session/loop", H5P_DEFAULT, H5P_DEFAULT);
    H5Lcreate_soft("/nowhere", file, "/dangling", H5P_DEFAULT, H5P_DEFAULT);
    H5Fclose(file);
  }
  options_.dataset = "/session/rates";
  EXPECT_EQ(read_data(path_, options_).trials.n_trials(), 2);
}

TEST_F(Hdf5Recording, IsNotReadFromOtherFiles) {
  Hdf5Editor(path_).put_external_link("elsewhere", folder_.file("b.h5"));
  options_.dataset = "/elsewhere";
  refuse(options_, {"/elsewhere"}, ErrorKind::bad_option);
}

TEST_F(Hdf5Recording, MustNotDeclareMoreThanItHolds) {
  Hdf5Editor(path_).declare("huge", H5T_NATIVE_DOUBLE, {1'000'000, 1'000'000, 1});
  options_.dataset = "/huge";
  refuse(options_, {"/huge", "1000000 x 1000000 x 1", "bytes"});
}

TEST_F(Hdf5Recording, MustNotHaveHugeChunks) {
  {
    const hid_t file = H5Fopen(path_.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
    const hsize_t lengths[3] = {2, 2, 3}, most[3] = {H5S_UNLIMITED, H5S_UNLIMITED, H5S_UNLIMITED},
                  chunk[3] = {20000, 20000, 1};
    const hid_t space = H5Screate_simple(3, lengths, most), creation = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(creation, 3, chunk);
    const hid_t dataset =
        H5Dcreate2(file, "chunky", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, creation, H5P_DEFAULT);
    EXPECT_GE(dataset, 0);
    H5Dclose(dataset);
    H5Pclose(creation);
    H5Sclose(space);
    H5Fclose(file);
  }
  options_.dataset = "/chunky";
  refuse(options_, {"/chunky", "chunks", "h5repack"});
}

TEST_F(Hdf5Recording, MustNotReferToItsValuesOverAndOver) {
  Hdf5Editor(path_).put("large", std::vector<double>(1'000'000, 1.0), {1'000'000});
  {
    const hid_t file = H5Fopen(path_.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
    const hsize_t length = 1'000;
    const hid_t space = H5Screate_simple(1, &length, nullptr);
    const hid_t dataset =
        H5Dcreate2(file, "cells", H5T_STD_REF_OBJ, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    std::vector<hobj_ref_t> references(length);
    for (hobj_ref_t& reference : references) H5Rcreate(&reference, file, "large", H5R_OBJECT, -1);
    H5Dwrite(dataset, H5T_STD_REF_OBJ, H5S_ALL, H5S_ALL, H5P_DEFAULT, references.data());
    H5Dclose(dataset);
    H5Sclose(space);
    H5Fclose(file);
  }
  refuse(options_, {"/cells", "\"/large\" over and over"});
}

// HDF5 1.10 crashes or hangs on most of these bytes when it follows the references itself.
TEST_F(Hdf5Recording, WithADamagedHeapOfChunkedTextsIsRefusedOrRead) {
  {
    const hid_t file = H5Fopen(path_.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
    const hsize_t length = 2, most = H5S_UNLIMITED, chunk = 1;
    const hid_t space = H5Screate_simple(1, &length, &most), creation = H5Pcreate(H5P_DATASET_CREATE),
                type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, H5T_VARIABLE);
    H5Pset_chunk(creation, 1, &chunk);
    const hid_t dataset = H5Dcreate2(file, "side", type, space, H5P_DEFAULT, creation, H5P_DEFAULT);
    const char* texts[2] = {"west", "east"};
    EXPECT_GE(H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, texts), 0);
    H5Dclose(dataset);
    H5Pclose(creation);
    H5Tclose(type);
    H5Sclose(space);
    H5Fclose(file);
  }
  EXPECT_EQ(label_texts(read_data(path_, options_).trials, "side"), (Names{"west", "east"}));
  const std::string whole = read_bytes(path_);
  const std::size_t heap = whole.find("west");
  ASSERT_NE(heap, std::string::npos);
  for (std::size_t i = heap - 48; i < heap + 48; ++i) {
    std::string bytes = whole;
    bytes[i] = static_cast<char>(bytes[i] ^ 0xFF);
    try {
      read_data(folder_.write("b.h5", bytes), options_);
    } catch (const Error&) {
    }
  }
}

TEST_F(Hdf5Recording, WithoutArraysIsRefused) {
  const std::string path = folder_.file("empty.h5");
  H5Fclose(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
  expect_error(ErrorKind::bad_file, {"empty.h5", "no arrays"}, [&] { read_data(path); });
}

TEST_F(Hdf5Recording, CutShortIsRefused) {
  const std::string whole = read_bytes(path_);
  for (std::size_t length = 600; length < whole.size(); length += 997)
    expect_error(ErrorKind::bad_file, {"b.h5"},
                 [&] { read_data(folder_.write("b.h5", whole.substr(0, length)), options_); });
}

TEST_F(Hdf5Recording, OfOtherTypesIsLeftOut) {
  {
    const hid_t file = H5Fopen(path_.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
    const hid_t record = H5Tcreate(H5T_COMPOUND, 16), space = H5Screate(H5S_SCALAR);
    H5Tinsert(record, "a", 0, H5T_NATIVE_DOUBLE);
    H5Dclose(H5Dcreate2(file, "record", record, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    H5Tclose(record);
    H5Sclose(space);
    H5Fclose(file);
  }
  const ReadResult result = read_data(path_, options_);
  EXPECT_NE(all_notes(result).find("left out: /record"), std::string::npos);
  options_.dataset = "/record";
  refuse(options_, {"/record", "neither numbers nor texts"});
}

}  // namespace
}  // namespace milcci
