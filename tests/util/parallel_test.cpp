#include "util/parallel.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <stdexcept>
#include <thread>
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

TEST(ParallelFor, RunsWithinItself) {
  std::atomic<int> visits{0};
  for (int again = 0; again < 100; ++again)
    parallel_for(5, 3, [&](std::size_t, int) {
      parallel_for(7, 2, [&](std::size_t, int thread) { visits += thread < 2; });
    });
  EXPECT_EQ(visits, 100 * 5 * 7);
}

TEST(ParallelFor, ServesSeveralThreadsAtATime) {
  std::vector<std::size_t> sums(4, 0);
  {
    std::vector<std::jthread> callers;
    for (std::size_t& sum : sums)
      callers.emplace_back([&sum] {
        for (int again = 0; again < 200; ++again) {
          std::vector<std::size_t> squares(10);
          parallel_for(squares.size(), 3, [&](std::size_t i, int) { squares[i] = i * i; });
          for (const std::size_t square : squares) sum += square;
        }
      });
  }
  for (const std::size_t sum : sums) EXPECT_EQ(sum, 200U * 285U);
}

#if !defined(__SANITIZE_THREAD__)  // which does not know threads after a fork
TEST(ParallelFor, RunsInAForkedProcess) {
  const auto sum_of = [] {
    std::atomic<std::size_t> sum{0};
    parallel_for(100, 3, [&](std::size_t i, int) { sum += i; });
    return sum.load();
  };
  ASSERT_EQ(sum_of(), 4950U);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) _exit(sum_of() == 4950U ? 0 : 1);
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}
#endif

TEST(ParallelFor, DoesNothingForAnEmptyRange) {
  parallel_for(0, 4, [](std::size_t, int) { FAIL(); });
}

}  // namespace
}  // namespace milcci
