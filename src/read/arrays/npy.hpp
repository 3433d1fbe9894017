// NumPy's file format for one array (NPY, versions 1 to 3).
#pragma once

#include <string>
#include <string_view>

#include "read/arrays/arrays.hpp"

namespace milcci::read {

/// What the header says, checked: type, shape and where the values begin.
struct NpyHeader {
  ItemKind kind = ItemKind::other;
  std::string other;  ///< why it cannot be used
  Scalar type = Scalar::f64;
  bool is_swapped = false;
  Order order = Order::last_fastest;
  Shape shape;
  std::size_t item_size = 0, begin = 0;
  bool is_utf32 = false;  ///< texts: of 4-byte characters, else bytes

  std::string description;  ///< of the type, as NumPy writes it
};

/// `start` is the beginning of the file, `n_bytes` the size of all of it. Throws Error(bad_file) if that is
/// no NPY header, or says that there is more than the file holds.
NpyHeader parse_npy_header(const std::string& path, std::string_view name, std::string_view start,
                           std::uint64_t n_bytes);
/// Enough bytes for any header of an array of numbers or texts.
inline constexpr std::uint64_t kMostNpyHeader = 65536 + 12;

NumberArray npy_numbers(const NpyHeader& header, std::shared_ptr<const std::string> bytes);
std::vector<std::string> npy_texts(const NpyHeader& header, const std::string& bytes);

}  // namespace milcci::read
