// Fits of trials from two sessions, each with channels that the other lacks.
#include <gtest/gtest.h>

#include <algorithm>

#include "milcci/evaluate.hpp"
#include "milcci/fit.hpp"
#include "support/sessions.hpp"
#include "support/simulated_fit.hpp"

namespace milcci {
namespace {

SimulateOptions sixty_channels() {
  SimulateOptions simulated = testing::small_paper(1);
  simulated.n_channels = 60;
  simulated.n_trials = 60;
  return simulated;
}

bool is_told(const FitSummary& summary, const std::string& words) {
  return std::any_of(summary.warnings.begin(), summary.warnings.end(),
                     [&](const std::string& warning) { return warning.find(words) != std::string::npos; });
}

TEST(Sessions, ComponentsAreFoundAcrossThemByWhatTheyShare) {
  const SimulateOptions simulated = sixty_channels();
  const Trials trials = testing::in_two_sessions(simulate(simulated), 30);
  const FitResult result = fit(trials, testing::options_for(simulated));
  EXPECT_TRUE(result.model.dead_components().empty());
  EXPECT_GE(evaluate(result.model, trials).truth->component_correlation.mean, 0.99);
  EXPECT_TRUE(is_told(result.summary, "225 of 1770 pairs of channels (12.7 %) were never observed together"));
  EXPECT_FALSE(is_told(result.summary, "can be wrong"));
}

TEST(Sessions, WithoutCommonChannelsAreToldApart) {
  const SimulateOptions simulated = sixty_channels();
  FitOptions options = testing::options_for(simulated);
  options.restarts = 2;
  options.max_iterations = 5;
  const FitResult result = fit(testing::in_two_sessions(simulate(simulated), 0), options);
  EXPECT_TRUE(is_told(result.summary, "no channel ties them together"));
  EXPECT_TRUE(result.model.dead_components().empty());
}

TEST(Sessions, AreNotSeenInScatteredGaps) {
  SimulateOptions simulated = sixty_channels();
  simulated.missing = 0.2;
  FitOptions options = testing::options_for(simulated);
  options.restarts = 2;
  options.max_iterations = 5;
  EXPECT_FALSE(is_told(fit(simulate(simulated), options).summary, "never observed together"));
}

}  // namespace
}  // namespace milcci
