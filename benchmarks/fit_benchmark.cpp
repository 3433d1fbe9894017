// A whole fit of the paper's synthetic data (80 channels, 250 trials of 500 time points, 4 components).
#include <benchmark/benchmark.h>

#include "milcci/fit.hpp"
#include "milcci/simulate.hpp"

namespace {

void fit_paper(benchmark::State& state) {
  const milcci::Trials trials = milcci::simulate(milcci::preset("paper"));
  milcci::FitOptions options;
  options.categories = {{.name = "difficulty", .n_components = 2, .kind = milcci::CategoryKind::ordinal},
                        {.name = "choice", .n_components = 2}};
  options.nonnegative = milcci::NonNegative::both;
  options.threads = static_cast<int>(state.range(0));
  std::size_t n_iterations = 0;
  for (auto _ : state) n_iterations = milcci::fit(trials, options).summary.iterations.size();
  state.counters["iterations"] = static_cast<double>(n_iterations);
}
BENCHMARK(fit_paper)->ArgName("threads")->Arg(1)->Arg(2)->UseRealTime()->Unit(benchmark::kMillisecond);

}  // namespace
