#include "baselines/criteria.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace milcci {
namespace {

TEST(Criteria, AreThoseOfTheDefinition) {
  // Four errors of size 2: variance 4. One number besides the variance.
  const Criteria found = information_criteria(16, 4, 1);
  double log_likelihood = 0;
  for (int i = 0; i < 4; ++i) log_likelihood += -0.5 * std::log(2 * M_PI * 4) - 0.5 * 4 / 4;
  EXPECT_NEAR(found.log_likelihood, log_likelihood, 1e-12);
  EXPECT_NEAR(found.aic, 2 * 2 - 2 * log_likelihood, 1e-12);
  EXPECT_NEAR(found.bic, 2 * std::log(4) - 2 * log_likelihood, 1e-12);
  EXPECT_NEAR(found.hqc, 4 * std::log(std::log(4)) - 2 * log_likelihood, 1e-12);
}

TEST(Criteria, PunishNumbersThatDoNotHelp) {
  const Criteria few = information_criteria(10, 1000, 5), many = information_criteria(10, 1000, 50);
  EXPECT_LT(few.aic, many.aic);
  EXPECT_LT(few.hqc, many.hqc);
  EXPECT_LT(few.bic, many.bic);
}

}  // namespace
}  // namespace milcci
