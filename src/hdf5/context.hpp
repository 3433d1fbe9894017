// What the parts of an open HDF5 file share; only for the hdf5*.cpp files.
#pragma once

#include <mutex>
#include <utility>

#include "hdf5/hdf5.hpp"
#include "hdf5/text_heap.hpp"

namespace milcci::hdf5 {

/// HDF5 prints its errors to stderr by default; a library must not. Put back as it was at the end, since
/// the program around us may use HDF5 too.
class SilentErrors {
 public:
  SilentErrors();
  ~SilentErrors();
  SilentErrors(const SilentErrors&) = delete;
  SilentErrors& operator=(const SilentErrors&) = delete;

 private:
  H5E_auto2_t function_ = nullptr;
  void* data_ = nullptr;
};

/// An open file of the operating system.
class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept;
  ~Descriptor();
  int get() const { return number_; }

 private:
  int number_;
};

// Members are destroyed from the last to the first: the file closes while the lock is held.
struct Context {
  Context();
  std::unique_lock<std::recursive_mutex> lock;
  SilentErrors silent;
  std::string path;
  std::uint64_t n_bytes = 0;  ///< size of the file, when reading
  Descriptor descriptor;      ///< of the same file, when reading
  int write_error = 0;        ///< errno of the first write that failed, when writing
  /// What the checks found wrong first, when reading (read_driver.hpp); told once.
  mutable std::string read_problem;
  Handle file;
};

/// Throws Error(bad_file) with file, object and HDF5's own reason where it gave one.
[[noreturn]] void fail(const Context& context, const std::string& object, const std::string& message);
/// Throws if a write has failed so far.
void check_written(const Context& context);
/// As `fail`, with the reason of the HDF5 call that just failed.
[[noreturn]] void fail_call(const Context& context, const std::string& object, const std::string& message);

/// Reads some of a dataset. Throws if that fails, if HDF5 has no filter for it, or if a chunk that is read
/// says of itself that it was not packed and cannot be so (packed_chunks.cpp).
struct Selection {
  hid_t memory = H5S_ALL, file = H5S_ALL;
};
void read_values(const Context& context, const std::string& object, hid_t dataset, hid_t memory_type,
                 void* values, const Selection& selection = {}, hid_t transfer = H5P_DEFAULT);

Shape shape_of(hid_t dataset);
/// Access list with a cache of two chunks: trials of unequal length share chunks, and none should be fetched
/// twice. `chunk` is its shape in reals.
Handle chunk_cache_list(const hsize_t (&chunk)[2]);
/// One fixed-length text without its padding.
std::string unpadded(const char* text, std::size_t size, H5T_str_t padding);
/// Variable-length UTF-8 text.
Handle text_type(H5T_cset_t character_set = H5T_CSET_UTF8);

}  // namespace milcci::hdf5
