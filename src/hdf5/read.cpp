// Reading values and attributes, each checked for type, rank, shape and size before memory is taken.
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "hdf5/context.hpp"

namespace milcci::hdf5 {

namespace {

const char* name_of(H5T_class_t type_class) {
  switch (type_class) {
    case H5T_INTEGER:
      return "integers";
    case H5T_FLOAT:
      return "real numbers";
    case H5T_STRING:
      return "texts";
    case H5T_COMPOUND:
      return "compounds";
    case H5T_ENUM:
      return "an enumeration";
    default:
      return "values of another type";
  }
}

const char* name_of(ValueType type) {
  return type == ValueType::real ? "numbers" : type == ValueType::integer ? "integers" : "texts";
}

bool suits(H5T_class_t found, ValueType expected) {
  const bool is_integer = found == H5T_INTEGER || found == H5T_ENUM;  // h5py's booleans are enumerations
  if (expected == ValueType::text) return found == H5T_STRING;
  return is_integer || (expected == ValueType::real && found == H5T_FLOAT);
}

std::size_t product(const Shape& shape) {
  std::size_t n = 1;
  for (const std::size_t length : shape) n *= length;
  return n;
}

}  // namespace

Handle Group::open_dataset(const std::string& name, hid_t access) const {
  if (!has(name)) fail(name, "there is no such dataset; the file is incomplete or was changed by hand");
  Handle dataset(H5Dopen2(group_.get(), name.c_str(), access), H5Dclose);
  if (!dataset.is_open()) fail_call(*context_, path_of(name), "is not a dataset that can be opened");
  return dataset;
}

void Group::check_shape(const std::string& name, const Shape& found, const Shape& expected) const {
  bool agrees = found.size() == expected.size();
  for (std::size_t i = 0; agrees && i < found.size(); ++i)
    agrees = expected[i] == kAny || expected[i] == found[i];
  if (!agrees)
    fail(name, fmt::format("its shape is {}, must be {}", hdf5::to_text(found), hdf5::to_text(expected)));
}

void Group::check_type(const std::string& name, hid_t dataset, ValueType expected) const {
  const Handle type(H5Dget_type(dataset), H5Tclose);
  const H5T_class_t found = H5Tget_class(type.get());
  if (!suits(found, expected))
    fail(name, fmt::format("holds {}, must hold {}", name_of(found), name_of(expected)));
}

// A chunk is held in memory as a whole, whatever part of it is read.
void Group::check_chunk(const std::string& name, hid_t dataset, std::size_t item_size,
                        std::uint64_t allowed) const {
  hsize_t chunk[H5S_MAX_RANK] = {};
  const Handle creation(H5Dget_create_plist(dataset), H5Pclose);
  const bool is_chunked = H5Pget_layout(creation.get()) == H5D_CHUNKED;
  const int rank = is_chunked ? H5Pget_chunk(creation.get(), H5S_MAX_RANK, chunk) : 0;
  std::uint64_t left = allowed / std::max<std::uint64_t>(item_size, 1);
  const Handle space(H5Dget_space(dataset), H5Sclose);
  hsize_t most[H5S_MAX_RANK] = {};
  if (rank > 0) H5Sget_simple_extent_dims(space.get(), nullptr, most);
  for (int i = 0; i < rank; ++i) {
    // HDF5 believes the size of a packed chunk, and reads beyond what was unpacked.
    if (most[i] != H5S_UNLIMITED && most[i] > 0 && chunk[i] > most[i])
      fail(name, "is stored in chunks larger than itself; the file is damaged");
    if (chunk[i] > left)
      fail(name,
           fmt::format("is stored in chunks larger than a file of {} bytes can fill; store it in smaller "
                       "ones, such as with h5repack -l CHUNK=...",
                       context_->n_bytes));
    left /= std::max<hsize_t>(chunk[i], 1);
  }
}

// A few bytes of metadata can declare a dataset of any size. Values in plain storage cannot be larger than
// the file; compressed ones not larger than what the strongest usual compression (deflate) could unfold.
void Group::check_size(const std::string& name, hid_t dataset, const Shape& shape) const {
  constexpr std::uint64_t kAlwaysAllowed = std::uint64_t{1} << 24, kMostCompression = 1100;
  const Handle creation(H5Dget_create_plist(dataset), H5Pclose);
  const Handle type(H5Dget_type(dataset), H5Tclose);
  if (H5Pget_layout(creation.get()) == H5D_VIRTUAL || H5Pget_external_count(creation.get()) > 0)
    fail(name, "its values are in another file, must be in this one; copy the data into it");
  const std::uint64_t stored =
      H5Pget_nfilters(creation.get()) > 0
          ? std::min(H5Dget_storage_size(dataset), hsize_t{context_->n_bytes}) * kMostCompression
          : context_->n_bytes;
  const std::uint64_t allowed = std::max(kAlwaysAllowed, stored);
  check_chunk(name, dataset, H5Tget_size(type.get()), allowed);
  std::uint64_t left = allowed / std::max<std::uint64_t>(H5Tget_size(type.get()), 1);
  for (const std::size_t length : shape) {
    if (length > left)
      fail(name,
           fmt::format("declares {} values of {} bytes, more than a file of {} bytes can hold; the file is "
                       "damaged or incomplete",
                       hdf5::to_text(shape), H5Tget_size(type.get()), context_->n_bytes));
    left /= std::max<std::size_t>(length, 1);
  }
}

Shape Group::checked_shape(const std::string& name, hid_t dataset, ValueType type,
                           const Shape& expected) const {
  const Shape found = shape_of(dataset);
  check_type(name, dataset, type);
  check_shape(name, found, expected);
  check_size(name, dataset, found);
  return found;
}

ValueType Group::value_type(const std::string& name) const {
  const Handle dataset = open_dataset(name);
  const Handle type(H5Dget_type(dataset.get()), H5Tclose);
  const H5T_class_t found = H5Tget_class(type.get());
  for (const ValueType candidate : {ValueType::text, ValueType::integer, ValueType::real})
    if (suits(found, candidate)) return candidate;
  fail(name, fmt::format("holds {}, must hold numbers or texts", name_of(found)));
}

Shape Group::shape(const std::string& name) const {
  return shape_of(open_dataset(name).get());
}

std::vector<double> Group::read_reals(const std::string& name, const Shape& expected) const {
  const Handle dataset = open_dataset(name);
  std::vector<double> values(product(checked_shape(name, dataset.get(), ValueType::real, expected)));
  if (!values.empty()) read_values(*context_, path_of(name), dataset.get(), H5T_NATIVE_DOUBLE, values.data());
  return values;
}

std::vector<std::int64_t> Group::read_integers(const std::string& name, const Shape& expected) const {
  const Handle dataset = open_dataset(name);
  std::vector<std::int64_t> values(product(checked_shape(name, dataset.get(), ValueType::integer, expected)));
  const Handle type(H5Dget_type(dataset.get()), H5Tclose);
  const bool is_large_unsigned =
      H5Tget_size(type.get()) >= sizeof(std::int64_t) && H5Tget_sign(type.get()) == H5T_SGN_NONE;
  const hid_t memory_type = is_large_unsigned ? H5T_NATIVE_UINT64 : H5T_NATIVE_INT64;
  if (!values.empty()) read_values(*context_, path_of(name), dataset.get(), memory_type, values.data());
  // Read as unsigned, what does not fit shows as negative.
  if (is_large_unsigned && std::any_of(values.begin(), values.end(), [](auto v) { return v < 0; }))
    fail(name, fmt::format("holds an integer above {}", std::numeric_limits<std::int64_t>::max()));
  return values;
}

std::vector<std::string> Group::read_texts(const std::string& name, std::size_t expected) const {
  const Handle dataset = open_dataset(name);
  const Shape shape = checked_shape(name, dataset.get(), ValueType::text, {expected});
  return read_texts(name, dataset.get(), shape.front());
}

std::string Group::read_text(const std::string& name) const {
  const Handle dataset = open_dataset(name);
  checked_shape(name, dataset.get(), ValueType::text, {});
  return read_texts(name, dataset.get(), 1).front();
}

RealRows Group::open_rows(const std::string& name, const Shape& expected) const {
  Handle dataset = open_dataset(name);
  const Shape shape = checked_shape(name, dataset.get(), ValueType::real, expected);
  const Handle creation(H5Dget_create_plist(dataset.get()), H5Pclose);
  hsize_t chunk[2] = {0, 0};
  if (H5Pget_layout(creation.get()) == H5D_CHUNKED && H5Pget_chunk(creation.get(), 2, chunk) == 2) {
    dataset = Handle();  // an open dataset keeps the cache it was opened with
    dataset = open_dataset(name, chunk_cache_list(chunk).get());
  }
  return {context_, path_of(name), std::move(dataset), shape};
}

Handle Group::open_object(const std::string& object) const {
  Handle opened(H5Oopen(group_.get(), object.c_str(), H5P_DEFAULT), H5Oclose);
  if (!opened.is_open()) fail_call(*context_, path_of(object), "cannot be opened; the file is damaged");
  return opened;
}

bool Group::has_attribute(const std::string& object, const std::string& name) const {
  const htri_t exists = H5Aexists_by_name(group_.get(), object.c_str(), name.c_str(), H5P_DEFAULT);
  if (exists < 0) fail_call(*context_, path_of(object), "cannot be opened; the file is damaged");
  return exists > 0;
}

std::string Group::read_text_attribute(const std::string& object, const std::string& name) const {
  const Handle owner = open_object(object);
  const Handle attribute(H5Aopen(owner.get(), name.c_str(), H5P_DEFAULT), H5Aclose);
  if (!attribute.is_open()) fail(object, fmt::format("has no attribute `{}`", name));
  const Handle type(H5Aget_type(attribute.get()), H5Tclose), space(H5Aget_space(attribute.get()), H5Sclose);
  if (H5Tget_class(type.get()) != H5T_STRING || H5Sget_simple_extent_npoints(space.get()) != 1)
    fail(object, fmt::format("its attribute `{}` is not a text, must be one", name));
  const std::string cannot = fmt::format("its attribute `{}` cannot be read; the file is damaged", name);
  const std::size_t size = H5Tget_size(type.get());
  if (H5Tis_variable_str(type.get()) > 0) {
    char* text = nullptr;
    const Handle memory_type = text_type(H5Tget_cset(type.get()));
    if (H5Aread(attribute.get(), memory_type.get(), &text) < 0) fail_call(*context_, path_of(object), cannot);
    const std::string value = text ? text : "";
    H5Dvlen_reclaim(memory_type.get(), space.get(), H5P_DEFAULT, &text);
    return value;
  }
  if (size > context_->n_bytes) fail(object, cannot);
  std::vector<char> bytes(size);
  if (H5Aread(attribute.get(), type.get(), bytes.data()) < 0) fail_call(*context_, path_of(object), cannot);
  return unpadded(bytes.data(), size, H5Tget_strpad(type.get()));
}

std::int64_t Group::read_integer_attribute(const std::string& object, const std::string& name) const {
  const Handle owner = open_object(object);
  const Handle attribute(H5Aopen(owner.get(), name.c_str(), H5P_DEFAULT), H5Aclose);
  if (!attribute.is_open()) fail(object, fmt::format("has no attribute `{}`", name));
  const Handle type(H5Aget_type(attribute.get()), H5Tclose), space(H5Aget_space(attribute.get()), H5Sclose);
  if (H5Tget_class(type.get()) != H5T_INTEGER || H5Sget_simple_extent_npoints(space.get()) != 1)
    fail(object, fmt::format("its attribute `{}` is not an integer, must be one", name));
  std::int64_t value = 0;
  if (H5Aread(attribute.get(), H5T_NATIVE_INT64, &value) < 0)
    fail_call(*context_, path_of(object), fmt::format("its attribute `{}` cannot be read", name));
  return value;
}

double Group::read_real_attribute(const std::string& object, const std::string& name) const {
  const Handle owner = open_object(object);
  const Handle attribute(H5Aopen(owner.get(), name.c_str(), H5P_DEFAULT), H5Aclose);
  if (!attribute.is_open()) fail(object, fmt::format("has no attribute `{}`", name));
  const Handle type(H5Aget_type(attribute.get()), H5Tclose), space(H5Aget_space(attribute.get()), H5Sclose);
  const H5T_class_t found = H5Tget_class(type.get());
  if ((found != H5T_FLOAT && found != H5T_INTEGER) || H5Sget_simple_extent_npoints(space.get()) != 1)
    fail(object, fmt::format("its attribute `{}` is not a number, must be one", name));
  double value = 0;
  if (H5Aread(attribute.get(), H5T_NATIVE_DOUBLE, &value) < 0)
    fail_call(*context_, path_of(object), fmt::format("its attribute `{}` cannot be read", name));
  return value;
}

}  // namespace milcci::hdf5
