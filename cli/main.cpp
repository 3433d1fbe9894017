// The command line program: verbs in, exit codes out.
#include <fmt/core.h>

#include "milcci/version.hpp"

int main() {
  fmt::print("milcci {}\n", milcci::kVersion);
}
