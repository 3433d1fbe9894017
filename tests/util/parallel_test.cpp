#include "util/parallel.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <vector>

namespace milcci {
namespace {

TEST(ParallelFor, VisitsEveryIndexOnceForAnyNumberOfThreads) {
  for (const int threads : {1, 2, 7}) {
    std::vector<std::atomic<int>> visits(1000);
    parallel_for(visits.size(), threads, [&](std::size_t i, int) { ++visits[i]; });
    for (const auto& n : visits) EXPECT_EQ(n, 1);
  }
}

TEST(ParallelFor, NumbersItsThreadsFromZero) {
  std::atomic<int> outside{0};
  parallel_for(100, 3, [&](std::size_t, int thread) { outside += thread < 0 || thread >= 3; });
  EXPECT_EQ(outside, 0);
}

TEST(ParallelFor, ThrowsWhatTheBodyThrewAfterAllThreadsEnded) {
  for (const int threads : {1, 4}) {
    std::atomic<int> running{0};
    const auto loop = [&] {
      parallel_for(200, threads, [&](std::size_t i, int) {
        ++running;
        if (i == 17) {
          --running;
          throw std::invalid_argument("seventeen");
        }
        --running;
      });
    };
    EXPECT_THROW(loop(), std::invalid_argument);
    EXPECT_EQ(running, 0);
  }
}

TEST(ParallelFor, DoesNothingForAnEmptyRange) {
  parallel_for(0, 4, [](std::size_t, int) { FAIL(); });
}

}  // namespace
}  // namespace milcci
