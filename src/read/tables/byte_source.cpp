#include "read/tables/byte_source.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <vector>

#include "read/arrays/bytes.hpp"
#include "read/errors.hpp"
#include "util/web_address.hpp"

namespace milcci::read {

namespace {

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

class PlainSource : public ByteSource {
 public:
  explicit PlainSource(const std::string& path) : path_(path), file_(std::fopen(path.c_str(), "rbe")) {
    if (!file_) fail(path, fmt::format("cannot be opened for reading: {}", std::strerror(errno)));
    std::setvbuf(file_.get(), nullptr, _IONBF, 0);  // whoever reads has a buffer already
  }

  std::size_t read(char* bytes, std::size_t n) override {
    const std::size_t n_read = std::fread(bytes, 1, n, file_.get());
    if (n_read < n && std::ferror(file_.get()))
      fail(path_, fmt::format("cannot be read: {}", std::strerror(errno)));
    return n_read;
  }

 private:
  std::string path_;
  std::unique_ptr<std::FILE, CloseFile> file_;
};

// gzip: one or more members one after the other, each with a checksum.
class GzipSource : public ByteSource {
 public:
  explicit GzipSource(const std::string& path) : path_(path), file_(path), packed_(kBlock) {
    constexpr int kGzipOnly = 16 + MAX_WBITS;
    if (inflateInit2(&stream_, kGzipOnly) != Z_OK) throw std::bad_alloc();
  }
  GzipSource(const GzipSource&) = delete;
  GzipSource& operator=(const GzipSource&) = delete;
  ~GzipSource() override { inflateEnd(&stream_); }

  std::size_t read(char* bytes, std::size_t n) override {
    stream_.next_out = reinterpret_cast<Bytef*>(bytes);
    stream_.avail_out = static_cast<uInt>(std::min<std::size_t>(n, 1U << 30));
    const std::size_t wanted = stream_.avail_out;
    while (stream_.avail_out > 0 && !is_at_end_) step();
    n_unpacked_ += wanted - stream_.avail_out;
    check_growth();
    return wanted - stream_.avail_out;
  }

 private:
  static constexpr std::size_t kBlock = std::size_t{1} << 18;

  void step() {
    if (stream_.avail_in == 0) {
      stream_.next_in = reinterpret_cast<Bytef*>(packed_.data());
      stream_.avail_in = static_cast<uInt>(file_.read(packed_.data(), packed_.size()));
      n_packed_ += stream_.avail_in;
    }
    if (stream_.avail_in == 0) {
      if (is_in_member_) fail(path_, "the gzip data end too early; the file is incomplete, copy it again");
      is_at_end_ = true;
      return;
    }
    is_in_member_ = true;
    const int outcome = inflate(&stream_, Z_NO_FLUSH);
    if (outcome == Z_STREAM_END) {
      is_in_member_ = false;
      inflateReset(&stream_);
    } else if (outcome == Z_MEM_ERROR) {
      throw std::bad_alloc();
    } else if (outcome != Z_OK && outcome != Z_BUF_ERROR) {
      fail(path_, fmt::format("the gzip data are damaged after {} unpacked bytes ({}); copy the file again",
                              n_unpacked_, stream_.msg ? stream_.msg : "no reason given"));
    }
  }

  void check_growth() const {
    if (is_bomb(n_packed_, n_unpacked_))
      fail(path_, fmt::format("{} packed bytes become more than {}; if that is right, unpack the file with "
                              "gunzip first",
                              n_packed_, n_unpacked_));
  }

  std::string path_;
  PlainSource file_;
  std::vector<char> packed_;
  z_stream stream_ = {};
  std::uint64_t n_packed_ = 0, n_unpacked_ = 0;
  bool is_in_member_ = false, is_at_end_ = false;
};

}  // namespace

std::unique_ptr<ByteSource> open_source(const std::string& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) fail(path, why_not_there(path));
  if (!std::filesystem::is_regular_file(status))
    fail(path, "is not a regular file; save the data to a file and give its name");
  auto plain = std::make_unique<PlainSource>(path);
  char first[2] = {};
  const bool is_gzip = plain->read(first, 2) == 2 && first[0] == '\x1F' && first[1] == '\x8B';
  if (is_gzip) return std::make_unique<GzipSource>(path);
  return std::make_unique<PlainSource>(path);
}

}  // namespace milcci::read
