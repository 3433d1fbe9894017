// Looking around in HDF5 files that are not ours, where anything may be anywhere.
#include <fmt/format.h>

#include <algorithm>

#include "hdf5/context.hpp"

namespace milcci::hdf5 {

namespace {

// The first version of this structure has addresses in all versions of HDF5.
#if H5_VERSION_GE(1, 12, 0)
using ObjectInfo = H5O_info1_t;
#else
using ObjectInfo = H5O_info_t;
#endif

// Called for every link of a group. Nothing may be thrown through C.
herr_t add_child(hid_t group, const char* name, const H5L_info_t* link, void* children) {
  try {
    if (link->type != H5L_TYPE_HARD && link->type != H5L_TYPE_SOFT) return 0;
    if (link->type == H5L_TYPE_SOFT && H5Oexists_by_name(group, name, H5P_DEFAULT) <= 0) return 0;
    ObjectInfo info;
    if (H5Oget_info_by_name2(group, name, &info, H5O_INFO_BASIC, H5P_DEFAULT) < 0) return 0;
    if (info.type == H5O_TYPE_GROUP || info.type == H5O_TYPE_DATASET)
      static_cast<std::vector<Child>*>(children)->push_back({name, info.type == H5O_TYPE_GROUP, info.addr});
    return 0;
  } catch (...) {
    return -1;
  }
}

hid_t native_type(bool is_real, bool is_signed, std::size_t size) {
  if (is_real) return size == 4 ? H5T_NATIVE_FLOAT : H5T_NATIVE_DOUBLE;
  switch (size) {
    case 1:
      return is_signed ? H5T_NATIVE_INT8 : H5T_NATIVE_UINT8;
    case 2:
      return is_signed ? H5T_NATIVE_INT16 : H5T_NATIVE_UINT16;
    case 4:
      return is_signed ? H5T_NATIVE_INT32 : H5T_NATIVE_UINT32;
    default:
      return is_signed ? H5T_NATIVE_INT64 : H5T_NATIVE_UINT64;
  }
}

std::size_t product(const Shape& shape) {
  std::size_t n = 1;
  for (const std::size_t length : shape) n *= length;
  return n;
}

}  // namespace

std::vector<Child> Group::children() const {
  std::vector<Child> listed;
  hsize_t start = 0;
  if (H5Literate(group_.get(), H5_INDEX_CRT_ORDER, H5_ITER_INC, &start, add_child, &listed) < 0) {
    listed.clear();
    start = 0;
    if (H5Literate(group_.get(), H5_INDEX_NAME, H5_ITER_INC, &start, add_child, &listed) < 0)
      fail_call(*context_, path_, "cannot be listed");
  }
  return listed;
}

std::uint64_t Group::address() const {
  ObjectInfo info;
  if (H5Oget_info2(group_.get(), &info, H5O_INFO_BASIC) < 0)
    fail_call(*context_, path_, "cannot be looked up");
  return info.addr;
}

bool Group::is_dataset(const std::string& name) const {
  ObjectInfo info;
  return has(name) &&
         H5Oget_info_by_name2(group_.get(), name.c_str(), &info, H5O_INFO_BASIC, H5P_DEFAULT) >= 0 &&
         info.type == H5O_TYPE_DATASET;
}

std::optional<ValueType> Group::find_value_type(const std::string& name) const {
  const Handle dataset = open_dataset(name);
  const Handle type(H5Dget_type(dataset.get()), H5Tclose);
  switch (H5Tget_class(type.get())) {
    case H5T_INTEGER:
    case H5T_ENUM:
      return ValueType::integer;
    case H5T_FLOAT:
      return ValueType::real;
    case H5T_STRING:
      return ValueType::text;
    default:
      return {};
  }
}

std::map<std::int64_t, std::string> Group::enumeration(const std::string& name) const {
  const Handle dataset = open_dataset(name);
  const Handle type(H5Dget_type(dataset.get()), H5Tclose);
  std::map<std::int64_t, std::string> names;
  if (H5Tget_class(type.get()) != H5T_ENUM) return names;
  const Handle base(H5Tget_super(type.get()), H5Tclose);
  const int n_members = H5Tget_nmembers(type.get());
  if (n_members < 0 || H5Tget_size(base.get()) > sizeof(std::int64_t))
    fail_call(*context_, path_of(name), "its enumeration cannot be read; the file is damaged");
  for (unsigned i = 0; i < static_cast<unsigned>(n_members); ++i) {
    std::int64_t value = 0;
    char* text = H5Tget_member_name(type.get(), i);
    const bool is_read = text && H5Tget_member_value(type.get(), i, &value) >= 0 &&
                         H5Tconvert(base.get(), H5T_NATIVE_INT64, 1, &value, nullptr, H5P_DEFAULT) >= 0;
    if (is_read) names.emplace(value, text);
    H5free_memory(text);
    if (!is_read) fail_call(*context_, path_of(name), "its enumeration cannot be read; the file is damaged");
  }
  return names;
}

bool Group::holds_references(const std::string& name) const {
  const Handle dataset = open_dataset(name);
  const Handle type(H5Dget_type(dataset.get()), H5Tclose);
  return H5Tequal(type.get(), H5T_STD_REF_OBJ) > 0;
}

std::vector<std::string> Group::read_references(const std::string& name) const {
  const Handle dataset = open_dataset(name);
  const Shape shape = shape_of(dataset.get());
  if (!holds_references(name)) fail(name, "holds no references to other datasets");
  check_size(name, dataset.get(), shape);
  std::vector<hobj_ref_t> references(product(shape));
  if (!references.empty())
    read_values(*context_, path_of(name), dataset.get(), H5T_STD_REF_OBJ, references.data());
  std::vector<std::string> paths;
  for (std::size_t i = 0; i < references.size(); ++i) {
    if (references[i] == 0) {
      paths.emplace_back();
      continue;
    }
    const Handle object(H5Rdereference2(dataset.get(), H5P_DEFAULT, H5R_OBJECT, &references[i]), H5Oclose);
    const ssize_t length = object.is_open() ? H5Iget_name(object.get(), nullptr, 0) : -1;
    if (length <= 0)
      fail_call(*context_, path_of(name),
                fmt::format("its reference {} points nowhere; the file is damaged", i + 1));
    std::string path(static_cast<std::size_t>(length) + 1, '\0');
    H5Iget_name(object.get(), path.data(), path.size());
    path.pop_back();
    paths.push_back(std::move(path));
  }
  return paths;
}

std::optional<std::string> Group::find_text_attribute(const std::string& object,
                                                      const std::string& name) const {
  if (!has_attribute(object, name)) return {};
  const Handle owner = open_object(object),
               attribute(H5Aopen(owner.get(), name.c_str(), H5P_DEFAULT), H5Aclose);
  const Handle type(H5Aget_type(attribute.get()), H5Tclose), space(H5Aget_space(attribute.get()), H5Sclose);
  if (H5Tget_class(type.get()) != H5T_STRING || H5Sget_simple_extent_npoints(space.get()) != 1) return {};
  return read_text_attribute(object, name);
}

static bool has_member(hid_t type, const char* name, H5T_class_t type_class) {
  const int member = H5Tget_member_index(type, name);
  return member >= 0 && H5Tget_member_class(type, static_cast<unsigned>(member)) == type_class;
}

// From the scale's list of those who use it: their own lists of scales are of variable length, which HDF5
// cannot read safely from a damaged file.
std::vector<AxisOf> Group::axes_of_scale(const std::string& name) const {
  struct Use {
    hobj_ref_t dataset;
    int axis;
  };
  const char* const kList = "REFERENCE_LIST";
  if (find_text_attribute(name, "CLASS") != "DIMENSION_SCALE" || !has_attribute(name, kList)) return {};
  const Handle owner = open_object(name), attribute(H5Aopen(owner.get(), kList, H5P_DEFAULT), H5Aclose);
  const Handle file_type(H5Aget_type(attribute.get()), H5Tclose),
      space(H5Aget_space(attribute.get()), H5Sclose);
  const hssize_t count = H5Sget_simple_extent_npoints(space.get());
  const Handle type(H5Tcreate(H5T_COMPOUND, sizeof(Use)), H5Tclose);
  H5Tinsert(type.get(), "dataset", HOFFSET(Use, dataset), H5T_STD_REF_OBJ);
  H5Tinsert(type.get(), "dimension", HOFFSET(Use, axis), H5T_NATIVE_INT);
  const bool is_usual = H5Tget_class(file_type.get()) == H5T_COMPOUND &&
                        has_member(file_type.get(), "dataset", H5T_REFERENCE) &&
                        has_member(file_type.get(), "dimension", H5T_INTEGER);
  if (!is_usual || count <= 0 || static_cast<std::uint64_t>(count) > context_->n_bytes / sizeof(Use))
    return {};
  std::vector<Use> uses(static_cast<std::size_t>(count));
  if (H5Aread(attribute.get(), type.get(), uses.data()) < 0) return {};  // no more than a hint is lost
  std::vector<AxisOf> axes;
  for (const Use& use : uses)
    if (use.axis >= 0) axes.push_back({use.dataset, static_cast<std::size_t>(use.axis)});
  return axes;
}

Numbers Group::read_numbers(const std::string& name) const {
  const Handle dataset = open_dataset(name);
  const Handle type(H5Dget_type(dataset.get()), H5Tclose);
  Numbers numbers;
  numbers.shape = shape_of(dataset.get());
  check_type(name, dataset.get(), ValueType::real);
  check_size(name, dataset.get(), numbers.shape);
  const std::size_t size = H5Tget_size(type.get());
  numbers.is_real = H5Tget_class(type.get()) == H5T_FLOAT;
  const Handle base(H5Tget_class(type.get()) == H5T_ENUM ? H5Tget_super(type.get()) : H5Tcopy(type.get()),
                    H5Tclose);
  numbers.is_signed = numbers.is_real || H5Tget_sign(base.get()) == H5T_SGN_2;
  numbers.item_size = numbers.is_real ? (size <= 4 ? 4 : 8)
                      : size <= 1     ? 1
                      : size <= 2     ? 2
                      : size <= 4     ? 4
                                      : 8;
  numbers.bytes.resize(product(numbers.shape) * numbers.item_size);
  const hid_t memory_type = native_type(numbers.is_real, numbers.is_signed, numbers.item_size);
  if (!numbers.bytes.empty())
    read_values(*context_, path_of(name), dataset.get(), memory_type, numbers.bytes.data());
  return numbers;
}

std::vector<std::string> Group::read_all_texts(const std::string& name) const {
  const Handle dataset = open_dataset(name);
  const Shape shape = shape_of(dataset.get());
  check_type(name, dataset.get(), ValueType::text);
  check_size(name, dataset.get(), shape);
  return read_texts(name, dataset.get(), product(shape));
}

}  // namespace milcci::hdf5
