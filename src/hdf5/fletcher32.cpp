#include "hdf5/fletcher32.hpp"

#include <bit>
#include <cstring>

namespace milcci {
namespace {

constexpr std::uint64_t kModulus = 65535;

// Of words w_1 ... w_n: their sum, and the sum of the sums of the first 1, 2, ... n. Modulo kModulus in the
// end.
struct Sums {
  std::uint64_t words = 0, running = 0;

  void add(std::uint64_t n, const Sums& more) {
    running = (running + n * words + more.running) % kModulus;
    words = (words + more.words) % kModulus;
  }
};

// Eight lanes side by side, lane l with the words l, l + 8, ..., add what compilers make vectors of. Word
// 8 j + l of n is in n - 8 j - l running sums, and in n / 8 - j of its lane.
constexpr std::size_t kLanes = 8, kSteps = 256, kBlock = kLanes * kSteps;  // no lane exceeds 32 bits
void add_block(const std::byte* bytes, Sums& sums) {
  std::uint32_t words[kLanes] = {}, running[kLanes] = {};
  for (std::size_t step = 0; step < kSteps; ++step) {
    std::uint16_t next[kLanes];
    std::memcpy(next, bytes + step * sizeof next, sizeof next);
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      words[lane] += next[lane];
      running[lane] += words[lane];
    }
  }
  Sums block;
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    block.words += words[lane];
    block.running += kLanes * std::uint64_t{running[lane]} - lane * std::uint64_t{words[lane]};
  }
  sums.add(kBlock, block);
}

}  // namespace

bool has_fletcher32(std::span<const std::byte> bytes, std::uint32_t checksum) {
  Sums sums;
  const std::size_t n_words = bytes.size() / 2, n_blocked = n_words / kBlock * kBlock;
  for (std::size_t i = 0; i < n_blocked; i += kBlock) add_block(bytes.data() + 2 * i, sums);
  Sums rest;
  for (std::size_t i = n_blocked; i < n_words; ++i) {
    std::uint16_t word;
    std::memcpy(&word, bytes.data() + 2 * i, sizeof word);
    rest.words += word;
    rest.running += rest.words;
  }
  sums.add(n_words - n_blocked, rest);
  // Words of the checksum have their high byte first. Swapping the bytes of a word multiplies it by
  // 256 modulo 65535, and the same holds for sums.
  const std::uint64_t factor = std::endian::native == std::endian::little ? 256 : 1;
  return sums.words * factor % kModulus == (checksum & 0xffff) % kModulus &&
         sums.running * factor % kModulus == (checksum >> 16) % kModulus;
}

}  // namespace milcci
