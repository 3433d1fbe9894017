// Groups of about equally many numbers, ties kept together.
#include "util/cuts.hpp"

#include <gtest/gtest.h>

namespace milcci {
namespace {

using Cuts = std::vector<std::size_t>;

TEST(BalancedCuts, PartDifferentNumbersEqually) {
  EXPECT_EQ(balanced_cuts({1, 2, 3, 4, 5, 6}, 3), (Cuts{2, 4}));
  EXPECT_EQ(balanced_cuts({1, 2, 3, 4, 5}, 1), Cuts{});
}

TEST(BalancedCuts, GoToTheNearestPlaceBetweenTies) {
  EXPECT_EQ(balanced_cuts({1, 1, 1, 2, 2, 2, 3, 3, 4, 4}, 2), Cuts{6});
  EXPECT_EQ(balanced_cuts({1, 1, 1, 1, 1, 2}, 3), Cuts{5}) << "fewer groups than asked for";
  EXPECT_EQ(balanced_cuts({7, 7, 7}, 2), Cuts{});
  EXPECT_EQ(balanced_cuts({}, 4), Cuts{});
}

}  // namespace
}  // namespace milcci
