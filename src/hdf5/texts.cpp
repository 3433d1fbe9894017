// Reading texts, of which HDF5 keeps those of variable length in heaps without checksums (text_heap.hpp).
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "hdf5/context.hpp"

namespace milcci::hdf5 {

namespace {

// Memory for the texts of one read. Owning it ourselves means that a read that fails half way leaks
// nothing, and that a file whose million entries all point to one long text is stopped at the limit.
class TextMemory {
 public:
  explicit TextMemory(std::size_t limit) : left_(limit) {}

  static void* allocate(std::size_t size, void* self) noexcept {
    auto& memory = *static_cast<TextMemory*>(self);
    if (size > memory.left_) return nullptr;
    memory.left_ -= size;
    try {
      return memory.blocks_.emplace_back(new char[size]).get();
    } catch (...) {
      return nullptr;  // nothing may be thrown through C
    }
  }
  static void release(void*, void*) noexcept {}

 private:
  std::size_t left_;
  std::vector<std::unique_ptr<char[]>> blocks_;
};

// The user block, if any, comes before everything that has an address.
hsize_t base_of(hid_t file) {
  const Handle creation(H5Fget_create_plist(file), H5Pclose);
  hsize_t base = 0;
  H5Pget_userblock(creation.get(), &base);
  return base;
}

// Addresses and lengths of 8 bytes, as in nearly every file.
bool has_usual_sizes(hid_t file) {
  const Handle creation(H5Fget_create_plist(file), H5Pclose);
  std::size_t address_size = 0, length_size = 0;
  return H5Pget_sizes(creation.get(), &address_size, &length_size) >= 0 && address_size == 8 &&
         length_size == 8;
}

// Where the references to the texts lie in the file, some at a time.
struct Piece {
  std::uint64_t offset = 0;
  std::size_t count = 0;
  bool is_stored = true;  ///< a chunk that was never written holds empty texts
};

// In one piece, or in chunks that are not packed; nothing if they lie in another way.
std::optional<std::vector<Piece>> reference_pieces(hid_t dataset, std::size_t count) {
  const Handle creation(H5Dget_create_plist(dataset), H5Pclose);
  const haddr_t offset = H5Dget_offset(dataset);
  if (offset != HADDR_UNDEF) return {{{offset, count, true}}};
  hsize_t chunk = 0;
  const bool is_plain = H5Pget_layout(creation.get()) == H5D_CHUNKED &&
                        H5Pget_nfilters(creation.get()) == 0 && shape_of(dataset).size() == 1 &&
                        H5Pget_chunk(creation.get(), 1, &chunk) == 1 && chunk > 0;
  if (!is_plain) return {};
  std::vector<Piece> pieces;
  for (hsize_t first = 0; first < count; first += chunk) {
    unsigned mask = 0;
    haddr_t address = HADDR_UNDEF;
    hsize_t size = 0;
    if (H5Dget_chunk_info_by_coord(dataset, &first, &mask, &address, &size) < 0) return {};
    pieces.push_back({address, std::min<std::size_t>(chunk, count - first), address != HADDR_UNDEF});
  }
  return pieces;
}

}  // namespace

// One fixed-length text without its padding.
std::string unpadded(const char* text, std::size_t size, H5T_str_t padding) {
  std::string value(text, size);
  if (padding == H5T_STR_NULLTERM) return value.substr(0, value.find('\0'));
  const char pad = padding == H5T_STR_SPACEPAD ? ' ' : '\0';
  return value.substr(0, value.find_last_not_of(pad) + 1);
}

// Follows the references to variable-length texts without HDF5, which walks off its buffers when a heap is
// damaged. Nothing if the texts are not of that kind or the references lie in an unusual way.
std::optional<std::vector<std::string>> Group::follow_references(const std::string& name, hid_t dataset,
                                                                 std::size_t count) const {
  const Handle type(H5Dget_type(dataset), H5Tclose);
  if (H5Tis_variable_str(type.get()) <= 0 || !has_usual_sizes(context_->file.get())) return {};
  const auto pieces = reference_pieces(dataset, count);
  if (!pieces) return {};
  std::vector<std::string> texts;
  try {
    TextHeap heap(context_->descriptor.get(), context_->n_bytes, base_of(context_->file.get()));
    for (const Piece& piece : *pieces) {
      std::vector<std::string> some =
          piece.is_stored ? heap.read(piece.offset, piece.count) : std::vector<std::string>(piece.count);
      std::move(some.begin(), some.end(), std::back_inserter(texts));
    }
  } catch (const std::runtime_error& error) {
    fail(name, fmt::format("cannot be read, {}; the file is damaged", error.what()));
  }
  return texts;
}

std::vector<std::string> Group::read_texts(const std::string& name, hid_t dataset, std::size_t count) const {
  const Handle type(H5Dget_type(dataset), H5Tclose);
  std::vector<std::string> texts;
  if (count == 0) return texts;
  if (const auto followed = follow_references(name, dataset, count)) return *followed;
  const auto read = [&](hid_t memory_type, hid_t transfer, void* into) {
    read_values(*context_, path_of(name), dataset, memory_type, into, {}, transfer);
  };
  if (H5Tis_variable_str(type.get()) > 0) {
    TextMemory memory(context_->n_bytes + count);  // a text in memory is one byte longer than in the file
    const Handle transfer(H5Pcreate(H5P_DATASET_XFER), H5Pclose);
    H5Pset_vlen_mem_manager(transfer.get(), TextMemory::allocate, &memory, TextMemory::release, &memory);
    std::vector<char*> pointers(count, nullptr);
    read(text_type(H5Tget_cset(type.get())).get(), transfer.get(), pointers.data());
    for (const char* text : pointers) texts.emplace_back(text ? text : "");
  } else {
    const std::size_t size = H5Tget_size(type.get());
    std::vector<char> bytes(count * size);
    read(type.get(), H5P_DEFAULT, bytes.data());
    for (std::size_t i = 0; i < count; ++i)
      texts.push_back(unpadded(bytes.data() + i * size, size, H5Tget_strpad(type.get())));
  }
  return texts;
}

}  // namespace milcci::hdf5
