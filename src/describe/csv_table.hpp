// A CSV file in the making. Rows are written as they come: traces can be larger than the memory left.
#pragma once

#include <fmt/compile.h>
#include <fmt/format.h>

#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "files/atomic_file.hpp"
#include "milcci/error.hpp"

namespace milcci {

class CsvTable {
 public:
  CsvTable(const std::string& path, Overwrite overwrite)
      : file_(path, overwrite), stream_(std::fopen(file_.temporary_path().c_str(), "wb"), &std::fclose) {
    if (!stream_) fail();
  }

  void text(const std::string& value) {
    separate();
    if (value.find_first_of(",\"\r\n") == std::string::npos) {
      row_ += value;
      return;
    }
    row_ += '"';
    for (const char c : value) row_.append(c == '"' ? 2 : 1, c);
    row_ += '"';
  }
  // NaN is an empty cell.
  void number(double value) {
    separate();
    if (!std::isnan(value)) fmt::format_to(std::back_inserter(row_), FMT_COMPILE("{}"), value);
  }
  void count(std::size_t value) {
    separate();
    fmt::format_to(std::back_inserter(row_), FMT_COMPILE("{}"), value);
  }
  void end_row() {
    row_ += '\n';
    is_first_ = true;
    if (row_.size() > kBuffer) flush();
  }
  void header(const std::vector<std::string>& names) {
    for (const std::string& name : names) text(name);
    end_row();
  }
  void commit() {
    flush();
    if (std::fclose(stream_.release()) != 0) fail();
    file_.commit();
  }

 private:
  static constexpr std::size_t kBuffer = 1 << 20;

  void separate() {
    if (!is_first_) row_ += ',';
    is_first_ = false;
  }
  void flush() {
    if (std::fwrite(row_.data(), 1, row_.size(), stream_.get()) != row_.size()) fail();
    row_.clear();
  }
  [[noreturn]] void fail() const {
    throw Error(ErrorKind::bad_file,
                fmt::format("file \"{}\": cannot be written: {}", file_.path(), std::strerror(errno)));
  }

  AtomicFile file_;
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> stream_;
  std::string row_;
  bool is_first_ = true;
};

}  // namespace milcci
