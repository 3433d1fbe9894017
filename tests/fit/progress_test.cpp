// The progress callback: who calls it, what it is told, and how soon a fit ends when it says stop.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <thread>
#include <vector>

#include "milcci/fit.hpp"
#include "support/random_problem.hpp"

namespace milcci {
namespace {

const std::vector<std::string> kPhases = {
    "round 1 of 4",   "round 2 of 4", "round 3 of 4", "round 4 of 4", "moves between categories",
    "answers nearby", "done"};

FitOptions options_with(int threads) {
  FitOptions options = testing::two_categories();
  options.restarts = 6;
  options.threads = threads;
  return options;
}

class ProgressOf : public ::testing::TestWithParam<int> {
 protected:
  FitOptions options_ = options_with(GetParam());
  Trials trials_ = testing::random_trials({.seed = 11});
};

TEST_P(ProgressOf, IsToldInEveryPhaseByTheThreadThatCalledFit) {
  const std::thread::id caller = std::this_thread::get_id();
  std::vector<std::string> phases;
  int n_iterations = 0;
  const FitResult result = fit(trials_, options_, [&](const Progress& progress) {
    EXPECT_EQ(std::this_thread::get_id(), caller);
    if (progress.stage == "start") {
      EXPECT_EQ(n_iterations, 0);
      // A search may hold its rounds more than once.
      if (std::find(phases.begin(), phases.end(), progress.phase) == phases.end())
        phases.push_back(progress.phase);
    } else {
      EXPECT_EQ(progress.stage, "fit");
      EXPECT_EQ(progress.record.iteration, ++n_iterations);
    }
    return Continue::yes;
  });
  EXPECT_EQ(phases, kPhases);
  EXPECT_EQ(n_iterations, static_cast<int>(result.summary.iterations.size()));
}

TEST_P(ProgressOf, NeverGoesBackAndNeverPassesItsEnd) {
  std::string stage;
  int step = 0, max_steps = 0;
  fit(trials_, options_, [&](const Progress& progress) {
    if (progress.stage != stage) {
      stage = progress.stage;
      step = 0;
      max_steps = progress.max_steps;
    }
    EXPECT_GE(progress.step, step) << progress.stage << ", " << progress.phase;
    EXPECT_LE(progress.step, progress.max_steps);
    EXPECT_GE(progress.max_steps, max_steps);  // more tournaments may be needed than one
    max_steps = progress.max_steps;
    EXPECT_TRUE(progress.phase != "done" || progress.step == progress.max_steps);
    step = progress.step;
    return Continue::yes;
  });
  EXPECT_EQ(stage, "fit");
}

TEST_P(ProgressOf, StopsTheFitFromEveryPhaseWithAUsableModel) {
  for (const std::string& phase : kPhases) {
    SCOPED_TRACE(phase);
    int calls_after = 0;
    bool has_said_stop = false;
    const FitResult result = fit(trials_, options_, [&](const Progress& progress) {
      calls_after += has_said_stop;
      has_said_stop = has_said_stop || progress.phase == phase;
      return has_said_stop ? Continue::stop : Continue::yes;
    });
    EXPECT_TRUE(has_said_stop);
    EXPECT_EQ(calls_after, 0);
    EXPECT_EQ(result.summary.reason, StopReason::interrupted);
    EXPECT_NE(result.summary.message.find("interrupted"), std::string::npos);
    EXPECT_TRUE(result.summary.iterations.empty());
    ASSERT_EQ(result.model.traces.size(), trials_.n_trials());
    for (const Matrix& phi : result.model.traces) EXPECT_TRUE(phi.allFinite());
    for (const FittedCategory& category : result.model.categories)
      for (const Matrix& a : category.variants) EXPECT_TRUE(a.allFinite());
    EXPECT_GT(result.summary.r2, 0.3);
    EXPECT_LE(result.summary.r2, 1.0);
  }
}

TEST_P(ProgressOf, StopsTheFitAfterTheIterationThatItWasToldOf) {
  options_.tolerance = 0;  // it would go on for long
  for (const int last : {1, 3}) {
    const FitResult result = fit(trials_, options_, [&](const Progress& progress) {
      return progress.stage == "fit" && progress.step == last ? Continue::stop : Continue::yes;
    });
    EXPECT_EQ(result.summary.reason, StopReason::interrupted);
    EXPECT_EQ(result.summary.iterations.size(), static_cast<std::size_t>(last));
    EXPECT_EQ(result.model.traces.size(), trials_.n_trials());
    EXPECT_GT(result.summary.r2, 0.3);
  }
}

INSTANTIATE_TEST_SUITE_P(Threads, ProgressOf, ::testing::Values(1, 2, 3));

}  // namespace
}  // namespace milcci
