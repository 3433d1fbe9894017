// MATLAB files of version 5: the first byte chooses options, the second the byte order; the rest follows the
// header.
#include "file_in_memory.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace milcci::fuzz;
  static const FileInMemory file;
  if (size < 2) return 0;
  std::string bytes = "MATLAB 5.0 MAT-file";
  bytes.resize(124, ' ');
  bytes += data[1] & 1 ? std::string("\1\0MI", 4) : std::string("\0\1IM", 4);
  bytes.append(reinterpret_cast<const char*>(data) + 2, size - 2);
  file.write(bytes);
  read_file(file.path(), array_options(data[0]));
  return 0;
}
