// A file that exists only in memory but has a path, and its reading under some options.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "milcci/error.hpp"
#include "milcci/read.hpp"

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

/// Trials or an Error; any other end is a finding.
inline void read_file(const std::string& path, const ReadOptions& options) {
  try {
    read_data(path, options);
  } catch (const Error&) {
  }
}

/// Options picked by one number.
inline ReadOptions options_of(std::uint8_t choice) {
  static const std::vector<std::vector<std::string>> kDims = {{},
                                                              {"trial", "channel", "time"},
                                                              {"channel", "time", "trial"},
                                                              {"time", "trial", "channel"},
                                                              {"channel", "time"}};
  ReadOptions options;
  options.dims = kDims[choice % kDims.size()];
  options.layout = static_cast<Layout>(choice / 8 % 4);
  options.absent = choice & 64 ? Absent::zero : Absent::missing;
  if (choice & 128) options.channel = "channel";
  return options;
}

}  // namespace milcci::fuzz
