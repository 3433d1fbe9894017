// A file in memory or part of it, and numbers in it; nothing is read beyond its end.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace milcci::read {

/// `count` bytes from `offset` on. Throws Error(bad_file) if the file does not have that many.
std::string read_bytes(const std::string& path, std::uint64_t offset, std::uint64_t count);
std::uint64_t file_size(const std::string& path);

/// True if this much from this little can only be a file made to fill the memory: no recording is
/// that regular.
constexpr bool is_bomb(std::uint64_t n_packed, std::uint64_t n_unpacked) {
  constexpr std::uint64_t kHarmless = std::uint64_t{1} << 30, kMostGrowth = 300;
  return n_unpacked > kHarmless && n_unpacked / kMostGrowth > n_packed;
}

/// An unsigned number of `size` bytes.
enum class ByteOrder { little, big };
std::uint64_t number_at(std::string_view bytes, std::size_t at, std::size_t size,
                        ByteOrder order = ByteOrder::little);

/// Unpacks data of zlib ("zlib"), or without its header ("raw"), up to `most` bytes. Throws Error(bad_file)
/// that says `what` is damaged. Memory grows with what comes out, not with what was promised.
enum class Packing { zlib, raw };
std::string unpack(const std::string& path, std::string_view what, std::string_view packed, Packing packing,
                   std::uint64_t most);

}  // namespace milcci::read
