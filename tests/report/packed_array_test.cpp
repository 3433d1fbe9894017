// Arrays of a report, unpacked again as docs/report-format.md tells.
#include "report/packed_array.hpp"

#include <gtest/gtest.h>
#include <zlib.h>

#include <cmath>
#include <cstring>
#include <string_view>

namespace milcci {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

std::vector<unsigned char> from_base64(std::string_view text) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::vector<unsigned char> bytes;
  unsigned bits = 0, n_bits = 0;
  for (const char c : text) {
    if (c == '=') break;
    bits = (bits << 6) | static_cast<unsigned>(kDigits.find(c));
    n_bits += 6;
    if (n_bits < 8) continue;
    n_bits -= 8;
    bytes.push_back(static_cast<unsigned char>((bits >> n_bits) & 255U));
  }
  return bytes;
}

template <class T>
std::vector<T> numbers_of(const Json& array) {
  std::size_t n = 1;
  for (const Json& length : array["shape"]) n *= length.get<std::size_t>();
  const auto packed = from_base64(array["data"].get<std::string>());
  std::vector<unsigned char> planes(n * sizeof(T));
  auto size = static_cast<uLongf>(planes.size());
  EXPECT_EQ(uncompress(planes.data(), &size, packed.data(), static_cast<uLong>(packed.size())), Z_OK);
  EXPECT_EQ(size, planes.size());
  std::vector<T> numbers(n);
  for (std::size_t i = 0; i < n; ++i) {
    unsigned char bytes[sizeof(T)];
    for (std::size_t b = 0; b < sizeof(T); ++b) bytes[b] = planes[b * n + i];
    std::memcpy(&numbers[i], bytes, sizeof(T));
  }
  return numbers;
}

TEST(Base64, KnowsTheVectorsOfItsStandard) {
  const auto encoded = [](std::string_view text) {
    return base64({reinterpret_cast<const unsigned char*>(text.data()), text.size()});
  };
  EXPECT_EQ(encoded(""), "");
  EXPECT_EQ(encoded("f"), "Zg==");
  EXPECT_EQ(encoded("fo"), "Zm8=");
  EXPECT_EQ(encoded("foo"), "Zm9v");
  EXPECT_EQ(encoded("foobar"), "Zm9vYmFy");
}

TEST(PackedArray, ExactNumbersKeepTheirBits) {
  const std::vector<double> values = {0.1, -1e300, kNaN, 0.0};
  const auto found = numbers_of<double>(pack_exact(values, {4}));
  EXPECT_EQ(std::memcmp(found.data(), values.data(), sizeof(double) * 4), 0);
}

TEST(PackedArray, RoundedNumbersAreWithinAStepAndZeroIsZero) {
  const std::vector<double> values = {1.0, 0.0, -0.25, 1e-9, kNaN, -1e-12, 700.0, 0.0};
  const Json array = pack_rounded(values, {2, 4});
  auto found = numbers_of<std::int16_t>(array);
  for (std::size_t i = 0; i < found.size(); ++i)
    if (i % 4 != 0) found[i] = static_cast<std::int16_t>(found[i] + found[i - 1]);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double scale = array["scale"][i / 4].get<double>();
    if (std::isnan(values[i])) {
      EXPECT_EQ(found[i], array["missing"].get<int>());
      continue;
    }
    EXPECT_NEAR(scale * found[i], values[i], scale) << i;
    EXPECT_EQ(found[i] == 0, values[i] == 0) << i;
  }
  EXPECT_EQ(array["scale"][1].get<double>(), 700.0 / 32767);
}

TEST(PackedArray, TakesTheSmallestAndTheLargestNumbers) {
  const std::vector<double> values = {5e-324, -5e-324, 1.7e308, -1.7e308};
  const Json rounded = pack_rounded(values, {2, 2});
  for (const double step : rounded["scale"]) EXPECT_TRUE(std::isnormal(step));
  const Json coarse = pack_coarse(values, {2, 2});
  for (const double step : coarse["scale"]) EXPECT_TRUE(std::isnormal(step));
  EXPECT_EQ(numbers_of<std::uint8_t>(coarse)[2], 254);
}

TEST(PackedArray, FewerBitsAreLargerSteps) {
  const std::vector<double> values = {-4.0, 1.0};
  EXPECT_DOUBLE_EQ(pack_rounded(values, {1, 2}, 12)["scale"][0].get<double>(), 4.0 / 2047);
}

TEST(PackedArray, CoarseNumbersReachFromTheLeastToTheLargest) {
  const std::vector<double> values = {5.0, 7.0, kNaN, 6.0, 3.0, 3.0, 3.0, 3.0, kNaN, kNaN, kNaN, kNaN};
  const Json array = pack_coarse(values, {3, 4});
  auto found = numbers_of<std::uint8_t>(array);
  for (std::size_t i = 0; i < found.size(); ++i)
    if (i % 4 != 0) found[i] = static_cast<std::uint8_t>(found[i] + found[i - 1]);
  const auto value = [&](std::size_t i) {
    return array["zero"][i / 4].get<double>() + array["scale"][i / 4].get<double>() * found[i];
  };
  EXPECT_DOUBLE_EQ(value(0), 5.0);
  EXPECT_DOUBLE_EQ(value(1), 7.0);
  EXPECT_EQ(found[2], array["missing"].get<int>());
  EXPECT_NEAR(value(3), 6.0, 1.0 / 254);
  EXPECT_DOUBLE_EQ(value(4), 3.0);
  EXPECT_EQ(found[8], 255);
}

}  // namespace
}  // namespace milcci
