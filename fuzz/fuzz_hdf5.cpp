// HDF5 files and MATLAB files of version 7.3 that are whole but strange: the bytes are a list of things to
// put into a file.
#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "file_in_memory.hpp"
#include "strange_hdf5.hpp"

namespace {

const char* const kNames[] = {"a",   "b",   "choice", "time",   "channel", "g",
                              "g/a", "g/b", "g/g2",   "#refs#", "g/g2/a",  "trial"};
const char* const kClasses[] = {"double", "char", "cell", "struct", "logical", "table"};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace milcci::fuzz;
  // HDF5 cannot create a file in memory by its path.
  static const std::string path =
      std::filesystem::temp_directory_path() / fmt::format("milcci-fuzz-{}.h5", getpid());
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  Bytes bytes(data, size);
  milcci::ReadOptions options = array_options(static_cast<std::uint8_t>(bytes.next()));
  const bool is_matlab = bytes.next(2) != 0;
  if (bytes.next(2)) options.dataset = name_of(bytes, kNames);
  const hid_t creation = H5Pcreate(H5P_FILE_CREATE);
  if (is_matlab) H5Pset_userblock(creation, 512);
  const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, creation, H5P_DEFAULT);
  H5Pclose(creation);
  if (file < 0) std::abort();
  H5Gclose(H5Gcreate2(file, "g", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  for (int n = 0; n < 20 && !bytes.is_empty(); ++n) {
    const unsigned what = bytes.next(6);
    const char* name = name_of(bytes, kNames);
    if (what < 3) {
      put_link(file, name, what, bytes, kNames);
    } else if (what == 3) {
      const bool is_class = bytes.next(4) != 0;
      const char* attribute = is_class ? "MATLAB_class" : bytes.next(2) ? "MATLAB_empty" : "format";
      put_attribute(file, name, attribute, is_class ? kClasses[bytes.next(6)] : nullptr, bytes.next(2));
    } else {
      put_dataset(file, name, bytes, kNames);
    }
  }
  H5Fclose(file);
  if (is_matlab) std::fstream(path, std::ios::in | std::ios::out | std::ios::binary) << "MATLAB 7.3 MAT-file";
  read_file(path, options);
  std::filesystem::remove(path);
  return 0;
}
