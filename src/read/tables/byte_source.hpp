// The bytes of a file from beginning to end, unpacked if it is gzip. Never more than a block in memory.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

namespace milcci::read {

class ByteSource {
 public:
  virtual ~ByteSource() = default;
  /// Up to `n` bytes; fewer only at the end, 0 after it. Throws Error(bad_file) if the file cannot be read or
  /// its packing is damaged.
  virtual std::size_t read(char* bytes, std::size_t n) = 0;
};

/// Throws Error(bad_file) if there is no such regular file that can be read.
std::unique_ptr<ByteSource> open_source(const std::string& path);

}  // namespace milcci::read
