// How long a fit of a whole recording works between two calls of the progress callback.
#include <gtest/gtest.h>

#include <ctime>
#include <string>

#include "milcci/fit.hpp"
#include "support/simulated_fit.hpp"

namespace milcci {
namespace {

// Seconds of processor time, of all threads together: what other programs take does not count.
double cpu_seconds() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

class Silence : public ::testing::TestWithParam<int> {};

TEST_P(Silence, IsHalfASecondOfWorkPerThreadAtMost) {
  constexpr double kLongest = 0.5;
  const SimulateOptions simulated = preset("recording");
  FitOptions options = testing::options_for(simulated);
  options.threads = GetParam();
  double last = -1, longest = 0;
  std::string where, before;
  fit(simulate(simulated), options, [&](const Progress& progress) {
    const double now = cpu_seconds();
    const std::string here = progress.stage + ", " + progress.phase;
    if (last >= 0 && now - last > longest) {
      longest = now - last;
      where = "from '" + before + "' to '" + here + "', step " + std::to_string(progress.step);
    }
    last = now;
    before = here;
    return Continue::yes;
  });
  EXPECT_GT(longest, 0.0);
  EXPECT_LE(longest, kLongest * GetParam()) << where;
  RecordProperty("longest_silence_ms", static_cast<int>(1000 * longest));
}

INSTANTIATE_TEST_SUITE_P(Threads, Silence, ::testing::Values(1, 2));

}  // namespace
}  // namespace milcci
