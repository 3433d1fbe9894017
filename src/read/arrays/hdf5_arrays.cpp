// Datasets of any HDF5 file, named by their path, and MATLAB files of version 7.3, which are HDF5 files too.
//
// MATLAB writes its axes in reverse, texts as numbers of characters, a cell array as references to datasets,
// and says of each dataset what it is in the attribute MATLAB_class.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "hdf5/hdf5.hpp"
#include "milcci/error.hpp"
#include "read/arrays/arrays.hpp"
#include "read/arrays/cells.hpp"
#include "read/errors.hpp"

namespace milcci::read {

namespace {

// Groups may contain themselves: each is entered once, and not below this.
constexpr int kDeepest = 64;
constexpr std::size_t kMostItems = 100000;

Scalar scalar_of(const hdf5::Numbers& numbers) {
  if (numbers.is_real) return numbers.item_size == 4 ? Scalar::f32 : Scalar::f64;
  const int place = numbers.item_size == 1 ? 0 : numbers.item_size == 2 ? 1 : numbers.item_size == 4 ? 2 : 3;
  return static_cast<Scalar>(place + static_cast<int>(numbers.is_signed ? Scalar::i8 : Scalar::u8));
}

NumberArray array_of(hdf5::Numbers numbers, bool is_matlab) {
  const Scalar type = scalar_of(numbers);
  Shape shape = numbers.shape;
  if (is_matlab) std::reverse(shape.begin(), shape.end());
  Shape strides = dense_strides(shape, is_matlab ? Order::first_fastest : Order::last_fastest);
  return {type,
          false,
          std::move(shape),
          std::move(strides),
          std::make_shared<std::string>(std::move(numbers.bytes)),
          0};
}

bool is_number_class(const std::string& name) {
  static const std::set<std::string> names = {"double", "single", "logical", "int8",   "int16", "int32",
                                              "int64",  "uint8",  "uint16",  "uint32", "uint64"};
  return names.contains(name);
}

class Hdf5Arrays : public ArrayFile {
 public:
  Hdf5Arrays(const std::string& path, bool is_matlab)
      : path_(path), is_matlab_(is_matlab), file_(hdf5::File::open(path)), root_(file_.root()) {
    entered_.insert(root_.address());
    walk(root_, is_matlab ? "" : "/", 0);
    name_axes();
  }

  const std::vector<ItemInfo>& items() const override { return items_; }
  NumberArray numbers(std::size_t item) const override {
    const Source& source = sources_[item];
    if (source.is_stored) return source.stored.numbers;
    return array_of(root_.read_numbers(source.path), is_matlab_);
  }
  std::vector<std::string> texts(std::size_t item) const override {
    const Source& source = sources_[item];
    return source.is_stored ? source.stored.texts : root_.read_all_texts(source.path);
  }
  std::vector<NumberArray> list(std::size_t item) const override { return sources_[item].stored.list; }

 private:
  struct Source {
    std::string path;
    bool is_stored = false;
    StoredItem stored;
  };

  void walk(const hdf5::Group& group, const std::string& prefix, int depth) {
    for (const hdf5::Child& child : group.children()) {
      if (items_.size() >= kMostItems) fail(path_, fmt::format("holds more than {} datasets", kMostItems));
      const bool is_inner = is_matlab_ && depth == 0 && child.name.starts_with('#');
      if (is_inner) continue;
      if (!child.is_group) {
        if (is_matlab_ || !is_dimension_alone(group, child.name))
          add_or_name(group, child.name, prefix + child.name);
        addresses_.resize(items_.size(), child.address);
        if (!is_matlab_)
          for (const hdf5::AxisOf& axis : group.axes_of_scale(child.name))
            named_axes_.push_back({axis, child.name});
      } else if (const std::string what = object_in(group, child.name); !what.empty()) {
        push({}, {prefix + child.name, ItemKind::other, {}, what, child.name});
        addresses_.resize(items_.size(), child.address);
      } else if (depth < kDeepest && entered_.insert(child.address).second) {
        walk(group.open_group(child.name), prefix + child.name + (is_matlab_ ? "." : "/"), depth + 1);
      }
    }
  }

  // NetCDF writes a dimension without coordinates as a dataset that holds nothing.
  static bool is_dimension_alone(const hdf5::Group& group, const std::string& name) {
    return group.find_text_attribute(name, "NAME")
        .value_or("")
        .starts_with("This is a netCDF dimension but not");
  }

  // xarray, NetCDF and others describe axes by dimension scales.
  void name_axes() {
    std::map<std::uint64_t, std::size_t> item_at;
    for (std::size_t i = 0; i < addresses_.size(); ++i) item_at.emplace(addresses_[i], i);
    for (const auto& [axis, name] : named_axes_) {
      const auto found = item_at.find(axis.address);
      if (found == item_at.end()) continue;
      ItemInfo& item = items_[found->second];
      item.axis_names.resize(item.shape.size());
      if (axis.axis < item.axis_names.size()) item.axis_names[axis.axis] = name;
    }
  }

  // What a group of a MATLAB file is if it is no struct; empty if it is one.
  std::string object_in(const hdf5::Group& group, const std::string& name) const {
    if (!is_matlab_) return "";
    const std::string path = group.path_of(name).substr(1), matlab_class = class_of(path);
    if (root_.has_attribute(path, "MATLAB_sparse")) return "a sparse array; convert it with full";
    return matlab_class.empty() || matlab_class == "struct" ? "" : object_text(matlab_class);
  }

  static std::string object_text(const std::string& matlab_class) {
    return fmt::format("of MATLAB class {}; convert it with double or cellstr", matlab_class);
  }

  // One dataset that cannot be opened, or refers to what is not there, need not be that which is wanted.
  void add_or_name(const hdf5::Group& group, const std::string& name, const std::string& shown_name) {
    try {
      add(group, name, shown_name);
    } catch (const Error& error) {
      const std::string message = error.what(), place = ", " + group.path_of(name) + ": ";
      const std::size_t at = message.find(place);
      if (error.kind() != ErrorKind::bad_file || at == std::string::npos) throw;
      const std::string reason = message.substr(at + place.size());
      push({}, {shown_name, ItemKind::other, {}, "not readable: " + reason, name});
    }
  }

  void push(Source source, ItemInfo info) {
    items_.push_back(std::move(info));
    sources_.push_back(std::move(source));
  }

  void add(const hdf5::Group& group, const std::string& name, const std::string& shown_name) {
    Source source;
    source.path = group.path_of(name).substr(1);
    ItemInfo info;
    info.name = shown_name;
    info.title = name;
    const auto type = group.find_value_type(name);
    const std::string matlab_class = is_matlab_ ? class_of(source.path) : "";
    if (group.holds_references(name)) {
      store(source, item_of_cells(shown_name, cells_of(source.path)), info);
    } else if (is_matlab_ &&
               (!is_number_class(matlab_class) || root_.has_attribute(source.path, "MATLAB_empty"))) {
      store(source, item_of_value(shown_name, matlab_value(source.path)), info);
    } else if (type) {
      info.kind = *type == hdf5::ValueType::text ? ItemKind::texts : ItemKind::numbers;
      info.shape = group.shape(name);
      if (is_matlab_) std::reverse(info.shape.begin(), info.shape.end());
    } else {
      info.other = "neither numbers nor texts";
    }
    push(std::move(source), std::move(info));
  }

  static void store(Source& source, StoredItem stored, ItemInfo& info) {
    stored.info.title = info.title;
    info = stored.info;
    source.stored = std::move(stored);
    source.is_stored = true;
  }

  std::string class_of(const std::string& path) const {
    return root_.has_attribute(path, "MATLAB_class") ? root_.read_text_attribute(path, "MATLAB_class") : "";
  }

  // Many references may point to one large dataset, and so ask for more memory than the file has bytes.
  std::vector<CellValue> cells_of(const std::string& path) const {
    constexpr std::size_t kMostRepeated = std::size_t{1} << 24;
    std::vector<CellValue> cells;
    std::set<std::string> seen;
    std::size_t n_repeated = 0;
    for (const std::string& reference : root_.read_references(path)) {
      if (reference.empty()) {
        cells.emplace_back(empty_array());
        continue;
      }
      cells.push_back(is_matlab_ ? matlab_value(reference.substr(1)) : plain_value(reference.substr(1)));
      const auto* array = std::get_if<NumberArray>(&cells.back());
      if (array && !seen.insert(reference).second) n_repeated += array->size() * size_of(array->type);
      if (n_repeated > kMostRepeated)
        fail_item(path_, "/" + path,
                  fmt::format("its references point to {} over and over, must point to a dataset each",
                              shown(reference)));
    }
    return cells;
  }

  CellValue plain_value(const std::string& path) const {
    if (!root_.is_dataset(path)) return Useless{"a group"};
    const auto type = root_.find_value_type(path);
    if (!type) return Useless{"neither numbers nor texts"};
    if (*type == hdf5::ValueType::text) return root_.read_all_texts(path);
    return array_of(root_.read_numbers(path), false);
  }

  CellValue matlab_value(const std::string& path) const {
    const std::string name = class_of(path);
    if (!root_.is_dataset(path)) return Useless{"a struct"};
    const bool is_empty = root_.has_attribute(path, "MATLAB_empty");
    if (name != "char" && !is_number_class(name))
      return Useless{name.empty() ? "without a MATLAB class" : object_text(name)};
    if (is_empty) return name == "char" ? CellValue(TextRows()) : CellValue(empty_array());
    const NumberArray array = array_of(root_.read_numbers(path), true);
    if (name != "char") return array;
    if (is_real(array.type) || array.shape.size() != 2) return Useless{"a text in an unknown form"};
    if (array.size() == 0) return TextRows();
    std::vector<double> values(array.size());
    array.copy(0, 1, values.size(), values.data());
    return text_rows(values, array.shape[0]);
  }

  std::string path_;
  bool is_matlab_;
  hdf5::File file_;
  hdf5::Group root_;
  std::set<std::uint64_t> entered_;
  std::vector<ItemInfo> items_;
  std::vector<Source> sources_;
  std::vector<std::uint64_t> addresses_;  // of the items; an object's own place in the file
  std::vector<std::pair<hdf5::AxisOf, std::string>> named_axes_;
};

}  // namespace

std::unique_ptr<ArrayFile> open_hdf5(const std::string& path) {
  return std::make_unique<Hdf5Arrays>(path, false);
}

std::unique_ptr<ArrayFile> open_mat73(const std::string& path) {
  return std::make_unique<Hdf5Arrays>(path, true);
}

}  // namespace milcci::read
