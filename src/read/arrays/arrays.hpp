// What files of arrays have in common: named items, each an array of numbers, a list of texts, or a list of
// arrays. One implementation per format; array_trials.hpp makes trials of the items.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace milcci::read {

using Shape = std::vector<std::size_t>;

/// How one number lies in memory. Booleans are u8.
enum class Scalar { i8, i16, i32, i64, u8, u16, u32, u64, f32, f64 };
std::size_t size_of(Scalar type);
bool is_real(Scalar type);

/// Numbers as they lay in the file, converted when they are asked for: in memory they are no larger than
/// there.
struct NumberArray {
  Scalar type = Scalar::f64;
  bool is_swapped = false;  ///< bytes in the order of another kind of machine
  Shape shape;              ///< as the program that wrote the file shows it
  Shape strides;            ///< numbers between neighbours along each axis
  std::shared_ptr<const std::string> bytes;
  std::size_t begin = 0;  ///< of the numbers in `bytes`

  std::size_t size() const;
  /// Writes `count` numbers, `stride` apart from `first` on, to `out`.
  void copy(std::size_t first, std::size_t stride, std::size_t count, double* out) const;
  /// All of them, the last index fastest.
  std::vector<double> values() const;
};

NumberArray empty_array();

/// Strides of an array that has no gaps.
enum class Order { last_fastest, first_fastest };
Shape dense_strides(const Shape& shape, Order order);

enum class ItemKind { numbers, texts, list, other };

struct ItemInfo {
  std::string name;
  ItemKind kind = ItemKind::other;
  Shape shape;        ///< of a list: its length
  std::string other;  ///< what it is if it is none of the above, for messages
  std::string title;  ///< its name as a label: without the groups it is in
  /// As the file names them, outermost first; empty texts, or none, where it does not.
  std::vector<std::string> axis_names = {};
};

class ArrayFile {
 public:
  virtual ~ArrayFile() = default;
  virtual const std::vector<ItemInfo>& items() const = 0;
  // Each for an item of that kind only.
  virtual NumberArray numbers(std::size_t item) const = 0;
  virtual std::vector<std::string> texts(std::size_t item) const = 0;
  virtual std::vector<NumberArray> list(std::size_t item) const = 0;
};

/// "3 x 4 x 5".
std::string to_text(const Shape& shape);
/// The number of values, or SIZE_MAX if that is too large for this machine.
std::size_t count_of(const Shape& shape);

// Each throws Error(bad_file) if the file is not what it should be.
std::unique_ptr<ArrayFile> open_npy(const std::string& path);
std::unique_ptr<ArrayFile> open_npz(const std::string& path);
std::unique_ptr<ArrayFile> open_mat5(const std::string& path);
std::unique_ptr<ArrayFile> open_mat73(const std::string& path);
std::unique_ptr<ArrayFile> open_hdf5(const std::string& path);

}  // namespace milcci::read
