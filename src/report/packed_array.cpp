#include "report/packed_array.hpp"

#include <zlib.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include "milcci/error.hpp"

namespace milcci {
namespace {

using Bytes = std::vector<unsigned char>;
constexpr double kLeastStep = std::numeric_limits<double>::min();

// The lowest byte of every number, then the next of every number: like stands beside like, and packs better.
template <class T>
Bytes byte_planes(const std::vector<T>& numbers) {
  static_assert(std::endian::native == std::endian::little);
  Bytes planes(numbers.size() * sizeof(T));
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    unsigned char bytes[sizeof(T)];
    std::memcpy(bytes, &numbers[i], sizeof(T));
    for (std::size_t b = 0; b < sizeof(T); ++b) planes[b * numbers.size() + i] = bytes[b];
  }
  return planes;
}

Bytes compressed(const Bytes& bytes) {
  uLongf size = compressBound(static_cast<uLong>(bytes.size()));
  Bytes packed(size);
  if (compress2(packed.data(), &size, bytes.data(), static_cast<uLong>(bytes.size()), 9) != Z_OK)
    throw std::bad_alloc();
  packed.resize(size);
  return packed;
}

template <class T>
Json packed(const char* type, const PackedShape& shape, const std::vector<T>& numbers) {
  Json json = Json::object();
  json["type"] = type;
  json["shape"] = shape;
  json["scale"] = nullptr;
  json["zero"] = nullptr;
  json["missing"] = nullptr;
  json["delta"] = false;
  json["data"] = base64(compressed(byte_planes(numbers)));
  return json;
}

// Rows of the last axis as differences, modulo the size of the type.
template <class Unsigned>
void take_differences(std::vector<Unsigned>& numbers, Index row_length) {
  if (row_length < 2) return;
  const auto length = static_cast<std::size_t>(row_length);
  for (std::size_t first = 0; first < numbers.size(); first += length)
    for (std::size_t i = first + length - 1; i > first; --i)
      numbers[i] = static_cast<Unsigned>(numbers[i] - numbers[i - 1]);
}

// Calls each(part, i) with the values of index i of the first axis.
template <class Each>
void walk_first_axis(std::span<const double> values, const PackedShape& shape, Each&& each) {
  const auto n = static_cast<std::size_t>(shape.front());
  const std::size_t length = n > 0 ? values.size() / n : 0;
  for (std::size_t i = 0; i < n; ++i) each(values.subspan(i * length, length));
}

}  // namespace

std::string base64(std::span<const unsigned char> bytes) {
  constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t three = 0;
    for (std::size_t b = 0; b < 3; ++b) three = (three << 8) | (i + b < bytes.size() ? bytes[i + b] : 0U);
    for (std::size_t d = 0; d < 4; ++d)
      text += i + d <= bytes.size() ? kDigits[(three >> (18 - 6 * d)) & 63U] : '=';
  }
  return text;
}

Json pack_exact(std::span<const double> values, const PackedShape& shape) {
  return packed("float64", shape, std::vector<double>(values.begin(), values.end()));
}

Json pack_single(std::span<const double> values, const PackedShape& shape) {
  std::vector<float> numbers(values.size());
  std::ranges::transform(values, numbers.begin(), [](double v) { return static_cast<float>(v); });
  return packed("float32", shape, numbers);
}

Json pack_rounded(std::span<const double> values, const PackedShape& shape, int bits) {
  const double n_steps = std::exp2(bits - 1) - 1;
  constexpr std::int16_t kMissing = std::numeric_limits<std::int16_t>::min();
  std::vector<std::uint16_t> numbers;
  numbers.reserve(values.size());
  std::vector<double> scales;
  walk_first_axis(values, shape, [&](std::span<const double> part) {
    double largest = 0;
    for (const double v : part)
      if (std::isfinite(v)) largest = std::max(largest, std::abs(v));
    const double scale = largest > 0 ? std::max(largest / n_steps, kLeastStep) : 1.0;
    scales.push_back(scale);
    for (const double v : part) {
      double q = std::isfinite(v) ? std::round(v / scale) : kMissing;
      if (q == 0 && v != 0) q = v > 0 ? 1 : -1;
      numbers.push_back(static_cast<std::uint16_t>(static_cast<std::int16_t>(q)));
    }
  });
  take_differences(numbers, shape.back());
  Json json = packed("int16", shape, numbers);
  json["scale"] = scales;
  json["zero"] = std::vector<double>(scales.size(), 0.0);
  json["missing"] = kMissing;
  json["delta"] = true;
  return json;
}

Json pack_coarse(std::span<const double> values, const PackedShape& shape) {
  constexpr double kSteps = 254;
  constexpr int kMissing = 255;
  std::vector<std::uint8_t> numbers;
  numbers.reserve(values.size());
  std::vector<double> scales, zeros;
  walk_first_axis(values, shape, [&](std::span<const double> part) {
    double least = HUGE_VAL, most = -HUGE_VAL;
    for (const double v : part)
      if (std::isfinite(v)) least = std::min(least, v), most = std::max(most, v);
    const bool has_any = least <= most;
    const double scale =  // the difference of two huge numbers may be infinite, that of their parts is not
        has_any && most > least ? std::max(most / kSteps - least / kSteps, kLeastStep) : 1.0;
    scales.push_back(scale);
    zeros.push_back(has_any ? least : 0.0);
    for (const double v : part)
      numbers.push_back(static_cast<std::uint8_t>(
          std::isfinite(v) ? std::round(v / scale - zeros.back() / scale) : kMissing));
  });
  take_differences(numbers, shape.back());
  Json json = packed("uint8", shape, numbers);
  json["scale"] = scales;
  json["zero"] = zeros;
  json["missing"] = kMissing;
  json["delta"] = true;
  return json;
}

}  // namespace milcci
