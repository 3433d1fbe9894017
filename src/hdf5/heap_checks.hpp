// What of HDF5's metadata has no checksum, looked at before the library believes it (read_driver.hpp).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace milcci::hdf5 {

class HeapChecks {
 public:
  /// Reads that many bytes from that place of the file; nothing if that fails.
  using Read = std::function<std::optional<std::string>(std::uint64_t address, std::uint64_t count)>;
  HeapChecks(std::uint64_t n_bytes, Read read) : n_bytes_(n_bytes), read_(std::move(read)) {}

  /// Bytes as the library is about to get them, and where they begin in the file. What is wrong with them;
  /// empty if nothing is. Values may look like anything; the library counts heaps of texts among them.
  std::string find_problem(std::uint64_t address, std::string_view bytes, bool are_values = false);

 private:
  bool has(std::uint64_t address, std::uint64_t count) const {
    return address <= n_bytes_ && count <= n_bytes_ - address;
  }
  void take_superblock(std::uint64_t address, std::string_view bytes);
  std::string find_in_local_heap(std::string_view bytes);
  std::string find_in_global_heap(std::uint64_t address, std::string_view bytes) const;
  std::string find_in_names(std::string_view bytes) const;
  std::string find_in_tree(std::string_view bytes) const;

  std::uint64_t n_bytes_;
  Read read_;
  std::uint64_t base_ = 0;           // where addresses count from: the end of the user block
  bool has_usual_sizes_ = true;      // addresses and lengths of 8 bytes, as in nearly every file
  std::uint64_t largest_names_ = 0;  // of all local heaps so far; that of a group comes before its names
};

}  // namespace milcci::hdf5
