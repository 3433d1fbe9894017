#include "read/arrays/arrays.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>
#include <limits>

namespace milcci::read {

namespace {

template <class T>
T swapped(T value) {
  char bytes[sizeof(T)];
  std::memcpy(bytes, &value, sizeof(T));
  std::reverse(bytes, bytes + sizeof(T));
  std::memcpy(&value, bytes, sizeof(T));
  return value;
}

template <class T>
void copy_as(const char* from, std::size_t stride, std::size_t count, bool is_swapped, double* out) {
  for (std::size_t i = 0; i < count; ++i) {
    T value;
    std::memcpy(&value, from + i * stride * sizeof(T), sizeof(T));
    out[i] = static_cast<double>(is_swapped ? swapped(value) : value);
  }
}

}  // namespace

std::size_t size_of(Scalar type) {
  constexpr std::size_t kSizes[] = {1, 2, 4, 8, 1, 2, 4, 8, 4, 8};
  return kSizes[static_cast<int>(type)];
}

bool is_real(Scalar type) {
  return type == Scalar::f32 || type == Scalar::f64;
}

std::size_t NumberArray::size() const {
  return count_of(shape);
}

void NumberArray::copy(std::size_t first, std::size_t stride, std::size_t count, double* out) const {
  if (count == 0) return;
  const char* from = bytes->data() + begin + first * size_of(type);
  switch (type) {
    case Scalar::i8:
      return copy_as<std::int8_t>(from, stride, count, is_swapped, out);
    case Scalar::i16:
      return copy_as<std::int16_t>(from, stride, count, is_swapped, out);
    case Scalar::i32:
      return copy_as<std::int32_t>(from, stride, count, is_swapped, out);
    case Scalar::i64:
      return copy_as<std::int64_t>(from, stride, count, is_swapped, out);
    case Scalar::u8:
      return copy_as<std::uint8_t>(from, stride, count, is_swapped, out);
    case Scalar::u16:
      return copy_as<std::uint16_t>(from, stride, count, is_swapped, out);
    case Scalar::u32:
      return copy_as<std::uint32_t>(from, stride, count, is_swapped, out);
    case Scalar::u64:
      return copy_as<std::uint64_t>(from, stride, count, is_swapped, out);
    case Scalar::f32:
      return copy_as<float>(from, stride, count, is_swapped, out);
    case Scalar::f64:
      return copy_as<double>(from, stride, count, is_swapped, out);
  }
}

std::vector<double> NumberArray::values() const {
  std::vector<double> out(size());
  if (out.empty()) return out;
  if (shape.empty()) {
    copy(0, 1, 1, out.data());
    return out;
  }
  // Row by row along the last axis; `index` counts through the others.
  Shape index(shape.size(), 0);
  for (std::size_t done = 0; done < out.size(); done += shape.back()) {
    std::size_t first = 0;
    for (std::size_t axis = 0; axis + 1 < shape.size(); ++axis) first += index[axis] * strides[axis];
    copy(first, strides.back(), shape.back(), out.data() + done);
    for (std::size_t axis = shape.size() - 1; axis-- > 0 && ++index[axis] == shape[axis];) index[axis] = 0;
  }
  return out;
}

NumberArray empty_array() {
  NumberArray array;
  array.shape = {0};
  array.strides = {1};
  return array;
}

Shape dense_strides(const Shape& shape, Order order) {
  Shape strides(shape.size());
  std::size_t stride = 1;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const std::size_t axis = order == Order::first_fastest ? i : shape.size() - 1 - i;
    strides[axis] = stride;
    stride *= shape[axis];
  }
  return strides;
}

std::string to_text(const Shape& shape) {
  return shape.empty() ? "a single value" : fmt::format("{}", fmt::join(shape, " x "));
}

std::size_t count_of(const Shape& shape) {
  constexpr std::size_t kTooMany = std::numeric_limits<std::size_t>::max();
  std::size_t count = 1;
  for (const std::size_t length : shape) {
    if (length != 0 && count > kTooMany / length) return kTooMany;
    count *= length;
  }
  return count;
}

}  // namespace milcci::read
