#include "util/ordered_sum.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <stdexcept>
#include <thread>

namespace milcci {
namespace {

TEST(SumOverBlocks, AddsInOrderWhicheverThreadMakesWhat) {
  double expected = 0;
  for (int b = 0; b < 500; ++b) expected += std::sin(b) * std::pow(10.0, b % 17);
  for (const int threads : {1, 2, 5}) {
    std::vector<std::size_t> order;
    double sum = 0;
    sum_over_blocks(
        500, threads, 0.0,
        [](std::size_t b, int, double& part) {
          part = std::sin(static_cast<double>(b)) * std::pow(10.0, static_cast<double>(b % 17));
        },
        [&](std::size_t b, double part) {
          order.push_back(b);
          sum += part;
        });
    EXPECT_EQ(sum, expected);
    ASSERT_EQ(order.size(), 500u);
    EXPECT_TRUE(std::is_sorted(order.begin(), order.end()));
  }
}

TEST(SumOverBlocks, KeepsFewPartsWhileOneBlockIsSlow) {
  constexpr int kThreads = 3;
  std::atomic<int> n_made = 0, n_added = 0, most = 0;
  sum_over_blocks(
      400, kThreads, 0,
      [&](std::size_t b, int, int&) {
        if (b == 7) std::this_thread::sleep_for(std::chrono::milliseconds(20));
        const int alive = ++n_made - n_added;
        int seen = most;
        while (alive > seen && !most.compare_exchange_weak(seen, alive)) {
        }
      },
      [&](std::size_t, int) { ++n_added; });
  EXPECT_EQ(n_added, 400);
  EXPECT_LE(most, 4 * kThreads);
}

TEST(SumOverBlocks, ThrowsWhatMakingOrAddingThrew) {
  for (const int threads : {1, 4}) {
    const auto nothing = [](std::size_t, auto&&...) {};
    const auto fail = [](std::size_t b, auto&&...) {
      if (b == 50) throw std::runtime_error("block 50");
    };
    EXPECT_THROW(sum_over_blocks(100, threads, 0, fail, nothing), std::runtime_error);
    EXPECT_THROW(sum_over_blocks(100, threads, 0, nothing, fail), std::runtime_error);
  }
}

TEST(SumOverBlocks, OfNoBlocksIsNothing) {
  sum_over_blocks(
      0, 3, 0, [](std::size_t, int, int&) { ADD_FAILURE(); }, [](std::size_t, int) { ADD_FAILURE(); });
}

}  // namespace
}  // namespace milcci
