// Small random trials for property tests: two or three categories, gaps, unequal lengths, a time axis.
#pragma once

#include <fmt/format.h>

#include <limits>
#include <vector>

#include "milcci/options.hpp"
#include "milcci/trials.hpp"
#include "util/random.hpp"

namespace milcci::testing {

struct RandomProblem {
  Index n_channels = 9;
  std::size_t n_trials = 14;
  Index min_length = 6, max_length = 15;
  double missing = 0.0;
  bool has_times = false;
  std::uint64_t seed = 1;
};

/// Low-rank positive signal plus noise; labels "level" (integers 1-3) and "side" (text).
inline Trials random_trials(const RandomProblem& problem) {
  Random random(problem.seed, 0);
  Trials trials;
  LabelColumn::Integers level;
  LabelColumn::Texts side;
  const Matrix A = random.normal(problem.n_channels, 4).cwiseAbs();
  for (std::size_t m = 0; m < problem.n_trials; ++m) {
    const Index T = problem.min_length + random.below(problem.max_length - problem.min_length + 1);
    Matrix y = A * random.normal(4, T).cwiseAbs() + 0.3 * random.normal(problem.n_channels, T);
    for (Index i = 1; i < y.size(); ++i)
      if (random.uniform() < problem.missing) y.data()[i] = std::numeric_limits<double>::quiet_NaN();
    trials.values.push_back(y);
    level.push_back(1 + static_cast<std::int64_t>(m % 3));
    side.push_back(m % 2 == 0 ? "left" : "right");
    if (problem.has_times) {
      Vector time(T);
      for (Index t = 0; t < T; ++t) time(t) = (t == 0 ? 0.0 : time(t - 1)) + random.uniform(0.5, 2.0);
      trials.times.push_back(time);
    }
  }
  for (Index n = 0; n < problem.n_channels; ++n) trials.channel_names.push_back(fmt::format("c{}", n + 1));
  trials.labels = {{"level", level}, {"side", side}};
  return trials;
}

/// level=2:ordinal and side=1.
/// With the paper's objective.
inline FitOptions two_categories() {
  FitOptions options;
  options.penalties = PenaltyChoice::fixed;
  options.categories = {{.name = "level", .n_components = 2, .kind = CategoryKind::ordinal},
                        {.name = "side", .n_components = 1}};
  options.restarts = 2;
  options.threads = 1;
  return options;
}

/// Every switch of the model at least once on and once off, over `two_categories`.
inline std::vector<FitOptions> every_switch() {
  std::vector<FitOptions> all(8, two_categories());
  all[1].nonnegative = NonNegative::both;
  all[2].nonnegative = NonNegative::components, all[2].smoothness = 2.0;
  all[3].nonnegative = NonNegative::traces, all[3].decorrelation = 0.05;
  all[4].transform = Transform::tanh, all[4].consistency = 3.0;
  all[5].prior = TracePrior::lds;
  all[6].prior = TracePrior::lds, all[6].nonnegative = NonNegative::both, all[6].decorrelation = 0.02;
  all[7].gamma1 = 0.4, all[7].gamma2 = 0.3, all[7].gamma3 = 0.2, all[7].gamma4 = 0.1;
  for (FitOptions& options : all) options.max_iterations = 60;
  return all;
}

}  // namespace milcci::testing
