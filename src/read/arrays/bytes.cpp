#include "read/arrays/bytes.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "read/errors.hpp"
#include "util/web_address.hpp"

namespace milcci::read {

std::uint64_t file_size(const std::string& path) {
  std::error_code error;
  const std::uint64_t n_bytes = std::filesystem::file_size(path, error);
  if (error == std::errc::no_such_file_or_directory) fail(path, why_not_there(path));
  if (error) fail(path, fmt::format("cannot be read: {}", error.message()));
  return n_bytes;
}

std::string read_bytes(const std::string& path, std::uint64_t offset, std::uint64_t count) {
  const std::uint64_t n_bytes = file_size(path);
  if (offset > n_bytes || count > n_bytes - offset)
    fail(path, fmt::format("ends at byte {}, but bytes {} to {} are asked for; the file is incomplete",
                           n_bytes, offset, offset + count));
  std::ifstream file(path, std::ios::binary);
  std::string bytes(count, '\0');
  file.seekg(static_cast<std::streamoff>(offset));
  file.read(bytes.data(), static_cast<std::streamsize>(count));
  if (static_cast<std::uint64_t>(std::max<std::streamsize>(file.gcount(), 0)) != count)
    fail(path, fmt::format("bytes {} to {} cannot be read", offset, offset + count));
  return bytes;
}

std::uint64_t number_at(std::string_view bytes, std::size_t at, std::size_t size, ByteOrder order) {
  std::uint64_t number = 0;
  for (std::size_t i = 0; i < size; ++i) {
    const std::size_t from = order == ByteOrder::big ? at + i : at + size - 1 - i;
    number = number << 8 | static_cast<unsigned char>(bytes[from]);
  }
  return number;
}

std::string unpack(const std::string& path, std::string_view what, std::string_view packed, Packing packing,
                   std::uint64_t most) {
  constexpr std::size_t kStep = std::size_t{1} << 16;
  z_stream stream = {};
  if (inflateInit2(&stream, packing == Packing::raw ? -MAX_WBITS : MAX_WBITS) != Z_OK) throw std::bad_alloc();
  struct End {
    z_stream& stream;
    ~End() { inflateEnd(&stream); }
  } end{stream};
  std::string out;
  int outcome = Z_OK;
  while (outcome == Z_OK && out.size() < most) {
    if (stream.avail_in == 0) {
      const std::size_t n = std::min<std::size_t>(packed.size(), std::size_t{1} << 30);
      stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
      stream.avail_in = static_cast<uInt>(n);
      packed.remove_prefix(n);
    }
    const std::size_t n_before = out.size();
    const std::size_t room = std::min<std::uint64_t>(std::max(kStep, n_before / 2), most - n_before);
    out.resize(n_before + std::min<std::size_t>(room, std::size_t{1} << 30));
    stream.next_out = reinterpret_cast<Bytef*>(out.data() + n_before);
    stream.avail_out = static_cast<uInt>(out.size() - n_before);
    outcome = inflate(&stream, Z_NO_FLUSH);
    out.resize(out.size() - stream.avail_out);
    if (outcome == Z_BUF_ERROR && !packed.empty()) outcome = Z_OK;
  }
  if (outcome == Z_MEM_ERROR) throw std::bad_alloc();
  if (outcome != Z_STREAM_END && out.size() < most)
    fail_item(
        path, what,
        outcome == Z_BUF_ERROR || outcome == Z_OK
            ? "its packed data end too early; the file is incomplete or damaged"
            : fmt::format("its packed data are damaged ({})", stream.msg ? stream.msg : "no reason given"));
  return out;
}

}  // namespace milcci::read
