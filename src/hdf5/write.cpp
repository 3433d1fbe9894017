// Writing values, dimensions and attributes, in the form that NetCDF-4 readers understand.
#include <fmt/format.h>
#include <hdf5_hl.h>

#include <algorithm>

#include "hdf5/context.hpp"
#include "milcci/error.hpp"

namespace milcci::hdf5 {

namespace {

// Link names are UTF-8; H5P_DEFAULT would call them ASCII.
Handle link_list() {
  Handle list(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
  H5Pset_char_encoding(list.get(), H5T_CSET_UTF8);
  return list;
}

// Without times of creation, the same content gives the same bytes.
Handle creation_list(hid_t list_class) {
  Handle list(H5Pcreate(list_class), H5Pclose);
  H5Pset_obj_track_times(list.get(), false);
  H5Pset_attr_creation_order(list.get(), H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
  if (list_class == H5P_GROUP_CREATE)
    H5Pset_link_creation_order(list.get(), H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
  return list;
}

Handle space_of(const Shape& shape) {
  if (shape.empty()) return {H5Screate(H5S_SCALAR), H5Sclose};
  const std::vector<hsize_t> lengths(shape.begin(), shape.end());
  return {H5Screate_simple(static_cast<int>(lengths.size()), lengths.data(), nullptr), H5Sclose};
}

// Stores the values in chunks with a checksum each.
void check_chunks(hid_t creation, const Shape& chunk) {
  const std::vector<hsize_t> lengths(chunk.begin(), chunk.end());
  H5Pset_chunk(creation, static_cast<int>(lengths.size()), lengths.data());
  H5Pset_fletcher32(creation);
  H5Pset_fill_time(creation, H5D_FILL_TIME_NEVER);  // every value will be written
}

// One chunk for everything, up to 64 MiB.
Shape chunk_of(Shape shape, std::size_t value_bytes) {
  constexpr std::size_t kMostBytes = std::size_t{1} << 26;
  std::size_t row_bytes = value_bytes;
  for (std::size_t i = 1; i < shape.size(); ++i) row_bytes *= shape[i];
  shape[0] = std::clamp<std::size_t>(kMostBytes / row_bytes, 1, shape[0]);
  return shape;
}

Shape shape_of(const Scales& scales) {
  Shape shape;
  for (const Scale* scale : scales) shape.push_back(scale->length);
  return shape;
}

// HDF5 texts end at a zero byte, so one within would lose what follows.
const char* checked_text(const std::string& text) {
  if (text.find('\0') != std::string::npos)
    throw Error(
        ErrorKind::bad_input,
        fmt::format("the text \"{}\" has a zero byte, which a file cannot hold; remove it", text.c_str()));
  return text.c_str();
}

std::vector<const char*> pointers_to(std::span<const std::string> texts) {
  std::vector<const char*> pointers;
  pointers.reserve(texts.size());
  for (const std::string& text : texts) pointers.push_back(checked_text(text));
  return pointers;
}

}  // namespace

Group Group::create_group(const std::string& name) {
  Handle group(H5Gcreate2(group_.get(), name.c_str(), link_list().get(),
                          creation_list(H5P_GROUP_CREATE).get(), H5P_DEFAULT),
               H5Gclose);
  if (!group.is_open()) fail_call(*context_, path_of(name), "the group cannot be created");
  return {context_, path_of(name), std::move(group)};
}

Handle Group::write_dataset(const std::string& name, hid_t file_type, hid_t memory_type, const void* values,
                            const Shape& shape) {
  const Handle creation = creation_list(H5P_DATASET_CREATE);
  if (values && !shape.empty() && H5Tget_class(file_type) != H5T_STRING)
    check_chunks(creation.get(), chunk_of(shape, H5Tget_size(file_type)));
  Handle dataset(H5Dcreate2(group_.get(), name.c_str(), file_type, space_of(shape).get(), link_list().get(),
                            creation.get(), H5P_DEFAULT),
                 H5Dclose);
  if (!dataset.is_open()) fail_call(*context_, path_of(name), "the dataset cannot be created");
  if (values && H5Dwrite(dataset.get(), memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) < 0)
    fail_call(*context_, path_of(name), "cannot be written");
  return dataset;
}

void Group::attach(const std::string& name, hid_t dataset, const Scales& scales) {
  for (unsigned i = 0; i < scales.size(); ++i)
    if (H5DSattach_scale(dataset, scales[i]->dataset.get(), i) < 0)
      fail_call(*context_, path_of(name), "its dimensions cannot be written");
}

Scale Group::write_scale(const std::string& name, std::span<const std::string> values) {
  const Handle type = text_type();
  Scale scale{write_dataset(name, type.get(), type.get(), pointers_to(values).data(), {values.size()}),
              values.size()};
  if (H5DSset_scale(scale.dataset.get(), name.c_str()) < 0)
    fail_call(*context_, path_of(name), "cannot be made a dimension");
  return scale;
}

Scale Group::write_scale(const std::string& name, std::span<const std::int64_t> values) {
  Scale scale{write_dataset(name, H5T_STD_I64LE, H5T_NATIVE_INT64, values.data(), {values.size()}),
              values.size()};
  if (H5DSset_scale(scale.dataset.get(), name.c_str()) < 0)
    fail_call(*context_, path_of(name), "cannot be made a dimension");
  return scale;
}

Scale Group::write_dimension(const std::string& name, std::size_t length) {
  // NetCDF-4 knows a dimension without variable by this text and never reads its values.
  const std::string mark = fmt::format("This is a netCDF dimension but not a netCDF variable.{:>10}", length);
  Scale scale{write_dataset(name, H5T_IEEE_F32BE, H5T_NATIVE_FLOAT, nullptr, {length}), length};
  if (H5DSset_scale(scale.dataset.get(), mark.c_str()) < 0)
    fail_call(*context_, path_of(name), "cannot be made a dimension");
  return scale;
}

void Group::write_reals(const std::string& name, std::span<const double> values, const Scales& scales) {
  const Handle dataset =
      write_dataset(name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, values.data(), shape_of(scales));
  attach(name, dataset.get(), scales);
}

void Group::write_integers(const std::string& name, std::span<const std::int64_t> values,
                           const Scales& scales) {
  const Handle dataset =
      write_dataset(name, H5T_STD_I64LE, H5T_NATIVE_INT64, values.data(), shape_of(scales));
  attach(name, dataset.get(), scales);
}

void Group::write_texts(const std::string& name, std::span<const std::string> values, const Scales& scales) {
  const Handle type = text_type();
  const Handle dataset =
      write_dataset(name, type.get(), type.get(), pointers_to(values).data(), shape_of(scales));
  attach(name, dataset.get(), scales);
}

void Group::write_text(const std::string& name, const std::string& value) {
  write_texts(name, {&value, 1}, {});
}

RealRows Group::create_rows(const std::string& name, const Scales& scales, std::size_t chunk_rows) {
  const Shape shape = shape_of(scales);
  const Handle creation = creation_list(H5P_DATASET_CREATE);
  const hsize_t chunk[2] = {chunk_rows, shape[1]};
  if (chunk[0] > 0 && chunk[1] > 0) check_chunks(creation.get(), {chunk_rows, shape[1]});
  Handle dataset(H5Dcreate2(group_.get(), name.c_str(), H5T_IEEE_F64LE, space_of(shape).get(),
                            link_list().get(), creation.get(), chunk_cache_list(chunk).get()),
                 H5Dclose);
  if (!dataset.is_open()) fail_call(*context_, path_of(name), "the dataset cannot be created");
  attach(name, dataset.get(), scales);
  return {context_, path_of(name), std::move(dataset), shape};
}

void Group::write_attribute(const std::string& object, const std::string& name, hid_t file_type,
                            hid_t memory_type, const void* value) {
  const Handle owner = open_object(object);
  const Handle attribute(
      H5Acreate2(owner.get(), name.c_str(), file_type, space_of({}).get(), H5P_DEFAULT, H5P_DEFAULT),
      H5Aclose);
  if (!attribute.is_open() || H5Awrite(attribute.get(), memory_type, value) < 0)
    fail_call(*context_, path_of(object), fmt::format("its attribute `{}` cannot be written", name));
}

void Group::write_attribute(const std::string& object, const std::string& name, const std::string& value) {
  const Handle type = text_type();
  const char* text = checked_text(value);
  write_attribute(object, name, type.get(), type.get(), &text);
}

void Group::write_fixed_attribute(const std::string& object, const std::string& name,
                                  const std::string& value) {
  const Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type.get(), value.size());
  H5Tset_strpad(type.get(), H5T_STR_NULLPAD);
  write_attribute(object, name, type.get(), type.get(), value.c_str());
}

void Group::write_attribute(const std::string& object, const std::string& name, std::int64_t value) {
  write_attribute(object, name, H5T_STD_I64LE, H5T_NATIVE_INT64, &value);
}

void Group::write_attribute(const std::string& object, const std::string& name, std::uint64_t value) {
  write_attribute(object, name, H5T_STD_U64LE, H5T_NATIVE_UINT64, &value);
}

void Group::write_attribute(const std::string& object, const std::string& name, double value) {
  write_attribute(object, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, &value);
}

}  // namespace milcci::hdf5
