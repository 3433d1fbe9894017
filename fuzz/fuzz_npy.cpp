// NPY and NPZ: the first byte chooses options, the rest is the file.
#include "file_in_memory.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace milcci::fuzz;
  static const FileInMemory file;
  if (size == 0) return 0;
  file.write({reinterpret_cast<const char*>(data) + 1, size - 1});
  read_file(file.path(), array_options(data[0]));
  return 0;
}
