// What is told of a fit before it begins.
#include <gtest/gtest.h>

#include "milcci/fit.hpp"
#include "support/random_problem.hpp"

namespace milcci {
namespace {

TEST(Estimate, MemoryHoldsTheTrialsAndGrowsWithWhatIsAsked) {
  const Trials trials = testing::random_trials({.seed = 3});
  FitOptions options = testing::two_categories();
  double data = 0;
  for (const Matrix& y : trials.values) data += 8.0 * static_cast<double>(y.size());
  const double small = estimate_memory(trials, options);
  EXPECT_GT(small, data);
  options.prior = TracePrior::lds;
  const double with_dynamics = estimate_memory(trials, options);
  EXPECT_GT(with_dynamics, small);
  options.categories.push_back(
      {.name = "trial_number", .n_components = 2, .kind = CategoryKind::trial_number});
  EXPECT_GT(estimate_memory(trials, options), with_dynamics);
}

TEST(Estimate, GapsTakeMemory) {
  const FitOptions options = testing::two_categories();
  EXPECT_GT(estimate_memory(testing::random_trials({.missing = 0.3, .seed = 3}), options),
            estimate_memory(testing::random_trials({.missing = 0.0, .seed = 3}), options));
}

TEST(Estimate, TimesAnIterationOfEveryKindOfFit) {
  for (const double missing : {0.0, 0.2})
    for (const NonNegative sign : {NonNegative::none, NonNegative::both})
      for (const TracePrior prior : {TracePrior::smoothness, TracePrior::lds}) {
        FitOptions options = testing::two_categories();
        options.nonnegative = sign;
        options.prior = prior;
        EXPECT_GT(
            estimate_seconds_per_iteration(testing::random_trials({.missing = missing, .seed = 5}), options),
            0.0);
      }
}

}  // namespace
}  // namespace milcci
