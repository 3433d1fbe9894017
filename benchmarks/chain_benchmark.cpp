// The traces of one trial: P traces of T time points, with and without smoothness, free and non-negative.
#include <benchmark/benchmark.h>

#include "solvers/chain.hpp"
#include "util/random.hpp"

namespace {

milcci::ChainProblem problem_of(const benchmark::State& state) {
  const milcci::Index n_times = state.range(0), p = state.range(1);
  milcci::Random random(1, 0);
  const milcci::Matrix A = random.normal(10 * p, p).cwiseAbs();
  milcci::ChainProblem problem;
  problem.H = A.transpose() * A;
  problem.B = random.normal(n_times, p).cwiseAbs() * problem.H;
  problem.gamma = static_cast<double>(state.range(2));
  return problem;
}

void free_traces(benchmark::State& state) {
  const milcci::ChainProblem problem = problem_of(state);
  milcci::Matrix phi;
  for (auto _ : state) {
    phi.setZero(problem.n_times(), problem.n_components());
    milcci::solve_chain(problem, phi);
    benchmark::DoNotOptimize(phi.data());
  }
}

void nonnegative_traces(benchmark::State& state) {
  const milcci::ChainProblem problem = problem_of(state);
  milcci::Matrix phi;
  milcci::ChainWork work;
  for (auto _ : state) {
    phi.setZero(problem.n_times(), problem.n_components());
    milcci::solve_chain_nonnegative(problem, {}, phi, work);
    benchmark::DoNotOptimize(phi.data());
  }
}

void sizes(benchmark::internal::Benchmark* benchmark) {
  benchmark->ArgNames({"T", "P", "gamma"})
      ->ArgsProduct({{500, 5000}, {4, 20}, {0, 1}})
      ->Unit(benchmark::kMicrosecond);
}
BENCHMARK(free_traces)->Apply(sizes);
BENCHMARK(nonnegative_traces)->Apply(sizes);

}  // namespace
