// A 64-bit hash of trials, one word at a time: about as fast as memory, the same on every machine and for any
// number of threads.
#include <fmt/format.h>

#include <array>
#include <bit>
#include <cstdint>

#include "milcci/files.hpp"
#include "util/ordered_sum.hpp"

namespace milcci {

namespace {

class Hash {
 public:
  explicit Hash(std::uint64_t state = 0) : state_(state) {}
  void add(std::uint64_t word) {
    // Odd multipliers and a rotation: every step can be undone, so no two different words collide in it.
    state_ = std::rotl(state_ ^ (word * 0x9e3779b97f4a7c15ull), 29) * 0xbf58476d1ce4e5b9ull + 1;
  }
  void add(std::int64_t number) { add(static_cast<std::uint64_t>(number)); }
  void add(double number) {
    // NaN means missing, whatever its payload.
    constexpr std::uint64_t kMissing = 0x7ff8000000000000ull;
    add(number == number ? std::bit_cast<std::uint64_t>(number) : kMissing);
  }
  void add(const std::string& text) {
    add(static_cast<std::uint64_t>(text.size()));
    for (std::size_t i = 0; i < text.size(); i += 8) {
      std::uint64_t word = 0;
      for (std::size_t b = i; b < text.size() && b < i + 8; ++b)
        word = word << 8 | static_cast<unsigned char>(text[b]);
      add(word);
    }
  }
  // The finisher of splitmix64 (Steele et al. 2014) spreads the last words over all bits.
  std::uint64_t finish() const {
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
  }

 private:
  std::uint64_t state_;
};

// Four hashes side by side, each of every fourth value: a step waits for the one before in its own hash only.
// Floats count as the doubles they are equal to.
template <class Values>
std::uint64_t hash_of(const Values& y) {
  constexpr Index kHashes = 4;
  std::array<Hash, kHashes> hashes{Hash{1}, Hash{2}, Hash{3}, Hash{4}};
  const auto* values = y.data();
  const Index n_whole = y.size() / kHashes * kHashes;
  for (Index i = 0; i < n_whole; i += kHashes)
    for (std::size_t h = 0; h < hashes.size(); ++h)
      hashes[h].add(static_cast<double>(values[i + static_cast<Index>(h)]));
  for (Index i = n_whole; i < y.size(); ++i) hashes[0].add(static_cast<double>(values[i]));
  Hash all;
  for (const Hash& hash : hashes) all.add(hash.finish());
  return all.finish();
}

}  // namespace

std::string fingerprint(const TrialSource& trials, int threads) {
  Hash hash;
  // Lengths first, so that no two shapes give the same words.
  hash.add(static_cast<std::uint64_t>(trials.n_trials()));
  const auto hash_trial = [&](std::size_t m, int, std::uint64_t& of_trial) {
    TrialBuffer buffer;
    of_trial = trials.values(m, buffer).visit([](const auto& y) { return hash_of(y); });
  };
  const auto add_trial = [&](std::size_t m, std::uint64_t of_trial) {
    hash.add(static_cast<std::int64_t>(trials.n_channels()));
    hash.add(static_cast<std::int64_t>(trials.n_times(m)));
    hash.add(of_trial);
  };
  sum_over_blocks(trials.n_trials(), resolve_threads(threads), std::uint64_t{0}, hash_trial, add_trial);
  hash.add(static_cast<std::uint64_t>(trials.channel_names().size()));
  for (const std::string& name : trials.channel_names()) hash.add(name);
  for (const LabelColumn& column : trials.labels()) {
    hash.add(column.name);
    hash.add(static_cast<std::uint64_t>(column.values.index()));
    std::visit(
        [&](const auto& values) {
          hash.add(static_cast<std::uint64_t>(values.size()));
          for (const auto& value : values) hash.add(value);
        },
        column.values);
  }
  return fmt::format("{:016x}", hash.finish());
}

}  // namespace milcci
