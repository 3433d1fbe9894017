#include "files/atomic_file.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string_view>

#include "milcci/error.hpp"
#include "util/web_address.hpp"

namespace milcci {

namespace fs = std::filesystem;

namespace {

// Brings a file (or the entries of a directory) to the disk; errno tells why not.
bool synchronise(const std::string& path, int flags) {
  const int descriptor = open(path.c_str(), flags | O_CLOEXEC);
  if (descriptor < 0) return false;
  const bool is_synchronised = fsync(descriptor) == 0;
  const int reason = errno;
  close(descriptor);
  errno = reason;
  return is_synchronised;
}

std::string directory_of(const std::string& path) {
  const fs::path directory = fs::path(path).parent_path();
  return directory.empty() ? "." : directory.string();
}

std::string short_hash(const std::string& text) {
  std::uint32_t hash = 2166136261u;  // FNV-1a
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619u;
  return fmt::format("{:08x}", hash);
}

// What the temporary files of one output begin with, on this machine: a process number says nothing of
// another.
std::string temporary_prefix(const std::string& target) {
  std::array<char, 256> host{};
  gethostname(host.data(), host.size() - 1);
  return fmt::format(".milcci-{}-{}-", short_hash(fs::path(target).filename().string()),
                     short_hash(host.data()));
}

// Removes what killed processes left of the same output. Not by std::filesystem, whose iterators end the
// program when memory runs out.
void remove_stale(const std::string& directory, const std::string& prefix) {
  DIR* const entries = opendir(directory.c_str());
  if (!entries) return;
  while (const dirent* entry = readdir(entries)) {
    const std::string_view name = entry->d_name;
    if (!name.starts_with(prefix) || !name.ends_with(".tmp")) continue;
    const int process = std::atoi(entry->d_name + prefix.size());
    const bool is_gone = process > 0 && kill(process, 0) != 0 && errno == ESRCH;
    if (is_gone) unlinkat(dirfd(entries), entry->d_name, 0);
  }
  closedir(entries);
}

// Where a link that leads to no file leads to.
std::string end_of_links(std::string path) {
  constexpr int kMostLinks = 40;
  std::error_code error;
  for (int i = 0; i < kMostLinks && fs::is_symlink(fs::symlink_status(path, error)); ++i) {
    const fs::path next = fs::read_symlink(path, error);
    if (error) break;
    path = (next.is_absolute() ? next : fs::path(path).parent_path() / next).string();
  }
  return path;
}

}  // namespace

AtomicFile::AtomicFile(const std::string& path, Overwrite overwrite)
    : path_(path), target_(path), overwrite_(overwrite) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (path.empty()) fail("cannot be written: the name is empty, must be a file name");
  if (status.type() == fs::file_type::none) fail(fmt::format("cannot be written: {}", error.message()));
  if (fs::is_directory(status)) fail("cannot be written: it is a directory, must be a file name in it");
  if (fs::exists(status)) {
    // A device or pipe would be replaced by a file, which nobody wants.
    if (!fs::is_regular_file(status)) fail("cannot be written: it exists and is not a regular file");
    if (overwrite == Overwrite::no) fail_exists();
    target_ = fs::canonical(path, error).string();
    if (error) fail(fmt::format("cannot be written: {}", error.message()));
  } else {
    target_ = end_of_links(path);
  }

  // A short name of its own, since the given one may already be as long as a name can be.
  static std::atomic<unsigned> n_files = 0;
  const std::string prefix = temporary_prefix(target_);
  remove_stale(directory_of(target_), prefix);
  for (int attempt = 0; attempt < 1000; ++attempt) {
    temporary_path_ =
        (fs::path(directory_of(target_)) / fmt::format("{}{}-{}.tmp", prefix, getpid(), n_files++)).string();
    const int descriptor = open(temporary_path_.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666);
    if (descriptor >= 0) {
      close(descriptor);
      return;
    }
    if (errno != EEXIST) break;
  }
  const int reason = errno;
  temporary_path_.clear();
  if (reason == ENOENT && is_address(path)) fail(kAddressIsNotWritten);
  fail(fmt::format("cannot be written: directory \"{}\": {}", directory_of(target_), std::strerror(reason)));
}

AtomicFile::~AtomicFile() {
  if (!temporary_path_.empty()) unlink(temporary_path_.c_str());
}

void AtomicFile::write(const std::string& text) {
  std::FILE* stream = std::fopen(temporary_path_.c_str(), "wb");
  const bool is_written = stream && std::fwrite(text.data(), 1, text.size(), stream) == text.size();
  const int reason = errno;
  const bool is_closed = stream && std::fclose(stream) == 0;
  if (!is_written || !is_closed)
    fail(fmt::format("cannot be written: {}", std::strerror(is_written ? errno : reason)));
}

void AtomicFile::commit() {
  if (!synchronise(temporary_path_, O_WRONLY))
    fail(fmt::format("cannot be brought to the disk: {}", std::strerror(errno)));
  std::error_code ignored;
  // What is replaced keeps its mode and, where that is allowed, its owner.
  struct stat old {};
  if (overwrite_ == Overwrite::yes && stat(target_.c_str(), &old) == 0) {
    if (chown(temporary_path_.c_str(), old.st_uid, old.st_gid) != 0 && errno == EPERM)
      errno = 0;  // a file of another user becomes ours, as any program would have it
    chmod(temporary_path_.c_str(), old.st_mode & 07777);
  }
  // A hard link, unlike a renaming, never replaces: that makes Overwrite::no safe against another process.
  if (overwrite_ == Overwrite::no && link(temporary_path_.c_str(), target_.c_str()) == 0) {
    unlink(temporary_path_.c_str());
  } else {
    // Some file systems have no hard links; there, checking first is the best one can do.
    if (overwrite_ == Overwrite::no && (errno == EEXIST || fs::exists(target_, ignored))) fail_exists();
    if (rename(temporary_path_.c_str(), target_.c_str()) != 0)
      fail(fmt::format("cannot be given its name: {}", std::strerror(errno)));
  }
  temporary_path_.clear();
  // The file is there; that its name outlives a power cut is worth a try, not an error.
  synchronise(directory_of(target_), O_RDONLY | O_DIRECTORY);
}

void AtomicFile::fail(const std::string& message) const {
  throw Error(ErrorKind::bad_file, fmt::format("file \"{}\": {}", path_, message));
}

void AtomicFile::fail_exists() const {
  fail("it exists and is not overwritten; `force` replaces it, or give another name");
}

void check_writable(const std::string& path, Overwrite overwrite) {
  // Only creating a file shows that one can be created.
  const AtomicFile trial(path, overwrite);
}

}  // namespace milcci
