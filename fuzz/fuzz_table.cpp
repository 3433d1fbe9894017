// Tables: the first byte chooses options, the rest is the file. A second table follows a byte 0x1E, with
// labels.
#include "file_in_memory.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace milcci::fuzz;
  static const FileInMemory table, labels;
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  milcci::ReadOptions options = table_options(data[0]);
  const std::size_t split = bytes.find('\x1E');
  table.write(bytes.substr(0, split));
  if (split != std::string_view::npos) {
    labels.write(bytes.substr(split + 1));
    options.labels = labels.path();
  }
  read_file(table.path(), options);
  return 0;
}
