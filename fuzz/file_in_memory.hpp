// A file that exists only in memory but has a path, and its reading under some options.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "milcci/check.hpp"
#include "milcci/error.hpp"
#include "milcci/recipes.hpp"

namespace milcci::fuzz {

class FileInMemory {
 public:
  FileInMemory()
      : descriptor_(memfd_create("fuzz", 0)), path_("/proc/self/fd/" + std::to_string(descriptor_)) {
    if (descriptor_ < 0) std::abort();
  }
  const std::string& path() const { return path_; }

  void write(std::string_view bytes) const {
    if (ftruncate(descriptor_, 0) != 0 ||
        pwrite(descriptor_, bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
      std::abort();
  }

 private:
  int descriptor_;
  std::string path_;
};

/// Trials that can be told about, or an Error; any other end is a finding.
inline void read_file(const std::string& path, const ReadOptions& options, Recipe recipe = Recipe::none) {
  try {
    const Check found = check(read_with(recipe, path, options).trials);
    to_text(found);
    to_json(found);
  } catch (const Error&) {
  }
}

/// Options of files of arrays, and of tables, picked by one number.
inline ReadOptions array_options(std::uint8_t choice) {
  static const std::vector<std::vector<std::string>> kDims = {{},
                                                              {"trial", "channel", "time"},
                                                              {"channel", "time", "trial"},
                                                              {"time", "trial", "channel"},
                                                              {"channel", "time"}};
  ReadOptions options;
  options.dims = kDims[choice % kDims.size()];
  if (choice & 128) options.channel = "channel";
  return options;
}
inline ReadOptions table_options(std::uint8_t choice) {
  ReadOptions options;
  options.layout = static_cast<Layout>(choice / 8 % 4);
  options.absent = choice & 64 ? Absent::zero : Absent::missing;
  if (choice & 128) options.channel = "channel";
  return options;
}

}  // namespace milcci::fuzz
