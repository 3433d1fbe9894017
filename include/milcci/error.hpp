// The one exception of the library. Its kind chooses the exit code of the command line and, later, the
// Python exception; its message says what was found, where, what was expected and what to do.
#pragma once

#include <stdexcept>
#include <string>

namespace milcci {

enum class ErrorKind {
  bad_input,   ///< trials or labels are inconsistent with one another or with the model
  bad_option,  ///< an option, or a combination of options, is outside its range
  bad_file,    ///< a file cannot be read or written, or is not what it should be
  numerical    ///< a computation left the finite numbers
};

class Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, const std::string& message) : std::runtime_error(message), kind_(kind) {}
  ErrorKind kind() const noexcept { return kind_; }

 private:
  ErrorKind kind_;
};

}  // namespace milcci
