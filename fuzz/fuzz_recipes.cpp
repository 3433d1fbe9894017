// Files of public data sets: page views as table or JSON, or if the first byte is odd the same votes for
// every office.
#include <filesystem>

#include "file_in_memory.hpp"

namespace {

// A folder whose three tables are one file in memory.
std::string folder_of(const std::string& path) {
  std::string folder = (std::filesystem::temp_directory_path() / "milcci-fuzz-XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) std::abort();
  for (const char* office : {"president", "senate", "house"})
    std::filesystem::create_symlink(path, folder + "/" + office + ".csv");
  return folder;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace milcci::fuzz;
  static const FileInMemory file;
  static const std::string folder = folder_of(file.path());
  if (size == 0) return 0;
  file.write({reinterpret_cast<const char*>(data) + 1, size - 1});
  if (data[0] % 2 == 0)
    read_file(file.path(), {}, milcci::Recipe::pageviews);
  else
    read_file(folder, {}, milcci::Recipe::elections);
  return 0;
}
