// A small C++ face of the HDF5 C library: only what our two files need. Every failure is an Error(bad_file)
// that names file and dataset, with what was found and what was expected.
//
// - Handles close themselves; HDF5's own printing is off while a file is open.
// - The C library is not safe for several threads, so an open file holds a process-wide lock: whoever else
//   wants HDF5 waits. Use a file from the thread that opened it.
// - Nothing a file says of itself is believed before it is checked: type, rank and shape come first, and
//   memory is taken only up to what a file of that size can hold.
#pragma once

#include <hdf5.h>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace milcci::hdf5 {

/// An identifier of the C library with the function that closes it.
class Handle {
 public:
  Handle() = default;
  Handle(hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {}
  Handle(Handle&& other) noexcept { *this = std::move(other); }
  Handle& operator=(Handle&& other) noexcept;
  ~Handle() { close(); }

  hid_t get() const { return id_; }
  bool is_open() const { return id_ >= 0; }
  /// True if closing went well; what was still in memory has then been written.
  bool close();

 private:
  hid_t id_ = -1;
  herr_t (*close_)(hid_t) = nullptr;
};

using Shape = std::vector<std::size_t>;
/// In an expected shape: any length will do.
inline constexpr std::size_t kAny = SIZE_MAX;
/// "3 x any x 5".
std::string to_text(const Shape& shape);

/// What values are, whatever their size and byte order in the file.
enum class ValueType { real, integer, text };

/// Numbers as the machine has them, of the size they have in the file.
struct Numbers {
  bool is_real = true, is_signed = true;
  std::size_t item_size = 8;
  Shape shape;
  std::string bytes;  ///< the last index runs fastest
};

/// Something in a group. The same object may be there under several names: its address tells.
struct Child {
  std::string name;
  bool is_group = false;
  std::uint64_t address = 0;
};

/// An axis of the dataset with this address.
struct AxisOf {
  std::uint64_t address = 0;
  std::size_t axis = 0;
};

/// What all parts of an open file share.
struct Context;

/// A dimension other datasets refer to: an HDF5 dimension scale, a NetCDF-4 dimension. It must live in the
/// group of those datasets or above.
struct Scale {
  Handle dataset;
  std::size_t length = 0;
};
using Scales = std::vector<const Scale*>;

/// Some rows, and where to put them.
struct RowPiece {
  std::size_t first, count;
  double* values;
};

/// Two-dimensional numbers read or written some rows at a time; the last index runs fastest.
class RealRows {
 public:
  RealRows(std::shared_ptr<Context> context, std::string path, Handle dataset, Shape shape);
  std::size_t n_rows() const { return shape_[0]; }
  std::size_t n_columns() const { return shape_[1]; }
  void read(std::size_t first, std::size_t count, double* values) const;
  /// Many pieces in the order of their rows, on several threads where they are stored plainly; 0 = all cores.
  void read(std::span<const RowPiece> pieces, int threads) const;
  void write(std::size_t first, std::size_t count, const double* values);

 private:
  Handle select(std::size_t first, std::size_t count) const;

  std::shared_ptr<Context> context_;
  std::string path_;
  Handle dataset_;
  Shape shape_;
};

class Group {
 public:
  Group(std::shared_ptr<Context> context, std::string path, Handle group);

  /// Throws Error(bad_file): "file "x.h5", <path>: <message>".
  [[noreturn]] void fail(const std::string& name, const std::string& message) const;

  // Looking around. Links into other files are not followed.
  bool has(const std::string& name) const;
  Group open_group(const std::string& name) const;
  /// Everything in the group: by attribute `position` where all have one, else as it was created, else by
  /// name.
  std::vector<std::string> child_names() const;
  ValueType value_type(const std::string& name) const;
  Shape shape(const std::string& name) const;

  // Looking around in files of others. Names may be paths here: "group/dataset".
  std::string path_of(const std::string& name) const;
  bool is_dataset(const std::string& name) const;
  /// Of the group itself, as in `Child`.
  std::uint64_t address() const;
  /// Groups and datasets, as they were created or by name; links into other files are left out.
  std::vector<Child> children() const;
  /// Nothing if the dataset holds neither numbers nor texts.
  std::optional<ValueType> find_value_type(const std::string& name) const;
  /// Values and names of an enumeration; empty for other types.
  std::map<std::int64_t, std::string> enumeration(const std::string& name) const;
  bool holds_references(const std::string& name) const;
  /// Paths of the objects that a dataset of references points to; empty for a reference to nothing.
  std::vector<std::string> read_references(const std::string& name) const;
  /// Nothing if there is no such attribute, or it is not one text.
  std::optional<std::string> find_text_attribute(const std::string& object, const std::string& name) const;
  /// The axes that a dimension scale describes; none for other datasets.
  std::vector<AxisOf> axes_of_scale(const std::string& name) const;
  Numbers read_numbers(const std::string& name) const;
  /// Texts of any shape, the last index fastest.
  std::vector<std::string> read_all_texts(const std::string& name) const;

  // Reading. The shape found must agree with the expected one; the last index runs fastest.
  std::vector<double> read_reals(const std::string& name, const Shape& expected) const;
  std::vector<std::int64_t> read_integers(const std::string& name, const Shape& expected) const;
  std::vector<std::string> read_texts(const std::string& name, std::size_t expected = kAny) const;
  std::string read_text(const std::string& name) const;  ///< of a dataset without dimensions
  RealRows open_rows(const std::string& name, const Shape& expected) const;
  bool has_attribute(const std::string& object, const std::string& name) const;
  std::string read_text_attribute(const std::string& object, const std::string& name) const;
  std::int64_t read_integer_attribute(const std::string& object, const std::string& name) const;
  double read_real_attribute(const std::string& object, const std::string& name) const;

  // Writing. Shapes follow from the scales.
  Group create_group(const std::string& name);
  Scale write_scale(const std::string& name, std::span<const std::string> values);
  Scale write_scale(const std::string& name, std::span<const std::int64_t> values);
  /// A dimension without coordinates: takes no room in the file, and NetCDF shows no variable for it.
  Scale write_dimension(const std::string& name, std::size_t length);
  void write_reals(const std::string& name, std::span<const double> values, const Scales& scales);
  void write_integers(const std::string& name, std::span<const std::int64_t> values, const Scales& scales);
  void write_texts(const std::string& name, std::span<const std::string> values, const Scales& scales);
  void write_text(const std::string& name, const std::string& value);
  /// Two-dimensional reals to be filled in later, stored in checksummed chunks of `chunk_rows` whole rows.
  RealRows create_rows(const std::string& name, const Scales& scales, std::size_t chunk_rows);
  void write_attribute(const std::string& object, const std::string& name, const std::string& value);
  /// As a text of fixed length: for what must be read back from a damaged file too (text_heap.hpp).
  void write_fixed_attribute(const std::string& object, const std::string& name, const std::string& value);
  void write_attribute(const std::string& object, const std::string& name, std::int64_t value);
  void write_attribute(const std::string& object, const std::string& name, std::uint64_t value);
  void write_attribute(const std::string& object, const std::string& name, double value);

 private:
  Handle open_dataset(const std::string& name, hid_t access = H5P_DEFAULT) const;
  Handle open_object(const std::string& object) const;
  void check_shape(const std::string& name, const Shape& found, const Shape& expected) const;
  void check_type(const std::string& name, hid_t dataset, ValueType expected) const;
  void check_size(const std::string& name, hid_t dataset, const Shape& shape) const;
  void check_chunk(const std::string& name, hid_t dataset, std::size_t item_size,
                   std::uint64_t allowed) const;
  Shape checked_shape(const std::string& name, hid_t dataset, ValueType type, const Shape& expected) const;
  std::vector<std::string> read_texts(const std::string& name, hid_t dataset, std::size_t count) const;
  std::optional<std::vector<std::string>> follow_references(const std::string& name, hid_t dataset,
                                                            std::size_t count) const;
  Handle write_dataset(const std::string& name, hid_t file_type, hid_t memory_type, const void* values,
                       const Shape& shape);
  void attach(const std::string& name, hid_t dataset, const Scales& scales);
  void write_attribute(const std::string& object, const std::string& name, hid_t file_type, hid_t memory_type,
                       const void* value);

  std::shared_ptr<Context> context_;
  std::string path_;
  Handle group_;
};

class File {
 public:
  /// Throws if there is no such file, it cannot be read or is not HDF5.
  static File open(const std::string& path);
  /// `shown_path` is the name in messages, where it is not the one written to.
  static File create(const std::string& path, const std::string& shown_path);

  Group root() const;
  /// Writes what is still in memory. Throws if that fails, as it does on a full disk.
  void close();

 private:
  explicit File(std::shared_ptr<Context> context) : context_(std::move(context)) {}
  std::shared_ptr<Context> context_;
};

/// A link name for any title: / and % and control characters become %xx, as does a name that is empty or all
/// dots, or begins or ends with a blank, which NetCDF refuses.
std::string link_name(const std::string& title);
/// The inverse of `link_name`; names it would not have made stay as they are.
std::string title_of(const std::string& link);

}  // namespace milcci::hdf5
