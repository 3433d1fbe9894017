// Reading and writing some rows of a two-dimensional dataset.
#include <fmt/format.h>

#include "hdf5/context.hpp"

namespace milcci::hdf5 {

namespace {

// Of the same rank as in the file: HDF5 pairs spaces of different rank value by value, several times slower.
Handle rows_in_memory(std::size_t count, std::size_t n_columns) {
  const hsize_t lengths[2] = {count, n_columns};
  return {H5Screate_simple(2, lengths, nullptr), H5Sclose};
}

}  // namespace

RealRows::RealRows(std::shared_ptr<Context> context, std::string path, Handle dataset, Shape shape)
    : context_(std::move(context)),
      path_(std::move(path)),
      dataset_(std::move(dataset)),
      shape_(std::move(shape)) {}

Handle RealRows::select(std::size_t first, std::size_t count) const {
  Handle space(H5Dget_space(dataset_.get()), H5Sclose);
  const hsize_t start[2] = {first, 0}, lengths[2] = {count, n_columns()};
  if (H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, start, nullptr, lengths, nullptr) < 0)
    fail_call(*context_, path_, fmt::format("rows {} to {} cannot be chosen", first, first + count));
  return space;
}

void RealRows::read(std::size_t first, std::size_t count, double* values) const {
  if (count * n_columns() == 0) return;
  const Handle memory = rows_in_memory(count, n_columns()), rows = select(first, count);
  read_values(*context_, path_, dataset_.get(), H5T_NATIVE_DOUBLE, values, {memory.get(), rows.get()});
}

void RealRows::write(std::size_t first, std::size_t count, const double* values) {
  if (count * n_columns() == 0) return;
  const Handle memory = rows_in_memory(count, n_columns()), rows = select(first, count);
  if (H5Dwrite(dataset_.get(), H5T_NATIVE_DOUBLE, memory.get(), rows.get(), H5P_DEFAULT, values) < 0)
    fail_call(*context_, path_, fmt::format("rows {} to {} cannot be written", first, first + count));
  check_written(*context_);
}

}  // namespace milcci::hdf5
