// Short texts eight bytes at a time. What is passed here must lie in padded memory: 8 bytes before its end
// and 8 bytes from its beginning can be read, whatever they are. The cells of TableRows do.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace milcci::read {

inline std::uint64_t load_eight(const char* bytes) {
  std::uint64_t word;
  std::memcpy(&word, bytes, sizeof(word));
  return word;
}

inline bool is_same_text(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  if (a.size() > 8 || a.empty() || std::endian::native != std::endian::little)
    return std::memcmp(a.data(), b.data(), a.size()) == 0;
  return (load_eight(a.data()) ^ load_eight(b.data())) << (64 - 8 * a.size()) == 0;
}

/// Reads -123.456 with up to eight digits on either side of the point, exactly: a whole number up to 2^53
/// divided by a power of ten up to 10^22 is rounded once, hence correctly (Clinger 1990). False for all
/// other texts. Several times as fast as the general way; most cells of most tables are such numbers.
inline bool parse_short_decimal(std::string_view text, double& value) {
  static constexpr std::array<double, 9> kPowers = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8};
  static constexpr std::array<std::uint64_t, 9> kWholePowers = {1,      10,      100,      1000,     10000,
                                                                100000, 1000000, 10000000, 100000000};
  // The last n of eight bytes.
  static constexpr std::array<std::uint64_t, 9> kLast = {0,
                                                         0xFF00000000000000,
                                                         0xFFFF000000000000,
                                                         0xFFFFFF0000000000,
                                                         0xFFFFFFFF00000000,
                                                         0xFFFFFFFFFF000000,
                                                         0xFFFFFFFFFFFF0000,
                                                         0xFFFFFFFFFFFFFF00,
                                                         0xFFFFFFFFFFFFFFFF};
  constexpr std::uint64_t kZeros = 0x3030303030303030, kPoints = 0x2E2E2E2E2E2E2E2E,
                          kOnes = 0x0101010101010101, kHighs = 0x8080808080808080;
  if (std::endian::native != std::endian::little || text.empty()) return false;
  const bool is_negative = text.front() == '-';
  const char* const first = text.data() + is_negative;
  const std::size_t length = text.size() - is_negative;
  if (length == 0 || length > 17) return false;

  // Where the point is: the first byte that becomes zero.
  const std::uint64_t start = load_eight(first), pointless = start ^ kPoints;
  const std::uint64_t zeros = (pointless - kOnes) & ~pointless & kHighs;
  std::size_t n_whole = static_cast<std::size_t>(std::countr_zero(zeros)) / 8;
  if (n_whole >= length) n_whole = length;
  const bool has_point = n_whole < length;
  const std::size_t n_decimals = length - n_whole - has_point;
  if (n_whole > 8 || n_decimals > 8 || n_whole + n_decimals == 0 || (has_point && zeros == 0)) return false;

  // Both parts moved to the end of eight digits, filled up with zeros in front.
  const std::uint64_t whole =
      (start << (64 - 8 * n_whole) % 64 & kLast[n_whole]) | (kZeros & ~kLast[n_whole]);
  const std::uint64_t decimals =
      (load_eight(first + length - 8) & kLast[n_decimals]) | (kZeros & ~kLast[n_decimals]);
  const auto is_not_digits = [](std::uint64_t word) {
    return ((word + 0x4646464646464646) | (word - kZeros)) & kHighs;
  };
  if (is_not_digits(whole) | is_not_digits(decimals)) return false;

  // Pairs of digits, pairs of pairs, and once more.
  const auto number = [](std::uint64_t word) {
    word -= kZeros;
    word = word * 10 + (word >> 8);
    return ((word & 0x000000FF000000FF) * 0x000F424000000064 +
            ((word >> 16) & 0x000000FF000000FF) * 0x0000271000000001) >>
           32;
  };
  const std::uint64_t digits = number(whole) * kWholePowers[n_decimals] + number(decimals);
  if (digits > (std::uint64_t{1} << 53)) return false;
  // The sign without a branch, which would be guessed wrong every other time.
  const auto magnitude = std::bit_cast<std::uint64_t>(static_cast<double>(digits) / kPowers[n_decimals]);
  value = std::bit_cast<double>(magnitude | std::uint64_t{is_negative} << 63);
  return true;
}

}  // namespace milcci::read
