#include "hdf5/fletcher32.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "util/random.hpp"

namespace milcci {
namespace {

// As HDF5 defines it: big-endian words, sums folded to 16 bits.
std::uint32_t by_definition(const std::vector<std::byte>& bytes) {
  std::uint32_t words = 0, running = 0;
  const auto fold = [](std::uint32_t sum) { return (sum & 0xffff) + (sum >> 16); };
  for (std::size_t i = 0; i + 1 < bytes.size(); i += 2) {
    words = fold(words + (std::to_integer<std::uint32_t>(bytes[i]) << 8 |
                          std::to_integer<std::uint32_t>(bytes[i + 1])));
    running = fold(running + words);
  }
  return fold(running) << 16 | fold(words);
}

std::vector<std::byte> random_bytes(std::size_t n) {
  Random random(n, 0);
  std::vector<std::byte> bytes(n);
  for (std::byte& byte : bytes) byte = static_cast<std::byte>(256 * random.uniform());
  return bytes;
}

TEST(Fletcher32, IsHdf5s) {
  for (const std::size_t n : {0, 2, 8, 16, 30, 4094, 4096, 4098, 8192, 12346, 100000})
    EXPECT_TRUE(has_fletcher32(random_bytes(n), by_definition(random_bytes(n)))) << n;
  for (const int value : {0, 255}) {
    const std::vector<std::byte> same(10000, static_cast<std::byte>(value));
    EXPECT_TRUE(has_fletcher32(same, by_definition(same))) << value;
  }
}

TEST(Fletcher32, NoticesAnyChangedByteAndAnySwap) {
  const std::vector<std::byte> bytes = random_bytes(9000);
  const std::uint32_t checksum = by_definition(bytes);
  for (std::size_t i = 0; i < bytes.size(); i += 7) {
    std::vector<std::byte> changed = bytes;
    changed[i] ^= std::byte{1};
    EXPECT_FALSE(has_fletcher32(changed, checksum)) << i;
    changed = bytes;
    std::swap(changed[i], changed[(i + 2) % bytes.size()]);
    EXPECT_EQ(has_fletcher32(changed, checksum), changed == bytes) << i;
  }
  EXPECT_FALSE(has_fletcher32(bytes, checksum ^ 1));
}

}  // namespace
}  // namespace milcci
