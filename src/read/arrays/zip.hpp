// The members of a zip file, as NumPy makes them: stored or deflated, also larger than 4 GiB (zip64).
//
// By hand and not by a library: it is short, no size in the file is believed before it is compared
// with the size of the file, and those who link to us have one dependency fewer to find.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace milcci::read {

struct ZipMember {
  std::string name;
  std::uint64_t offset = 0;  ///< of its local header
  std::uint64_t packed_size = 0, size = 0;
  std::uint32_t checksum = 0;
  bool is_deflated = false;
};

class ZipFile {
 public:
  /// Throws Error(bad_file) if the directory at the end of the file is not there or makes no sense.
  explicit ZipFile(const std::string& path);

  const std::vector<ZipMember>& members() const { return members_; }
  /// All bytes of a member, its checksum compared; or only the first `most`, unchecked.
  std::string read(const ZipMember& member) const;
  std::string read_start(const ZipMember& member, std::uint64_t most) const;

 private:
  std::string packed_bytes(const ZipMember& member, std::uint64_t most) const;

  std::string path_;
  std::uint64_t n_bytes_;
  std::vector<ZipMember> members_;
};

}  // namespace milcci::read
