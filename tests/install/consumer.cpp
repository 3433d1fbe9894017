// Includes every public header and calls into the installed library.
#include <milcci/milcci.hpp>

#include <cstdio>

int main() {
  const milcci::Trials trials =
      milcci::simulate({.n_channels = 6, .n_trials = 8, .min_length = 20, .max_length = 20});
  std::printf("milcci %s, %zu trials\n", milcci::kVersion, trials.n_trials());
  return trials.n_trials() == 8 ? 0 : 1;
}
