// Recovery of known truth at default settings. Seeds 0 to 4; those used to judge the method are others.
#include <gtest/gtest.h>

#include "milcci/evaluate.hpp"
#include "milcci/fit.hpp"
#include "milcci/simulate.hpp"

namespace milcci {
namespace {

FitOptions options_for(const SimulateOptions& simulated) {
  FitOptions options;
  for (const SimulatedCategory& c : simulated.categories)
    options.categories.push_back({.name = c.name, .n_components = c.n_components, .kind = c.kind});
  options.nonnegative = simulated.is_signed ? NonNegative::none : NonNegative::both;
  return options;
}

class PaperData : public ::testing::TestWithParam<int> {};

TEST_P(PaperData, ComponentsTracesAndCategoriesAreFound) {
  SimulateOptions simulated = preset("paper");
  simulated.seed = static_cast<std::uint64_t>(GetParam());
  const Trials trials = simulate(simulated);
  const Evaluation evaluation = evaluate(fit(trials, options_for(simulated)).model, trials);
  EXPECT_GE(evaluation.truth->component_correlation.mean, 0.99);
  EXPECT_GE(evaluation.truth->trace_correlation.mean, 0.995);
  EXPECT_TRUE(evaluation.truth->same_category);
  EXPECT_GE(evaluation.r2, 0.999);
}
INSTANTIATE_TEST_SUITE_P(Seeds, PaperData, ::testing::Range(0, 5));

}  // namespace
}  // namespace milcci
