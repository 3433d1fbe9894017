// Every kernel of every instruction set that runs here, on one trial in the cache. "fma/s" counts the
// multiplications with addition of products with the data.
#include <benchmark/benchmark.h>

#include <string>

#include "kernels/kernels.hpp"
#include "milcci/types.hpp"
#include "util/random.hpp"

namespace {

using milcci::Index;
using milcci::Kernels;
using milcci::Matrix;

struct Trial {
  milcci::Shape shape;
  Matrix Y, A, B, phi, C, G;
  Eigen::MatrixXf Y_float;

  explicit Trial(Index n_components) {
    constexpr Index kChannels = 270, kTimes = 137;
    milcci::Random random(1, 0);
    shape = {kChannels, kTimes, n_components, kTimes};
    Y = random.normal(kChannels, kTimes);
    Y_float = Y.cast<float>();
    A = random.normal(kChannels, n_components).cwiseAbs().colwise().normalized();
    B = Y.transpose() * A;
    phi = random.normal(kTimes, n_components).cwiseAbs();
    C = Matrix::Zero(kChannels, n_components);
    G = A.transpose() * A;
  }
};

enum class Reads { data, traces };

template <class Work>
void add(const std::string& name, const Kernels& kernels, Reads reads, const Work& work) {
  const auto measure = [work, reads](benchmark::State& state) {
    Trial trial(state.range(0));
    for (auto _ : state) {
      work(trial);
      benchmark::ClobberMemory();
    }
    const auto& [n_channels, n_times, n_components, stride] = trial.shape;
    if (reads == Reads::data)
      state.counters["fma/s"] = benchmark::Counter(static_cast<double>(n_channels * n_times * n_components),
                                                   benchmark::Counter::kIsIterationInvariantRate);
  };
  benchmark::RegisterBenchmark((name + "/" + kernels.name).c_str(), measure)
      ->ArgName("P")
      ->ArgsProduct({{2, 4, 8, 16, 32}})
      ->Unit(benchmark::kMicrosecond);
}

const bool kAreRegistered = [] {
  for (const Kernels* run : milcci::available_kernels()) {
    add("project", *run, Reads::data,
        [run](Trial& t) { run->project(t.shape, t.Y.data(), t.A.data(), t.B.data()); });
    add("project_float", *run, Reads::data,
        [run](Trial& t) { run->project_float(t.shape, t.Y_float.data(), t.A.data(), t.B.data()); });
    add("accumulate", *run, Reads::data,
        [run](Trial& t) { run->accumulate(t.shape, t.Y.data(), t.phi.data(), t.C.data()); });
    add("accumulate_float", *run, Reads::data,
        [run](Trial& t) { run->accumulate_float(t.shape, t.Y_float.data(), t.phi.data(), t.C.data()); });
    // From the solution: what an iteration near the end does.
    add("nonnegative_points", *run, Reads::traces, [run](Trial& t) {
      run->nonnegative_lasso_points(t.shape, t.G.data(), nullptr, 0.0, {1e-4, 100}, t.B.data(), t.phi.data());
    });
    add("lasso_points", *run, Reads::traces, [run](Trial& t) {
      run->lasso_points(t.shape, t.G.data(), nullptr, 0.0, {1e-4, 100}, t.B.data(), t.phi.data());
    });
    add("combine", *run, Reads::traces,
        [run](Trial& t) { run->combine(t.shape, t.B.data(), t.G.data(), t.phi.data()); });
    add("inner", *run, Reads::traces, [run](Trial& t) {
      Matrix sums = Matrix::Zero(t.G.rows(), t.G.cols());
      benchmark::DoNotOptimize(run->inner(t.shape, t.B.data(), t.phi.data(), sums.data()));
    });
  }
  return true;
}();

}  // namespace
