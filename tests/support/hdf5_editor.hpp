// Changes an HDF5 file by hand, as people and accidents do.
#pragma once

#include <hdf5.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace milcci::testing {

class Hdf5Editor {
 public:
  explicit Hdf5Editor(const std::string& path) : file_(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT)) {
    require(file_ >= 0, "open " + path);
  }
  ~Hdf5Editor() { H5Fclose(file_); }
  Hdf5Editor(const Hdf5Editor&) = delete;
  Hdf5Editor& operator=(const Hdf5Editor&) = delete;

  using Shape = std::vector<hsize_t>;

  void remove(const std::string& name) {
    require(H5Ldelete(file_, name.c_str(), H5P_DEFAULT) >= 0, "remove " + name);
  }
  void put(const std::string& name, const std::vector<double>& values, const Shape& shape) {
    put(name, H5T_NATIVE_DOUBLE, H5T_NATIVE_DOUBLE, values.data(), shape);
  }
  void put(const std::string& name, const std::vector<std::int64_t>& values, const Shape& shape,
           hid_t file_type = H5T_STD_I64LE) {
    put(name, file_type, H5T_NATIVE_INT64, values.data(), shape);
  }
  void put_unsigned(const std::string& name, const std::vector<std::uint64_t>& values, const Shape& shape) {
    put(name, H5T_STD_U64LE, H5T_NATIVE_UINT64, values.data(), shape);
  }
  void put(const std::string& name, const std::vector<std::string>& values, const Shape& shape) {
    std::vector<const char*> pointers;
    for (const std::string& value : values) pointers.push_back(value.c_str());
    const hid_t type = text_type();
    put(name, type, type, pointers.data(), shape);
    H5Tclose(type);
  }
  /// Texts of a fixed length, padded with zeros or blanks.
  void put_fixed(const std::string& name, const std::string& bytes, std::size_t length, H5T_str_t padding) {
    const hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, length);
    H5Tset_strpad(type, padding);
    put(name, type, type, bytes.data(), {bytes.size() / length});
    H5Tclose(type);
  }
  /// A dataset that only says how large it is.
  void declare(const std::string& name, hid_t type, const Shape& shape) {
    put(name, type, type, nullptr, shape);
  }
  void declare_texts(const std::string& name, const Shape& shape) {
    const hid_t type = text_type();
    put(name, type, type, nullptr, shape);
    H5Tclose(type);
  }
  void put_group(const std::string& name) {
    replace(name);
    H5Gclose(H5Gcreate2(file_, name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  }
  void put_external_link(const std::string& name, const std::string& other_file) {
    replace(name);
    require(H5Lcreate_external(other_file.c_str(), name.c_str(), file_, name.c_str(), H5P_DEFAULT,
                               H5P_DEFAULT) >= 0,
            "link " + name);
  }
  void put_attribute(const std::string& name, std::int64_t value) {
    put_attribute(name, H5T_NATIVE_INT64, &value);
  }
  void put_attribute(const std::string& name, const std::string& value) {
    const hid_t type = text_type();
    const char* text = value.c_str();
    put_attribute(name, type, &text);
    H5Tclose(type);
  }
  void remove_attribute(const std::string& name) {
    require(H5Adelete(file_, name.c_str()) >= 0, "remove " + name);
  }
  /// Copies an object under a second name.
  void copy(const std::string& name, const std::string& to) {
    require(H5Ocopy(file_, name.c_str(), file_, to.c_str(), H5P_DEFAULT, H5P_DEFAULT) >= 0, "copy " + name);
  }

 private:
  static void require(bool condition, const std::string& what) {
    if (!condition) throw std::runtime_error("the test cannot " + what);
  }
  static hid_t text_type() {
    const hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, H5T_VARIABLE);
    H5Tset_cset(type, H5T_CSET_UTF8);
    return type;
  }
  void replace(const std::string& name) {
    if (H5Lexists(file_, name.c_str(), H5P_DEFAULT) > 0) remove(name);
  }
  void put(const std::string& name, hid_t file_type, hid_t memory_type, const void* values,
           const Shape& shape) {
    replace(name);
    const hid_t space = shape.empty()
                            ? H5Screate(H5S_SCALAR)
                            : H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr);
    const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    if (!values) {
      const Shape chunk(shape.size(), 1);
      H5Pset_chunk(creation, static_cast<int>(chunk.size()), chunk.data());
    }
    const hid_t dataset =
        H5Dcreate2(file_, name.c_str(), file_type, space, H5P_DEFAULT, creation, H5P_DEFAULT);
    require(dataset >= 0, "create " + name);
    if (values) require(H5Dwrite(dataset, memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0, "write");
    H5Dclose(dataset);
    H5Pclose(creation);
    H5Sclose(space);
  }
  void put_attribute(const std::string& name, hid_t type, const void* value) {
    if (H5Aexists(file_, name.c_str()) > 0) remove_attribute(name);
    const hid_t space = H5Screate(H5S_SCALAR);
    const hid_t attribute = H5Acreate2(file_, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT);
    require(attribute >= 0 && H5Awrite(attribute, type, value) >= 0, "write " + name);
    H5Aclose(attribute);
    H5Sclose(space);
  }

  hid_t file_;
};

}  // namespace milcci::testing
