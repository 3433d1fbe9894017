#include "util/random.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace milcci {
namespace {

// Known answers of Philox 4x32-10 for an all-zero key and counter, as published with the method.
TEST(Random, IsPhilox) {
  Random random(0, 0);
  EXPECT_EQ(random.bits(), 0x6627e8d5u);
  EXPECT_EQ(random.bits(), 0xe169c58du);
  EXPECT_EQ(random.bits(), 0xbc57ac4cu);
  EXPECT_EQ(random.bits(), 0x9b00dbd8u);
}

TEST(Random, StreamsAndSeedsDiffer) {
  Random a(1, 0), b(1, 1), c(2, 0), again(1, 0);
  const double x = a.uniform();
  EXPECT_NE(x, b.uniform());
  EXPECT_NE(x, c.uniform());
  EXPECT_EQ(x, again.uniform());
}

TEST(Random, HasTheMomentsOfItsDistributions) {
  Random random(7, 3);
  constexpr int kDraws = 200000;
  double mean = 0, normal_mean = 0, normal_square = 0;
  for (int i = 0; i < kDraws; ++i) {
    const double u = random.uniform(), z = random.normal();
    ASSERT_TRUE(u >= 0 && u < 1);
    mean += u / kDraws;
    normal_mean += z / kDraws;
    normal_square += z * z / kDraws;
  }
  constexpr double kFiveSigma = 5.0 / 447.0;  // sqrt(200000) = 447
  EXPECT_NEAR(mean, 0.5, 0.29 * kFiveSigma);
  EXPECT_NEAR(normal_mean, 0.0, kFiveSigma);
  EXPECT_NEAR(normal_square, 1.0, 1.42 * kFiveSigma);
}

}  // namespace
}  // namespace milcci
