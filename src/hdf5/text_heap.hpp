// Reads variable-length texts straight from the bytes of an HDF5 file.
//
// HDF5 keeps such texts in "global heaps", the one part of the format without checksums, and its library
// (1.10, and others) walks off its buffers when a heap is damaged. A wrong byte there must be an error, not
// the end of the program, so we read the heaps ourselves with every number checked. Format: "HDF5 File
// Format Specification" 3.0, III.E (global heap) and IV.A.2.d (variable-length datatype).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace milcci::hdf5 {

class TextHeap {
 public:
  /// Addresses within the file count from `base` (the end of its user block).
  TextHeap(int descriptor, std::uint64_t n_bytes, std::uint64_t base)
      : descriptor_(descriptor), n_bytes_(n_bytes), base_(base) {}

  /// The texts whose references (16 bytes each) begin `offset` bytes into the file. Throws
  /// std::runtime_error that says what is wrong.
  std::vector<std::string> read(std::uint64_t offset, std::size_t count);

 private:
  std::string read_bytes(std::uint64_t offset, std::uint64_t count, const char* what) const;
  void load(std::uint64_t address);

  struct Object {
    std::uint64_t begin = 0, size = 0;
    bool is_present = false;
  };

  int descriptor_;
  std::uint64_t n_bytes_, base_;
  // The heap read last; references follow one another heap by heap.
  std::uint64_t address_ = 0;
  std::string heap_;
  std::vector<Object> objects_;  // by their index
};

}  // namespace milcci::hdf5
