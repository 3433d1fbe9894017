// A fit with decorrelation ends at a minimum: going on from its own result changes nothing.
#include <gtest/gtest.h>

#include <cmath>

#include "milcci/fit.hpp"
#include "milcci/simulate.hpp"

namespace milcci {
namespace {

struct Case {
  const char* name;
  NonNegative nonnegative;
  double smoothness, missing;
  TracePrior prior;
};
void PrintTo(const Case& c, std::ostream* out) {
  *out << c.name;
}

class DecorrelatedFit : public ::testing::TestWithParam<Case> {};

TEST_P(DecorrelatedFit, StaysWhereItEndedWhenItGoesOn) {
  SimulateOptions simulated = preset("paper");
  simulated.n_channels = 30;
  simulated.n_trials = 30;
  simulated.min_length = simulated.max_length = 60;
  simulated.noise = 0.2;
  simulated.missing = GetParam().missing;
  simulated.is_signed = GetParam().nonnegative == NonNegative::none;
  simulated.seed = 6;
  const Trials trials = simulate(simulated);
  FitOptions options;
  options.penalties = PenaltyChoice::fixed;
  for (const SimulatedCategory& c : simulated.categories)
    options.categories.push_back({.name = c.name, .n_components = c.n_components, .kind = c.kind});
  options.nonnegative = GetParam().nonnegative;
  options.prior = GetParam().prior;
  options.smoothness = GetParam().smoothness;
  options.decorrelation = 0.01;
  // Unit-free weights would be measured anew at the second start, and F would be another.
  options.gamma1 = 5.0;
  options.gamma2 = 20.0;
  options.gamma5 = 10.0;
  options.restarts = 4;
  options.threads = 1;
  const FitResult once = fit(trials, options);
  const FitResult twice = fit(trials, options, {}, start_of(once.model));
  ASSERT_EQ(once.summary.reason, StopReason::converged);
  const double before = once.summary.iterations.back().objective.total();
  const double after = twice.summary.iterations.back().objective.total();
  EXPECT_GT(once.summary.iterations.back().objective.decorrelation, 0.0);
  EXPECT_LT(std::abs(after - before), 1e-5 * before);
  EXPECT_LE(twice.summary.iterations.size(), 5u);
}

constexpr TracePrior kSmooth = TracePrior::smoothness, kLds = TracePrior::lds;
INSTANTIATE_TEST_SUITE_P(Shapes, DecorrelatedFit,
                         ::testing::Values(Case{"non-negative", NonNegative::both, 0, 0, kSmooth},
                                           Case{"non-negative, smooth", NonNegative::both, 1, 0, kSmooth},
                                           Case{"non-negative, gaps", NonNegative::both, 0, 0.1, kSmooth},
                                           Case{"non-negative, lds", NonNegative::both, 1, 0, kLds},
                                           Case{"any sign", NonNegative::none, 0, 0, kSmooth},
                                           Case{"any sign, smooth", NonNegative::none, 1, 0, kSmooth},
                                           Case{"any sign, gaps, smooth", NonNegative::none, 1, 0.1, kSmooth},
                                           Case{"any sign, lds", NonNegative::none, 1, 0, kLds}));

}  // namespace
}  // namespace milcci
