// Reading all rows of a dataset by several threads. HDF5 reads with one; it tells where the chunks lie, and
// those that are stored plainly, as our own are, need nothing else of it. All others it reads itself.
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "hdf5/context.hpp"
#include "hdf5/fletcher32.hpp"
#include "util/parallel.hpp"

namespace milcci::hdf5 {

namespace {

constexpr std::size_t kChecksumBytes = 4;

struct PlainChunk {
  std::size_t first_row = 0, n_rows = 0;  ///< no rows: HDF5 must read it
  std::uint64_t address = 0;
  bool is_read = false;
};

// The chunks of a dataset are whole rows of doubles as this machine has them, one after the other, with a
// checksum or nothing behind them.
struct PlainLayout {
  std::size_t rows_per_chunk = 0, n_bytes = 0;
  bool has_checksum = false;
};

bool is_plain(hid_t file, hid_t dataset, std::size_t n_columns, PlainLayout& layout) {
  const Handle type(H5Dget_type(dataset), H5Tclose), creation(H5Dget_create_plist(dataset), H5Pclose),
      file_creation(H5Fget_create_plist(file), H5Pclose);
  hsize_t user_block = 0, chunk[2] = {0, 0};
  if (H5Pget_userblock(file_creation.get(), &user_block) < 0 || user_block != 0) return false;
  if (H5Tequal(type.get(), H5T_NATIVE_DOUBLE) <= 0 || H5Pget_layout(creation.get()) != H5D_CHUNKED ||
      H5Pget_chunk(creation.get(), 2, chunk) != 2 || chunk[0] == 0 || chunk[1] != n_columns)
    return false;
  const int n_filters = H5Pget_nfilters(creation.get());
  if (n_filters != 0 && n_filters != 1) return false;
  if (n_filters == 1) {
    unsigned flags = 0;
    std::size_t n_values = 0;
    const H5Z_filter_t filter =
        H5Pget_filter2(creation.get(), 0, &flags, &n_values, nullptr, 0, nullptr, nullptr);
    if (filter != H5Z_FILTER_FLETCHER32) return false;
  }
  layout.has_checksum = n_filters == 1;
  layout.rows_per_chunk = chunk[0];
  layout.n_bytes = chunk[0] * chunk[1] * sizeof(double);
  return true;
}

bool read_bytes(int descriptor, std::uint64_t address, std::span<std::byte> bytes) {
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t n =
        pread(descriptor, bytes.data() + done, bytes.size() - done, static_cast<off_t>(address + done));
    if (n <= 0) return false;
    done += static_cast<std::size_t>(n);
  }
  return true;
}

bool is_sound(std::span<const std::byte> bytes, const PlainLayout& layout) {
  if (!layout.has_checksum) return true;
  std::uint32_t checksum = 0;  // little-endian on every machine
  for (std::size_t i = kChecksumBytes; i-- > 0;)
    checksum = checksum << 8 | std::to_integer<std::uint32_t>(bytes[layout.n_bytes + i]);
  return has_fletcher32(bytes.first(layout.n_bytes), checksum);
}

// Calls take(piece, first, count) for the rows of [first, first + n) that each piece has.
template <class Take>
void for_pieces(std::span<const RowPiece> pieces, std::size_t first, std::size_t n, const Take& take) {
  auto piece = std::upper_bound(pieces.begin(), pieces.end(), first,
                                [](std::size_t row, const RowPiece& p) { return row < p.first; });
  if (piece != pieces.begin()) --piece;
  for (; piece != pieces.end() && piece->first < first + n; ++piece) {
    const std::size_t begin = std::max(first, piece->first),
                      end = std::min(first + n, piece->first + piece->count);
    if (begin < end) take(*piece, begin, end - begin);
  }
}

}  // namespace

void RealRows::read(std::span<const RowPiece> pieces, int threads) const {
  PlainLayout layout;
  if (n_columns() == 0 || !is_plain(context_->file.get(), dataset_.get(), n_columns(), layout)) {
    for (const RowPiece& piece : pieces) read(piece.first, piece.count, piece.values);
    return;
  }
  const std::size_t stored_bytes = layout.n_bytes + (layout.has_checksum ? kChecksumBytes : 0);
  std::vector<PlainChunk> chunks;
  for (std::size_t row = 0; row < n_rows(); row += layout.rows_per_chunk) {
    const hsize_t corner[2] = {row, 0};
    unsigned filter_mask = 0;
    haddr_t address = HADDR_UNDEF;
    hsize_t size = 0;
    const bool is_told =
        H5Dget_chunk_info_by_coord(dataset_.get(), corner, &filter_mask, &address, &size) >= 0;
    const bool is_stored = is_told && address != HADDR_UNDEF && filter_mask == 0 && size == stored_bytes &&
                           address <= context_->n_bytes && size <= context_->n_bytes - address;
    chunks.push_back({row, is_stored ? std::min(layout.rows_per_chunk, n_rows() - row) : 0, address, false});
  }
  H5Eclear2(H5E_DEFAULT);

  const int n_threads = resolve_threads(threads);
  std::vector<std::vector<std::byte>> buffers(static_cast<std::size_t>(n_threads));
  parallel_for(chunks.size(), n_threads, [&](std::size_t c, int thread) {
    PlainChunk& chunk = chunks[c];
    if (chunk.n_rows == 0) return;
    std::vector<std::byte>& buffer = buffers[static_cast<std::size_t>(thread)];
    buffer.resize(stored_bytes);
    if (!read_bytes(context_->descriptor.get(), chunk.address, buffer) || !is_sound(buffer, layout)) return;
    const std::size_t row_bytes = n_columns() * sizeof(double);
    for_pieces(pieces, chunk.first_row, chunk.n_rows,
               [&](const RowPiece& piece, std::size_t first, std::size_t count) {
                 std::memcpy(piece.values + (first - piece.first) * n_columns(),
                             buffer.data() + (first - chunk.first_row) * row_bytes, count * row_bytes);
               });
    chunk.is_read = true;
  });
  for (const PlainChunk& chunk : chunks)
    if (!chunk.is_read)
      for_pieces(pieces, chunk.first_row, layout.rows_per_chunk,
                 [&](const RowPiece& piece, std::size_t first, std::size_t count) {
                   read(first, count, piece.values + (first - piece.first) * n_columns());
                 });
}

}  // namespace milcci::hdf5
