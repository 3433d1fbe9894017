// NPY and zip files made by hand, right or wrong.
#pragma once

#include <zlib.h>

#include <optional>
#include <string>

namespace milcci::testing {

inline std::string little_endian(std::uint64_t value, int n_bytes) {
  std::string bytes;
  for (int i = 0; i < n_bytes; ++i) bytes += static_cast<char>(value >> (8 * i) & 0xFF);
  return bytes;
}

inline std::string npy(std::string header, const std::string& values, int version = 1) {
  const std::size_t length_size = version == 1 ? 2 : 4;
  header.resize((8 + length_size + header.size() + 64) / 64 * 64 - 8 - length_size, ' ');
  header.back() = '\n';
  return "\x93NUMPY" + std::string(1, static_cast<char>(version)) + '\0' +
         little_endian(header.size(), static_cast<int>(length_size)) + header + values;
}

class ZipWriter {
 public:
  /// `claimed_size` is written in place of the true one, in zip64 form if it needs that.
  void add(const std::string& name, const std::string& bytes, bool is_deflated = false,
           std::optional<std::uint64_t> claimed_size = {}) {
    const std::string packed = is_deflated ? deflated(bytes) : bytes;
    const std::uint64_t size = claimed_size.value_or(bytes.size());
    const bool is_large = size >= 0xFFFFFFFF;
    const std::string extra =
        is_large ? little_endian(1, 2) + little_endian(8, 2) + little_endian(size, 8) : "";
    const uLong checksum =
        crc32(0, reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uInt>(bytes.size()));
    const std::string common = little_endian(0, 2) + little_endian(is_deflated ? 8 : 0, 2) +
                               little_endian(0, 4) + little_endian(checksum, 4) +
                               little_endian(packed.size(), 4) +
                               little_endian(is_large ? 0xFFFFFFFF : size, 4) +
                               little_endian(name.size(), 2) + little_endian(extra.size(), 2);
    directory_ += "PK\x01\x02" + little_endian(20, 2) + little_endian(20, 2) + common +
                  std::string(10, '\0') + little_endian(members_.size(), 4) + name + extra;
    members_ += "PK\x03\x04" + little_endian(20, 2) + common + name + extra + packed;
    ++n_members_;
  }

  std::string bytes() const {
    return members_ + directory_ + "PK\x05\x06" + little_endian(0, 4) + little_endian(n_members_, 2) +
           little_endian(n_members_, 2) + little_endian(directory_.size(), 4) +
           little_endian(members_.size(), 4) + little_endian(0, 2);
  }

 private:
  static std::string deflated(const std::string& bytes) {
    z_stream stream = {};
    deflateInit2(&stream, 6, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
    std::string out(deflateBound(&stream, bytes.size()) + 16, '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream.avail_in = static_cast<uInt>(bytes.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    deflate(&stream, Z_FINISH);
    out.resize(stream.total_out);
    deflateEnd(&stream);
    return out;
  }

  std::string members_, directory_;
  std::size_t n_members_ = 0;
};

}  // namespace milcci::testing
