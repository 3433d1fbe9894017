// More components than a method can have.
#pragma once

#include <string>

#include "milcci/error.hpp"
#include "milcci/types.hpp"

namespace milcci::baselines {

struct TooManyComponents : Error {
  TooManyComponents(const std::string& message, Index largest)
      : Error(ErrorKind::bad_option, message), at_most(largest) {}
  Index at_most;
};

}  // namespace milcci::baselines
