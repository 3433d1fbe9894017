// Parts of HDF5 files that are whole but strange, made of bytes: datasets of any type and shape, chunks,
// packing, links in circles, references. Arbitrary bytes as files would only find what HDF5's own library
// cannot survive (docs/file-formats.md).
#pragma once

#include <hdf5.h>

#include <cstdint>
#include <limits>
#include <span>

namespace milcci::fuzz {

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

/// Paths that may be in the file.
using Names = std::span<const char* const>;

inline const char* name_of(Bytes& bytes, Names names) {
  return names[bytes.next(static_cast<unsigned>(names.size()))];
}

inline hid_t type_of(unsigned choice) {
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

/// Mostly small numbers, some that are none or far away.
inline double number_of(Bytes& bytes) {
  const unsigned byte = bytes.next();
  if (byte == 255) return std::numeric_limits<double>::quiet_NaN();
  if (byte == 254) return 1e300;
  if (byte == 253) return -1;
  return byte;
}

inline void put_dataset(hid_t file, const char* name, Bytes& bytes, Names names) {
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
      values[i] = number_of(bytes);
      texts[i] = i % 2 ? "left" : "r";
      if (type_choice == 7) H5Rcreate(&references[i], file, name_of(bytes, names), H5R_OBJECT, -1);
    }
    if (type_choice == 7) H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, references);
    if (type_choice == 8) H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, texts);
    if (type_choice >= 9) H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
    if (type_choice < 7) H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
  }
  if (dataset >= 0) H5Dclose(dataset);
  H5Pclose(creation);
  H5Sclose(space);
  H5Tclose(type);
}

/// A soft link (kind 0), a hard one (1), or one to another file.
inline void put_link(hid_t file, const char* name, unsigned kind, Bytes& bytes, Names names) {
  switch (kind) {
    case 0:
      H5Lcreate_soft(name_of(bytes, names), file, name, H5P_DEFAULT, H5P_DEFAULT);
      break;
    case 1:
      H5Lcreate_hard(file, bytes.next(2) ? "/" : name_of(bytes, names), file, name, H5P_DEFAULT, H5P_DEFAULT);
      break;
    default:
      H5Lcreate_external("/nowhere.h5", "/x", file, name, H5P_DEFAULT, H5P_DEFAULT);
  }
}

/// A number, or a text of fixed length.
inline void put_attribute(hid_t file, const char* object_name, const char* name, const char* text,
                          double number) {
  const hid_t object = H5Oopen(file, object_name, H5P_DEFAULT);
  if (object < 0) return;
  const hid_t space = H5Screate(H5S_SCALAR), type = text ? H5Tcopy(H5T_C_S1) : H5Tcopy(H5T_NATIVE_DOUBLE);
  char bytes[8] = {};
  for (int i = 0; text && i < 7 && text[i] != '\0'; ++i) bytes[i] = text[i];
  if (text) H5Tset_size(type, sizeof(bytes));
  if (H5Aexists(object, name) > 0) H5Adelete(object, name);
  const hid_t attribute = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
  if (attribute >= 0) {
    H5Awrite(attribute, type, text ? static_cast<const void*>(bytes) : &number);
    H5Aclose(attribute);
  }
  H5Tclose(type);
  H5Sclose(space);
  H5Oclose(object);
}

}  // namespace milcci::fuzz
