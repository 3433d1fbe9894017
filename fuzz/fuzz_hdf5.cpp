// HDF5 files that are whole but strange. Arbitrary bytes would only find what HDF5's own library cannot
// survive (docs/file-formats.md), so the bytes here are a list of things to put into a file made by that
// library: datasets of any type and shape, chunks, packing, links in circles, references, attributes of
// MATLAB.
#include <fmt/format.h>
#include <hdf5.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "file_in_memory.hpp"

namespace {

class Bytes {
 public:
  Bytes(const std::uint8_t* data, std::size_t size) : data_(data), size_(size) {}
  bool is_empty() const { return at_ >= size_; }
  unsigned next() { return at_ < size_ ? data_[at_++] : 0; }
  unsigned next(unsigned n) { return next() % n; }

 private:
  const std::uint8_t* data_;
  std::size_t size_, at_ = 0;
};

const char* const kNames[] = {"a",   "b",   "choice", "time",   "channel", "g",
                              "g/a", "g/b", "g/g2",   "#refs#", "g/g2/a",  "trial"};
const char* name_of(Bytes& bytes) {
  return kNames[bytes.next(sizeof(kNames) / sizeof(kNames[0]))];
}

hid_t type_of(unsigned choice) {
  static const hid_t kNumbers[] = {H5T_NATIVE_DOUBLE, H5T_IEEE_F32BE, H5T_STD_I8LE, H5T_STD_U16BE,
                                   H5T_STD_I32LE,     H5T_STD_U64LE,  H5T_STD_I64BE};
  if (choice < 7) return H5Tcopy(kNumbers[choice]);
  if (choice == 7) return H5Tcopy(H5T_STD_REF_OBJ);
  if (choice == 8 || choice == 9) {
    const hid_t text = H5Tcopy(H5T_C_S1);
    H5Tset_size(text, choice == 8 ? H5T_VARIABLE : 3);
    return text;
  }
  if (choice == 10) {
    const hid_t record = H5Tcreate(H5T_COMPOUND, 8);
    H5Tinsert(record, "x", 0, H5T_NATIVE_DOUBLE);
    return record;
  }
  const hid_t flag = H5Tenum_create(H5T_NATIVE_INT8);
  const std::int8_t no = 0, yes = 1;
  H5Tenum_insert(flag, "FALSE", &no);
  H5Tenum_insert(flag, "TRUE", &yes);
  return flag;
}

void put_dataset(hid_t file, Bytes& bytes) {
  const char* name = name_of(bytes);
  const unsigned type_choice = bytes.next(12), rank = bytes.next(5), storage = bytes.next(5);
  hsize_t lengths[4], most[4], chunk[4], count = 1;
  for (unsigned i = 0; i < rank; ++i) {
    lengths[i] = bytes.next(5);
    if (storage == 4 && bytes.next(8) == 0) lengths[i] = hsize_t{1} << bytes.next(62);
    most[i] = H5S_UNLIMITED;
    chunk[i] = 1 + bytes.next(4);
    count = lengths[i] < 5 ? count * lengths[i] : 0;
  }
  const hid_t type = type_of(type_choice);
  const hid_t space = rank == 0
                          ? H5Screate(H5S_SCALAR)
                          : H5Screate_simple(static_cast<int>(rank), lengths, storage > 1 ? most : nullptr);
  const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
  if (storage > 1 && rank > 0) H5Pset_chunk(creation, static_cast<int>(rank), chunk);
  if (storage == 3 && rank > 0) H5Pset_deflate(creation, 1);
  if (storage == 1) H5Pset_layout(creation, H5D_COMPACT);
  const hid_t dataset = H5Dcreate2(file, name, type, space, H5P_DEFAULT, creation, H5P_DEFAULT);
  if (dataset >= 0 && count > 0 && storage != 4) {
    double values[700] = {};
    const char* texts[700];
    hobj_ref_t references[700] = {};
    for (hsize_t i = 0; i < count; ++i) {
      values[i] = bytes.next();
      texts[i] = i % 2 ? "left" : "r";
      H5Rcreate(&references[i], file, name_of(bytes), H5R_OBJECT, -1);
    }
    if (type_choice == 7) H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, references);
    if (type_choice == 8) H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, texts);
    if (type_choice == 9) H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
    if (type_choice < 7) H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
  }
  if (dataset >= 0) H5Dclose(dataset);
  H5Pclose(creation);
  H5Sclose(space);
  H5Tclose(type);
}

void put_attribute(hid_t file, Bytes& bytes) {
  static const char* const kClasses[] = {"double", "char", "cell", "struct", "logical", "table"};
  const hid_t object = H5Oopen(file, name_of(bytes), H5P_DEFAULT);
  if (object < 0) return;
  const bool is_class = bytes.next(4) != 0;
  const hid_t space = H5Screate(H5S_SCALAR), type = is_class ? H5Tcopy(H5T_C_S1) : H5Tcopy(H5T_NATIVE_INT);
  if (is_class) H5Tset_size(type, 8);
  const hid_t attribute = H5Acreate2(object,
                                     is_class        ? "MATLAB_class"
                                     : bytes.next(2) ? "MATLAB_empty"
                                                     : "format",
                                     type, space, H5P_DEFAULT, H5P_DEFAULT);
  char text[8] = {};
  std::string_view(kClasses[bytes.next(6)]).copy(text, 7);
  if (attribute >= 0) {
    H5Awrite(attribute, type, text);
    H5Aclose(attribute);
  }
  H5Tclose(type);
  H5Sclose(space);
  H5Oclose(object);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace milcci::fuzz;
  // HDF5 cannot create a file in memory by its path.
  static const std::string path =
      std::filesystem::temp_directory_path() / fmt::format("milcci-fuzz-{}.h5", getpid());
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  Bytes bytes(data, size);
  milcci::ReadOptions options = options_of(static_cast<std::uint8_t>(bytes.next()));
  const bool is_matlab = bytes.next(2) != 0;
  if (bytes.next(2)) options.dataset = name_of(bytes);
  const hid_t creation = H5Pcreate(H5P_FILE_CREATE);
  if (is_matlab) H5Pset_userblock(creation, 512);
  const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, creation, H5P_DEFAULT);
  H5Pclose(creation);
  if (file < 0) std::abort();
  H5Gclose(H5Gcreate2(file, "g", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  for (int n = 0; n < 20 && !bytes.is_empty(); ++n) switch (bytes.next(6)) {
      case 0:
        H5Lcreate_soft(name_of(bytes), file, name_of(bytes), H5P_DEFAULT, H5P_DEFAULT);
        break;
      case 1:
        H5Lcreate_hard(file, bytes.next(2) ? "/" : name_of(bytes), file, name_of(bytes), H5P_DEFAULT,
                       H5P_DEFAULT);
        break;
      case 2:
        H5Lcreate_external("/nowhere.h5", "/x", file, name_of(bytes), H5P_DEFAULT, H5P_DEFAULT);
        break;
      case 3:
        put_attribute(file, bytes);
        break;
      default:
        put_dataset(file, bytes);
    }
  H5Fclose(file);
  if (is_matlab) std::fstream(path, std::ios::in | std::ios::out | std::ios::binary) << "MATLAB 7.3 MAT-file";
  read_file(path, options);
  std::filesystem::remove(path);
  return 0;
}
