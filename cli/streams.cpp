#include "streams.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>

#include "core/shown_name.hpp"

namespace milcci::cli {
namespace {

template <class Json>
void print_any_json(const Json& json) {
  print_result(json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

std::string& last_written() {
  static std::string path;
  return path;
}

}  // namespace

bool occupy_standard_streams() {
  for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; ++stream) {
    if (fcntl(stream, F_GETFD) != -1) continue;
    // The lowest free descriptor is taken, which is this one. Standard output is opened for reading
    // only: a result that nobody gets is a failure.
    if (open("/dev/null", stream == STDOUT_FILENO ? O_RDONLY : O_RDWR) != stream) return false;
  }
  return true;
}

void talk(const std::string& text) {
  draw(without_escape_codes(text));
}

void draw(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

void print_text(const std::string& text) {
  print_result(without_escape_codes(text));
}

void print_result(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
}

void print_json(const nlohmann::json& json) {
  print_any_json(json);
}

void print_json(const nlohmann::ordered_json& json) {
  print_any_json(json);
}

void note_written(const std::string& path) {
  last_written() = path;
}

const std::string& written_file() {
  return last_written();
}

bool results_arrived() {
  return std::fflush(stdout) == 0 && std::ferror(stdout) == 0;
}

}  // namespace milcci::cli
