// The rows of one variant: N lassos of p coordinates that share their Gram matrix.
#include <benchmark/benchmark.h>

#include "solvers/lasso.hpp"
#include "util/random.hpp"

namespace {

void lasso_rows(benchmark::State& state) {
  const milcci::Index n_channels = state.range(0), p = state.range(1);
  milcci::Random random(1, 0);
  const milcci::Matrix traces = random.normal(p, 10 * p), truth = random.normal(n_channels, p).cwiseMax(0);
  const milcci::Matrix G = traces * traces.transpose(), R = truth * G;
  const milcci::Vector l1 = milcci::Vector::Constant(p, 0.1 * G.diagonal().mean());
  milcci::Matrix A;
  for (auto _ : state) {
    A.setZero(n_channels, p);
    milcci::lasso_rows(G, R, l1, {.is_nonnegative = true}, A);
    benchmark::DoNotOptimize(A.data());
  }
}
BENCHMARK(lasso_rows)->ArgNames({"N", "p"})->ArgsProduct({{80, 1000}, {2, 8}})->Unit(benchmark::kMicrosecond);

}  // namespace
