// Reading values, with a look at chunks that filters packed.
//
// Each chunk says by a mask which filters were left out when it was written, and in the older format nothing
// protects that mask. HDF5 believes it: packed bytes are then taken for values, and where they are fewer than
// the chunk needs, so is what lies behind them in memory.
#include <fmt/format.h>

#include <algorithm>
#include <bitset>

#include "hdf5/context.hpp"

namespace milcci::hdf5 {

namespace {

constexpr std::size_t kMostFilters = 32;

struct Filters {
  std::size_t count = 0;
  std::bitset<kMostFilters> resizing;  ///< those after which a chunk has another size
};

Filters filters_of(const Context& context, const std::string& object, hid_t creation) {
  Filters filters;
  filters.count = static_cast<std::size_t>(std::max(H5Pget_nfilters(creation), 0));
  for (unsigned i = 0; i < std::min(filters.count, kMostFilters); ++i) {
    constexpr std::size_t kNameBytes = 64;
    char name[kNameBytes] = "";
    std::size_t n_values = 0;
    unsigned flags = 0;
    const H5Z_filter_t filter =
        H5Pget_filter2(creation, i, &flags, &n_values, nullptr, kNameBytes - 1, name, nullptr);
    if (filter < 0) fail_call(context, object, "its filters cannot be read; the file is damaged");
    if (H5Zfilter_avail(filter) <= 0)
      fail(context, object,
           fmt::format("is packed by filter {}{}, for which this HDF5 has no plugin; install it and name its "
                       "folder in HDF5_PLUGIN_PATH, or unpack the file where it is, with h5repack -f NONE",
                       filter, *name ? fmt::format(" ({})", name) : ""));
    if (filter != H5Z_FILTER_SHUFFLE) filters.resizing.set(i);
  }
  return filters;
}

// The corner of the next chunk between two others, the last axis fastest; false after the last.
bool advance(std::vector<hsize_t>& corner, const std::vector<hsize_t>& first,
             const std::vector<hsize_t>& last, const std::vector<hsize_t>& chunk) {
  for (std::size_t axis = corner.size(); axis-- > 0;) {
    corner[axis] += chunk[axis];
    if (corner[axis] <= last[axis]) return true;
    corner[axis] = first[axis];
  }
  return false;
}

void check_mask(const Context& context, const std::string& object, hid_t dataset,
                const std::vector<hsize_t>& corner, const Filters& filters, std::uint64_t raw_size) {
  hsize_t size = 0;
  haddr_t address = 0;
  unsigned mask = 0;
  // A chunk that is not there, or not to be found, is the reading's own affair.
  if (H5Dget_chunk_info_by_coord(dataset, corner.data(), &mask, &address, &size) < 0 || size == 0) return;
  if (size > context.n_bytes)
    fail(context, object, fmt::format("a chunk has {} bytes, more than the file; it is damaged", size));
  if (mask == 0) return;
  const std::bitset<kMostFilters> left_out(mask), applied = filters.resizing & ~left_out;
  const bool is_beyond = filters.count < kMostFilters && mask >> filters.count != 0;
  if (is_beyond || (applied.none() && size != raw_size))
    fail(context, object,
         fmt::format("a chunk of {} bytes says that its values, {} bytes, were not packed; the file is "
                     "damaged",
                     size, raw_size));
}

// All chunks that a selection touches.
void check_masks(const Context& context, const std::string& object, hid_t dataset, hid_t selection) {
  const Handle creation(H5Dget_create_plist(dataset), H5Pclose);
  if (H5Pget_nfilters(creation.get()) <= 0 || H5Pget_layout(creation.get()) != H5D_CHUNKED) return;
  const Filters filters = filters_of(context, object, creation.get());
  const Handle type(H5Dget_type(dataset), H5Tclose), space(H5Dget_space(dataset), H5Sclose);
  const auto rank = static_cast<std::size_t>(std::max(H5Sget_simple_extent_ndims(space.get()), 0));
  std::vector<hsize_t> chunk(rank), first(rank), last(rank);
  const hid_t chosen = selection == H5S_ALL ? space.get() : selection;
  if (rank == 0 || H5Pget_chunk(creation.get(), static_cast<int>(rank), chunk.data()) < 0 ||
      H5Sget_select_npoints(chosen) <= 0 || H5Sget_select_bounds(chosen, first.data(), last.data()) < 0)
    return;
  std::uint64_t raw_size = H5Tget_size(type.get());
  for (std::size_t axis = 0; axis < rank; ++axis) {
    raw_size *= chunk[axis];
    first[axis] -= first[axis] % chunk[axis];
  }
  std::vector<hsize_t> corner = first;
  do check_mask(context, object, dataset, corner, filters, raw_size);
  while (advance(corner, first, last, chunk));
}

}  // namespace

void read_values(const Context& context, const std::string& object, hid_t dataset, hid_t memory_type,
                 void* values, const Selection& selection, hid_t transfer) {
  check_masks(context, object, dataset, selection.file);
  if (H5Dread(dataset, memory_type, selection.memory, selection.file, transfer, values) < 0)
    fail_call(context, object, "cannot be read; the file is damaged");
}

}  // namespace milcci::hdf5
