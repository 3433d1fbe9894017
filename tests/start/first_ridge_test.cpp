#include "start/first_ridge.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "label_graphs/categories.hpp"
#include "loop/penalties.hpp"
#include "support/simulated_fit.hpp"
#include "util/random.hpp"

namespace milcci {
namespace {

double ridge_of(SimulateOptions simulated) {
  simulated.n_channels = 60;
  const Trials trials = simulate(simulated);
  const FitOptions options = testing::options_for(simulated);
  const Design design = make_design(resolve_categories(options.categories, trials), trials.n_trials());
  return first_ridge(TrialData(trials), design, options);
}

TEST(FirstRidge, FollowsTheNoise) {
  SimulateOptions simulated = testing::small_paper(1);
  const double without = ridge_of(simulated);
  EXPECT_LT(without, 1e-4);
  simulated.noise = 0.3;
  const double with = ridge_of(simulated);
  EXPECT_GT(with, 10 * without);
  EXPECT_LT(with, kFirstRidge);
  simulated.noise = 3;
  EXPECT_EQ(ridge_of(simulated), kFirstRidge);
}

// Noise of variance sigma^2 in every channel, and components of length one whose traces have the variance v.
TEST(FirstRidge, IsNoiseOverTheEnergyOfATrace) {
  constexpr double kSigma = 0.1, kVariance = 4.0;
  Random random(5, 0);
  Matrix A = random.normal(50, 2);
  A.colwise().normalize();
  Trials trials;
  for (int m = 0; m < 20; ++m)
    trials.values.push_back(A * std::sqrt(kVariance) * random.normal(2, 100) +
                            kSigma * random.normal(50, 100));
  for (Index n = 0; n < 50; ++n) trials.channel_names.push_back(std::to_string(n));
  FitOptions options;
  options.categories = {{.name = "all", .n_components = 2, .kind = CategoryKind::fixed}};
  const Design design = make_design(resolve_categories(options.categories, trials), trials.n_trials());
  EXPECT_NEAR(first_ridge(TrialData(trials), design, options) / (kSigma * kSigma / kVariance), 1.0, 0.2);
}

TEST(FirstRidge, IsTheLargestWhereChannelsAreTooFewToTell) {
  const Trials trials = simulate(testing::small_paper(1));  // 30 channels for 14 variants
  FitOptions options = testing::options_for(testing::small_paper(1));
  options.categories[0].n_components = 4;
  const Design design = make_design(resolve_categories(options.categories, trials), trials.n_trials());
  EXPECT_EQ(first_ridge(TrialData(trials), design, options), kFirstRidge);
}

}  // namespace
}  // namespace milcci
