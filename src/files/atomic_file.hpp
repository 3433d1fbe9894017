// A file that appears whole or not at all: written under a temporary name in the same directory, brought to
// the disk, then renamed.
#pragma once

#include <string>

#include "milcci/files.hpp"

namespace milcci {

class AtomicFile {
 public:
  /// Creates the empty temporary file. Throws Error(bad_file) if `path` exists (with Overwrite::no), is not
  /// a file, or its directory does not exist or cannot be written to.
  AtomicFile(const std::string& path, Overwrite overwrite);
  /// Removes the temporary file, unless it was committed.
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  const std::string& path() const { return path_; }
  /// Writes all of it, in place of what is there. Throws Error(bad_file) with the reason if that fails.
  void write(const std::string& text);
  /// Where to write.
  const std::string& temporary_path() const { return temporary_path_; }
  /// Gives the file its name. With Overwrite::no another file that got the name meanwhile is kept, and this
  /// throws.
  void commit();

 private:
  [[noreturn]] void fail(const std::string& message) const;
  [[noreturn]] void fail_exists() const;

  std::string path_;    ///< as given, for messages
  std::string target_;  ///< with symbolic links followed, so that they are kept
  std::string temporary_path_;
  Overwrite overwrite_;
};

}  // namespace milcci
