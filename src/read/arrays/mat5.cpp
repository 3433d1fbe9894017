// MATLAB files of version 5 to 7, after "MAT-File Format" of The MathWorks.
//
// By hand and not by matio: its history of crashes on broken files is long, it takes memory for what a file
// promises, and it opens HDF5 beside us. Here every size is compared with what is left of the element it
// stands in before anything is done with it, and numbers are not copied until they become trials.
#include <fmt/format.h>

#include <bit>
#include <optional>
#include <set>

#include "read/arrays/arrays.hpp"
#include "read/arrays/bytes.hpp"
#include "read/arrays/cells.hpp"
#include "read/errors.hpp"

namespace milcci::read {

namespace {

enum ElementType : std::uint64_t {
  kInt8 = 1,
  kUint8,
  kInt16,
  kUint16,
  kInt32,
  kUint32,
  kSingle,
  kDouble = 9,
  kInt64 = 12,
  kUint64,
  kMatrix,
  kCompressed,
  kUtf8,
  kUtf16,
  kUtf32
};
enum ArrayClass : std::uint64_t {
  kCell = 1,
  kStruct,
  kObject,
  kChar,
  kSparse,
  kFirstNumeric,
  kLastNumeric = 15,
  kOpaque = 17  ///< string, table, datetime, ...: undocumented but for where its name stands
};
constexpr int kDeepest = 16;

std::optional<Scalar> scalar_of(std::uint64_t type) {
  switch (type) {
    case kInt8:
      return Scalar::i8;
    case kUint8:
    case kUtf8:
      return Scalar::u8;
    case kInt16:
      return Scalar::i16;
    case kUint16:
    case kUtf16:
      return Scalar::u16;
    case kInt32:
      return Scalar::i32;
    case kUint32:
    case kUtf32:
      return Scalar::u32;
    case kSingle:
      return Scalar::f32;
    case kDouble:
      return Scalar::f64;
    case kInt64:
      return Scalar::i64;
    case kUint64:
      return Scalar::u64;
    default:
      return {};
  }
}

// Bytes that belong to one element, and the name of the variable they are of.
struct Region {
  std::shared_ptr<const std::string> bytes;
  std::size_t begin = 0, end = 0;
};

struct Element {
  std::uint64_t type = 0;
  Region data;
};

// A matrix element without its values, which are in `rest`.
struct MatrixStart {
  std::uint64_t array_class = 0;
  bool is_complex = false;
  Shape shape;
  std::string name;
  Region rest;
};

class Mat5File : public ArrayFile {
 public:
  explicit Mat5File(const std::string& path) : path_(path) {
    constexpr std::size_t kHeader = 128;
    const auto bytes = std::make_shared<const std::string>(read_bytes(path, 0, file_size(path)));
    order_ = bytes->compare(126, 2, "MI") == 0 ? ByteOrder::big : ByteOrder::little;
    Region file{bytes, kHeader, bytes->size()};
    while (file.begin < file.end) {
      where_ = fmt::format("the variable at byte {}", file.begin);
      Element element = take_element(file);
      if (element.type == kCompressed) element = unpacked(element.data);
      if (element.type == kMatrix) add_variable(element.data);
    }
    std::set<std::string> names;
    for (const StoredItem& item : stored_) {
      items_.push_back(item.info);
      if (!names.insert(item.info.name).second) {
        items_.back().kind = ItemKind::other;
        items_.back().other = "another one of this name; only the first is read";
      }
    }
  }

  const std::vector<ItemInfo>& items() const override { return items_; }
  NumberArray numbers(std::size_t item) const override { return stored_[item].numbers; }
  std::vector<std::string> texts(std::size_t item) const override { return stored_[item].texts; }
  std::vector<NumberArray> list(std::size_t item) const override { return stored_[item].list; }

 private:
  [[noreturn]] void fail_damaged(const std::string& found) const {
    fail_item(path_, where_, found + "; the file is damaged or incomplete");
  }
  std::uint64_t number(const Region& region, std::size_t at, std::size_t size) const {
    return number_at(*region.bytes, region.begin + at, size, order_);
  }

  // Takes the next element from the front of a region: type and size in 8 bytes, then the data, padded to a
  // multiple of 8 bytes unless packed; or, if the data are up to 4 bytes, all in 8 bytes.
  Element take_element(Region& region) const {
    constexpr std::size_t kTag = 8;
    const std::size_t left = region.end - region.begin;
    if (left < kTag) fail_damaged(fmt::format("{} bytes are left for an element that needs 8", left));
    const std::uint64_t first = number(region, 0, 4);
    const bool is_small = first >> 16 != 0;
    Element element;
    element.type = is_small ? first & 0xFFFF : first;
    const std::uint64_t size = is_small ? first >> 16 : number(region, 4, 4);
    const std::size_t begin = region.begin + (is_small ? 4 : kTag);
    if (is_small ? size > 4 : size > left - kTag)
      fail_damaged(
          fmt::format("an element declares {} bytes where {} are left", size, left - (is_small ? 4 : kTag)));
    element.data = {region.bytes, begin, begin + size};
    const std::size_t padded = element.type == kCompressed ? size : (size + 7) / 8 * 8;
    region.begin += is_small ? kTag : kTag + std::min<std::size_t>(padded, left - kTag);
    return element;
  }

  Element unpacked(const Region& packed) const {
    const std::string_view data =
        std::string_view(*packed.bytes).substr(packed.begin, packed.end - packed.begin);
    const std::string tag = unpack(path_, where_, data, Packing::zlib, 8);
    if (tag.size() < 8) fail_damaged("its packed data hold no element");
    const std::uint64_t promised = number_at(tag, 4, 4, order_);
    if (is_bomb(data.size(), promised))
      fail_damaged(fmt::format("{} packed bytes would become {}", data.size(), promised));
    const auto bytes =
        std::make_shared<const std::string>(unpack(path_, where_, data, Packing::zlib, promised + 8));
    Region region{bytes, 0, bytes->size()};
    return take_element(region);
  }

  MatrixStart take_start(Region region) const {
    MatrixStart start;
    const Element flags = take_element(region);
    if (flags.type != kUint32 || flags.data.end - flags.data.begin != 8)
      fail_damaged("an array has no flags");
    const std::uint64_t word = number(flags.data, 0, 4);
    start.array_class = word & 0xFF;
    start.is_complex = (word >> 11 & 1) != 0;
    if (start.array_class == kOpaque) {
      // It has no shape, so that the name follows at once; some writers give it one.
      Region behind = region;
      if (take_element(behind).type == kInt32) region = behind;
      start.name = take_name(region);
      return start;
    }
    const Element lengths = take_element(region);
    const std::size_t rank = (lengths.data.end - lengths.data.begin) / 4;
    if (lengths.type != kInt32 || rank < 2 || rank > 32) fail_damaged("an array has no shape");
    for (std::size_t axis = 0; axis < rank; ++axis) {
      const std::uint64_t length = number(lengths.data, 4 * axis, 4);
      if (length > 0x7FFFFFFF) fail_damaged("an array has a negative length");
      start.shape.push_back(length);
    }
    start.name = take_name(region);
    start.rest = region;
    return start;
  }

  std::string take_name(Region& region) const {
    const Element name = take_element(region);
    if (name.type != kInt8 && name.type != kUint8 && name.type != kUtf8) fail_damaged("an array has no name");
    return name.data.bytes->substr(name.data.begin, name.data.end - name.data.begin);
  }

  void add_variable(const Region& region) {
    const MatrixStart start = take_start(region);
    where_ = start.name;
    if (!start.name.empty()) add(start, start.name, 0);  // without a name: MATLAB's own notes
  }

  // The items of a variable or a field: one, or those of the fields of a struct.
  void add(const MatrixStart& start, const std::string& name, int depth) {
    if (depth > kDeepest) fail_damaged(fmt::format("is nested more than {} deep", kDeepest));
    if (start.array_class == kCell)
      stored_.push_back(item_of_cells(name, cells_of(start)));
    else if (start.array_class == kStruct)
      add_fields(start, name, depth);
    else
      stored_.push_back(item_of_value(name, value_of(start)));
  }

  // A struct with one element has fields, one with several has a list per field.
  void add_fields(const MatrixStart& start, const std::string& name, int depth) {
    Region rest = start.rest;
    const std::vector<std::string> fields = take_field_names(rest);
    const std::size_t n_elements = checked_count(start, rest, fields.size());
    std::vector<std::vector<CellValue>> lists(fields.size());
    for (std::size_t element = 0; element < n_elements; ++element)
      for (std::size_t f = 0; f < fields.size(); ++f) {
        const std::optional<MatrixStart> value = take_matrix(rest);
        if (n_elements == 1 && value)
          add(*value, name + "." + fields[f], depth + 1);
        else
          lists[f].push_back(value ? value_of(*value) : CellValue(empty_array()));
      }
    if (n_elements != 1)
      for (std::size_t f = 0; f < fields.size(); ++f)
        stored_.push_back(item_of_cells(name + "." + fields[f], std::move(lists[f])));
  }

  std::vector<std::string> take_field_names(Region& rest) const {
    const Element length = take_element(rest), names = take_element(rest);
    const std::size_t n_bytes = names.data.end - names.data.begin;
    if (length.type != kInt32 || length.data.end - length.data.begin != 4)
      fail_damaged("a struct has no fields");
    const std::uint64_t size = number(length.data, 0, 4);
    if (size == 0 || size > n_bytes + 1) fail_damaged(fmt::format("names of fields have {} bytes", size));
    std::vector<std::string> fields;
    for (std::size_t at = 0; at + size <= n_bytes; at += size) {
      const std::string field = names.data.bytes->substr(names.data.begin + at, size);
      fields.push_back(field.substr(0, field.find('\0')));
    }
    return fields;
  }

  // The number of cells or elements, each of which takes at least 8 bytes per value.
  std::size_t checked_count(const MatrixStart& start, const Region& rest, std::size_t n_values) const {
    const std::size_t count = count_of(start.shape);
    if (n_values > 0 && count > (rest.end - rest.begin) / 8 / n_values)
      fail_damaged(
          fmt::format("declares {} values in {} bytes", to_text(start.shape), rest.end - rest.begin));
    return n_values > 0 ? count : 0;
  }

  // Nothing for an empty value that is written without any bytes.
  std::optional<MatrixStart> take_matrix(Region& rest) const {
    const Element element = take_element(rest);
    if (element.type != kMatrix) fail_damaged(fmt::format("a value is an element of type {}", element.type));
    if (element.data.begin == element.data.end) return {};
    return take_start(element.data);
  }

  std::vector<CellValue> cells_of(const MatrixStart& start) const {
    Region rest = start.rest;
    std::vector<CellValue> cells;
    const std::size_t count = checked_count(start, rest, 1);
    for (std::size_t i = 0; i < count; ++i) {
      const std::optional<MatrixStart> value = take_matrix(rest);
      cells.push_back(value ? value_of(*value) : CellValue(empty_array()));
    }
    return cells;
  }

  CellValue value_of(const MatrixStart& start) const {
    const std::uint64_t kind = start.array_class;
    if (kind == kSparse) return Useless{"a sparse array; convert it with full"};
    if (kind == kCell || kind == kStruct) return Useless{"cells or structs within cells"};
    if (kind != kChar && (kind < kFirstNumeric || kind > kLastNumeric))
      return Useless{"an object, table or string; convert it with double or cellstr"};
    if (start.is_complex) return Useless{"complex numbers; take abs or real of them"};
    Region rest = start.rest;
    if (count_of(start.shape) == 0) return kind == kChar ? CellValue(TextRows()) : CellValue(empty_array());
    const Element values = take_element(rest);
    const std::optional<Scalar> type = scalar_of(values.type);
    if (!type) fail_damaged(fmt::format("its values are of type {}", values.type));
    NumberArray array;
    array.type = *type;
    array.is_swapped = (order_ == ByteOrder::big) == (std::endian::native == std::endian::little);
    array.shape = start.shape;
    array.bytes = values.data.bytes;
    array.begin = values.data.begin;
    const std::size_t n_there = (values.data.end - values.data.begin) / size_of(*type);
    if (kind == kChar) return text_of(array, values, n_there);
    if (count_of(start.shape) > n_there)
      fail_damaged(fmt::format("has shape {} but {} values", to_text(start.shape), n_there));
    array.strides = dense_strides(array.shape, Order::first_fastest);
    return array;
  }

  CellValue text_of(NumberArray array, const Element& values, std::size_t n_there) const {
    const std::size_t n_rows = array.shape[0];
    if (values.type == kUtf8 && n_rows == 1)
      return TextRows{values.data.bytes->substr(values.data.begin, values.data.end - values.data.begin)};
    if (array.shape.size() != 2 || count_of(array.shape) > n_there || is_real(array.type))
      fail_damaged(fmt::format("is a text of shape {} with {} characters", to_text(array.shape), n_there));
    std::vector<double> units(count_of(array.shape));
    array.copy(0, 1, units.size(), units.data());
    return text_rows(units, n_rows);
  }

  std::string path_, where_;
  ByteOrder order_ = ByteOrder::little;
  std::vector<StoredItem> stored_;
  std::vector<ItemInfo> items_;
};

}  // namespace

std::unique_ptr<ArrayFile> open_mat5(const std::string& path) {
  return std::make_unique<Mat5File>(path);
}

}  // namespace milcci::read
