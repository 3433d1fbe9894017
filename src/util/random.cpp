#include "util/random.hpp"

#include <cmath>
#include <numbers>

namespace milcci {
namespace {

// One Philox 4x32-10 block; the multipliers and Weyl constants are the published ones.
std::array<std::uint32_t, 4> philox(std::uint64_t key, std::uint64_t stream, std::uint64_t counter) {
  constexpr std::uint64_t kMultiplier0 = 0xD2511F53, kMultiplier1 = 0xCD9E8D57;
  constexpr std::uint32_t kWeyl0 = 0x9E3779B9, kWeyl1 = 0xBB67AE85;
  const auto low = [](std::uint64_t x) { return static_cast<std::uint32_t>(x); };
  const auto high = [](std::uint64_t x) { return static_cast<std::uint32_t>(x >> 32); };
  std::array<std::uint32_t, 4> x{low(counter), high(counter), low(stream), high(stream)};
  std::uint32_t key0 = low(key), key1 = high(key);
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t p0 = kMultiplier0 * x[0], p1 = kMultiplier1 * x[2];
    x = {high(p1) ^ x[1] ^ key0, low(p1), high(p0) ^ x[3] ^ key1, low(p0)};
    key0 += kWeyl0;
    key1 += kWeyl1;
  }
  return x;
}

}  // namespace

std::uint32_t Random::bits() {
  if (used_ == 4) {
    block_ = philox(seed_, stream_, counter_++);
    used_ = 0;
  }
  return block_[static_cast<std::size_t>(used_++)];
}

double Random::uniform() {
  const std::uint64_t high = bits() >> 6, low = bits() >> 5;  // 26 + 27 = 53 bits of mantissa
  return static_cast<double>((high << 27) | low) * 0x1p-53;
}

double Random::normal() {
  if (has_spare_) {
    has_spare_ = false;
    return spare_normal_;
  }
  const double radius = std::sqrt(-2.0 * std::log(1.0 - uniform()));
  const double angle = 2.0 * std::numbers::pi * uniform();
  spare_normal_ = radius * std::sin(angle);
  has_spare_ = true;
  return radius * std::cos(angle);
}

Matrix Random::normal(Index rows, Index cols) {
  Matrix x(rows, cols);
  for (Index c = 0; c < cols; ++c)
    for (Index r = 0; r < rows; ++r) x(r, c) = normal();
  return x;
}

}  // namespace milcci
