#include "read/arrays/zip.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <string_view>

#include "read/arrays/bytes.hpp"
#include "read/errors.hpp"

namespace milcci::read {

namespace {

// Sizes of the fixed parts, after "APPNOTE.TXT - .ZIP File Format Specification" 6.3.
constexpr std::size_t kLocalHeader = 30, kEntry = 46, kEnd = 22, kLocator = 20, kEnd64 = 56,
                      kMostComment = 65535;
constexpr std::uint64_t kIn64 = 0xFFFFFFFF;  // "see the zip64 field"

struct Directory {
  std::uint64_t offset = 0, size = 0, n_entries = 0;
};

[[noreturn]] void fail_damaged(const std::string& path, const std::string& what) {
  fail(path, fmt::format("the zip file is damaged or incomplete: {}; copy or save it again", what));
}

Directory find_directory(const std::string& path, std::uint64_t n_bytes) {
  const std::uint64_t tail_size = std::min<std::uint64_t>(n_bytes, kEnd + kMostComment + kLocator);
  const std::uint64_t tail_offset = n_bytes - tail_size;
  const std::string tail = read_bytes(path, tail_offset, tail_size);
  const std::size_t at = tail.rfind("PK\x05\x06");
  if (at == std::string::npos || tail.size() - at < kEnd)
    fail_damaged(path, "it has no directory at its end");
  Directory directory{number_at(tail, at + 16, 4), number_at(tail, at + 12, 4), number_at(tail, at + 10, 2)};
  const bool is_64 = directory.offset == kIn64 || directory.size == kIn64 || directory.n_entries == 0xFFFF;
  if (is_64 && at >= kLocator && tail.compare(at - kLocator, 4, "PK\x06\x07") == 0) {
    const std::uint64_t offset = number_at(tail, at - kLocator + 8, 8);
    if (offset > n_bytes || n_bytes - offset < kEnd64) fail_damaged(path, "its zip64 directory is not there");
    const std::string end = read_bytes(path, offset, kEnd64);
    if (!end.starts_with("PK\x06\x06")) fail_damaged(path, "its zip64 directory is not there");
    directory = {number_at(end, 48, 8), number_at(end, 40, 8), number_at(end, 32, 8)};
  }
  if (directory.offset > n_bytes || directory.size > n_bytes - directory.offset ||
      directory.n_entries > directory.size / kEntry)
    fail_damaged(path, "its directory is larger than the file");
  return directory;
}

// Replaces sizes that did not fit into 32 bits by those of the zip64 field.
void take_zip64(std::string_view extra, ZipMember& member) {
  while (extra.size() >= 4) {
    const std::uint64_t id = number_at(extra, 0, 2);
    const std::size_t size = std::min<std::size_t>(number_at(extra, 2, 2), extra.size() - 4);
    std::string_view field = extra.substr(4, size);
    const auto take = [&](std::uint64_t& number) {
      if (number != kIn64 || field.size() < 8) return;
      number = number_at(field, 0, 8);
      field.remove_prefix(8);
    };
    if (id == 1) {
      take(member.size);
      take(member.packed_size);
      take(member.offset);
    }
    extra.remove_prefix(4 + size);
  }
}

}  // namespace

ZipFile::ZipFile(const std::string& path) : path_(path), n_bytes_(file_size(path)) {
  const Directory directory = find_directory(path, n_bytes_);
  const std::string entries = read_bytes(path, directory.offset, directory.size);
  std::size_t at = 0;
  for (std::uint64_t i = 0; i < directory.n_entries; ++i) {
    if (entries.size() - at < kEntry || entries.compare(at, 4, "PK\x01\x02") != 0)
      fail_damaged(path, fmt::format("entry {} of its directory is not there", i + 1));
    const std::uint64_t flags = number_at(entries, at + 8, 2), method = number_at(entries, at + 10, 2);
    const std::size_t name_size = number_at(entries, at + 28, 2), extra_size = number_at(entries, at + 30, 2),
                      comment_size = number_at(entries, at + 32, 2);
    if (entries.size() - at - kEntry < name_size + extra_size + comment_size)
      fail_damaged(path, fmt::format("entry {} of its directory ends too early", i + 1));
    ZipMember member;
    member.name = entries.substr(at + kEntry, name_size);
    member.checksum = static_cast<std::uint32_t>(number_at(entries, at + 16, 4));
    member.packed_size = number_at(entries, at + 20, 4);
    member.size = number_at(entries, at + 24, 4);
    member.offset = number_at(entries, at + 42, 4);
    member.is_deflated = method == Z_DEFLATED;
    take_zip64(std::string_view(entries).substr(at + kEntry + name_size, extra_size), member);
    if (flags & 1) fail_item(path, member.name, "is encrypted, must not be");
    if (method != 0 && method != Z_DEFLATED)
      fail_item(path, member.name, fmt::format("is packed by method {}, must be stored or deflated", method));
    if (member.packed_size > n_bytes_ || (method == 0 && member.size != member.packed_size))
      fail_item(path, member.name,
                fmt::format("declares {} bytes in a file of {}; the file is damaged", member.packed_size,
                            n_bytes_));
    members_.push_back(std::move(member));
    at += kEntry + name_size + extra_size + comment_size;
  }
}

std::string ZipFile::packed_bytes(const ZipMember& member, std::uint64_t most) const {
  if (member.offset > n_bytes_ || n_bytes_ - member.offset < kLocalHeader)
    fail_item(path_, member.name, "begins behind the end of the file; the file is damaged");
  const std::string header = read_bytes(path_, member.offset, kLocalHeader);
  if (!header.starts_with("PK\x03\x04"))
    fail_item(path_, member.name, "is not where the directory says; the file is damaged");
  const std::uint64_t begin =
      member.offset + kLocalHeader + number_at(header, 26, 2) + number_at(header, 28, 2);
  if (begin > n_bytes_ || member.packed_size > n_bytes_ - begin)
    fail_item(path_, member.name, "ends behind the end of the file; the file is incomplete");
  return read_bytes(path_, begin, std::min(member.packed_size, most));
}

std::string ZipFile::read_start(const ZipMember& member, std::uint64_t most) const {
  most = std::min(most, member.size);
  if (!member.is_deflated) return packed_bytes(member, most);
  return unpack(path_, member.name, packed_bytes(member, UINT64_MAX), Packing::raw, most);
}

std::string ZipFile::read(const ZipMember& member) const {
  if (is_bomb(member.packed_size, member.size))
    fail_item(
        path_, member.name,
        fmt::format("{} packed bytes would become {}; if that is right, save the arrays without packing",
                    member.packed_size, member.size));
  std::string bytes = packed_bytes(member, UINT64_MAX);
  // One byte more than promised shows a member that is larger than it says.
  if (member.is_deflated)
    bytes = unpack(path_, member.name, bytes, Packing::raw, std::max(member.size + 1, member.size));
  if (bytes.size() != member.size)
    fail_item(path_, member.name,
              fmt::format("unpacks to {}{} bytes, but the directory says {}; the file is damaged",
                          bytes.size() > member.size ? "more than " : "",
                          std::min<std::uint64_t>(bytes.size(), member.size), member.size));
  uLong checksum = crc32(0, nullptr, 0);
  for (std::size_t at = 0; at < bytes.size();) {
    const std::size_t n = std::min<std::size_t>(bytes.size() - at, std::size_t{1} << 30);
    checksum = crc32(checksum, reinterpret_cast<const Bytef*>(bytes.data() + at), static_cast<uInt>(n));
    at += n;
  }
  if (checksum != member.checksum) fail_item(path_, member.name, "has a wrong checksum; the file is damaged");
  return bytes;
}

}  // namespace milcci::read
