#include "hdf5/heap_checks.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace milcci::hdf5 {

namespace {

constexpr std::uint64_t kObjectHeader = 16;  // of an object in a heap of texts

// Little-endian on every machine.
std::uint64_t number_at(std::string_view bytes, std::size_t at, std::size_t size = 8) {
  std::uint64_t number = 0;
  for (std::size_t i = size; i-- > 0;) number = number << 8 | static_cast<unsigned char>(bytes[at + i]);
  return number;
}

// Objects, each with index, reference count, 4 bytes unused and size, and as many bytes, rounded up to a
// multiple of 8. Index 0 is free room, whose size counts its header.
std::string find_in_objects(std::string_view heap) {
  for (std::uint64_t at = kObjectHeader; heap.size() - at >= kObjectHeader;) {
    const std::uint64_t index = number_at(heap, at, 2), length = number_at(heap, at + 8);
    const std::uint64_t left = heap.size() - at - (index == 0 ? 0 : kObjectHeader);
    const std::uint64_t padded = index == 0 ? length : (length + 7) / 8 * 8;
    if (length > left || padded > left || (index == 0 && length < kObjectHeader))
      return fmt::format("object {} of a heap has {} bytes where {} are left", index, length, left);
    at = heap.size() - left + padded;
  }
  return "";
}

}  // namespace

std::string HeapChecks::find_problem(std::uint64_t address, std::string_view bytes, bool are_values) {
  using std::literals::operator""sv;
  constexpr std::size_t kSuperblock = 16, kLeast = 32;
  const bool is_superblock = bytes.starts_with("\x89HDF\r\n\x1a\n") && bytes.size() >= kSuperblock;
  if (is_superblock && !are_values) take_superblock(address, bytes);
  if (bytes.size() < kLeast || !has_usual_sizes_) return "";
  if (bytes.starts_with("GCOL\1\0\0\0"sv)) return find_in_global_heap(address, bytes);
  if (are_values) return "";
  if (bytes.starts_with("HEAP\0\0\0\0"sv)) return find_in_local_heap(bytes);
  if (bytes.starts_with("SNOD\1\0"sv)) return find_in_names(bytes);
  if (bytes.starts_with("TREE\0"sv)) return find_in_tree(bytes);
  return "";
}

void HeapChecks::take_superblock(std::uint64_t address, std::string_view bytes) {
  constexpr std::size_t kOldSizes = 13, kNewSizes = 9;
  base_ = address;
  const std::size_t at = bytes[8] < 2 ? kOldSizes : kNewSizes;
  has_usual_sizes_ = bytes[at] == 8 && bytes[at + 1] == 8;
}

// Names of a group: sizes, the first piece of free room, and where the names are. Each piece of free room
// begins with the place of the next, 1 for none, and its size.
std::string HeapChecks::find_in_local_heap(std::string_view bytes) {
  constexpr std::uint64_t kNone = 1, kPiece = 16, kMostPieces = 1 << 16;
  const std::uint64_t size = number_at(bytes, 8), address = base_ + number_at(bytes, 24);
  std::uint64_t place = number_at(bytes, 16), n_pieces = 0;
  if (!has(address, size))
    return fmt::format("a heap of names would be {} bytes at byte {}, more than the file has", size, address);
  largest_names_ = std::max(largest_names_, size);
  while (place != kNone) {
    if (size < kPiece || place > size - kPiece || ++n_pieces > kMostPieces)
      return fmt::format("the free room of a heap of {} bytes would be at its byte {}", size, place);
    const std::optional<std::string> piece = read_(address + place, kPiece);
    if (!piece) return "a heap of names cannot be read";
    place = number_at(*piece, 0);
  }
  return "";
}

std::string HeapChecks::find_in_global_heap(std::uint64_t address, std::string_view bytes) const {
  const std::uint64_t size = number_at(bytes, 8);
  if (size >= kObjectHeader && size <= bytes.size()) return find_in_objects(bytes.substr(0, size));
  if (size < kObjectHeader || !has(address, size))
    return fmt::format("a heap would be {} bytes at byte {}", size, address);
  const std::optional<std::string> whole = read_(address, size);
  return whole ? find_in_objects(*whole) : "a heap cannot be read";
}

// The entries of a group, each with the place of its name in the group's heap.
std::string HeapChecks::find_in_names(std::string_view bytes) const {
  constexpr std::size_t kHeader = 8, kEntry = 40;
  const std::uint64_t n_entries = number_at(bytes, 6, 2);
  if (n_entries > (bytes.size() - kHeader) / kEntry)
    return fmt::format("a table of names has {} entries in {} bytes", n_entries, bytes.size());
  for (std::uint64_t i = 0; i < n_entries && largest_names_ > 0; ++i)
    if (const std::uint64_t place = number_at(bytes, kHeader + i * kEntry); place >= largest_names_)
      return fmt::format("a name would be at byte {} of a heap of {}", place, largest_names_);
  return "";
}

// Of a group: the place of a name in its heap before and after each child.
std::string HeapChecks::find_in_tree(std::string_view bytes) const {
  constexpr std::size_t kHeader = 24, kEntry = 16, kKey = 8;
  const std::uint64_t n_entries = number_at(bytes, 6, 2);
  if (bytes.size() < kHeader + kKey || n_entries > (bytes.size() - kHeader - kKey) / kEntry)
    return fmt::format("a tree of names has {} entries in {} bytes", n_entries, bytes.size());
  for (std::uint64_t i = 0; i <= n_entries && largest_names_ > 0; ++i)
    if (const std::uint64_t place = number_at(bytes, kHeader + i * kEntry); place >= largest_names_)
      return fmt::format("a name would be at byte {} of a heap of {}", place, largest_names_);
  return "";
}

}  // namespace milcci::hdf5
