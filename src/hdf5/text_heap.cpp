#include "hdf5/text_heap.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <stdexcept>

namespace milcci::hdf5 {

namespace {

// Numbers in HDF5 metadata are little-endian on every machine.
std::uint64_t number_at(const std::string& bytes, std::uint64_t at, int size) {
  std::uint64_t number = 0;
  for (int i = size - 1; i >= 0; --i)
    number = number << 8 | static_cast<unsigned char>(bytes[at + static_cast<std::uint64_t>(i)]);
  return number;
}

}  // namespace

std::string TextHeap::read_bytes(std::uint64_t offset, std::uint64_t count, const char* what) const {
  if (offset > n_bytes_ || count > n_bytes_ - offset)
    throw std::runtime_error(fmt::format("{} would be bytes {} to {} of a file of {} bytes", what, offset,
                                         offset + count, n_bytes_));
  std::string bytes(count, '\0');
  for (std::uint64_t done = 0; done < count;) {
    const ssize_t n =
        pread(descriptor_, bytes.data() + done, count - done, static_cast<off_t>(offset + done));
    if (n <= 0) throw std::runtime_error(fmt::format("{} cannot be read", what));
    done += static_cast<std::uint64_t>(n);
  }
  return bytes;
}

// A heap: "GCOL", version, 3 bytes unused, its size; then objects, each with index, reference count, 4 bytes
// unused, size, and as many bytes, rounded up to a multiple of 8. Index 0 is the free rest.
void TextHeap::load(std::uint64_t address) {
  constexpr std::uint64_t kHeader = 16;
  if (!heap_.empty() && address == address_) return;
  heap_.clear();
  objects_.clear();
  if (address > n_bytes_) throw std::runtime_error(fmt::format("a text would be at byte {}", address));
  const std::string header = read_bytes(base_ + address, kHeader, "a heap of texts");
  const std::uint64_t size = number_at(header, 8, 8);
  if (!header.starts_with("GCOL") || header[4] != 1 || size < kHeader)
    throw std::runtime_error(fmt::format("there is no heap of texts at byte {}", base_ + address));
  std::string heap = read_bytes(base_ + address, size, "a heap of texts");
  for (std::uint64_t at = kHeader; size - at >= kHeader;) {
    const std::uint64_t index = number_at(heap, at, 2), length = number_at(heap, at + 8, 8);
    if (index == 0) break;
    at += kHeader;
    if (length > size - at)
      throw std::runtime_error(fmt::format("text {} of the heap at byte {} has {} bytes where {} are left",
                                           index, base_ + address, length, size - at));
    if (objects_.size() <= index) objects_.resize(index + 1);
    objects_[index] = {at, length, true};
    const std::uint64_t padded = (length + 7) / 8 * 8;
    if (padded >= size - at) break;
    at += padded;
  }
  heap_ = std::move(heap);
  address_ = address;
}

std::vector<std::string> TextHeap::read(std::uint64_t offset, std::size_t count) {
  constexpr std::uint64_t kReference = 16, kUndefined = UINT64_MAX;
  if (count > n_bytes_ / kReference) throw std::runtime_error("more texts than the file can hold");
  const std::string references = read_bytes(offset, count * kReference, "the references to its texts");
  // All texts of a file lie in it once, so more than that means references to the same text over and over.
  std::uint64_t left = n_bytes_;
  std::vector<std::string> texts;
  texts.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t length = number_at(references, i * kReference, 4);
    const std::uint64_t address = number_at(references, i * kReference + 4, 8);
    const std::uint64_t index = number_at(references, i * kReference + 12, 4);
    if (length == 0 || address == 0 || address == kUndefined) {
      texts.emplace_back();
      continue;
    }
    load(address);
    if (index >= objects_.size() || !objects_[index].is_present || length > objects_[index].size ||
        length > left)
      throw std::runtime_error(fmt::format("the reference to text {} is wrong", i));
    left -= length;
    const std::string text = heap_.substr(objects_[index].begin, length);
    texts.push_back(text.substr(0, text.find('\0')));
  }
  return texts;
}

}  // namespace milcci::hdf5
