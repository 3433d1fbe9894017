// Tucker decomposition of the tensor (channel, time, trial), by HOSVD and then higher-order orthogonal
// iteration (De Lathauwer, De Moor and Vandewalle 2000):
//
//   X_m = A S_m B',   S_m = sum_r c_mr G_r,   A: N x P, B: T x min(P, T), C: M x R, all orthonormal
//   the traces of trial m are S_m B'
//
// The paper has R = min(T, M). There are only P min(P, T) numbers in S_m, so a larger R changes nothing and
// is cut to that. Each factor in turn holds the leading left singular vectors of the tensor multiplied by the
// other two, which lowers ||X||^2 - ||G||^2.
#include <fmt/format.h>

#include <algorithm>

#include "baselines/leading.hpp"
#include "baselines/methods.hpp"

namespace milcci::baselines {
namespace {

struct Tucker {
  Matrix channels, times, trials;
  Matrix core;  // (R1 R2) x R3: column r holds G_r
};

// Y_m B of all trials as (N R2) x M, times C: unfolded along channels, N x (R2 R3).
Matrix without_channels(const Tensor& tensor, const Tucker& factors) {
  const Index N = tensor.values.rows(), R2 = factors.times.cols();
  Matrix product(N * R2, tensor.n_trials);
  for (Index m = 0; m < tensor.n_trials; ++m) product.col(m) = (tensor.trial(m) * factors.times).reshaped();
  return (product * factors.trials).reshaped(N, R2 * factors.trials.cols());
}

// Y_m' A the same way, T x (R1 R3), from Z = X' A, T M x R1.
Matrix without_times(const Tensor& tensor, const Matrix& Z, const Tucker& factors) {
  const Index T = tensor.n_times, R1 = Z.cols();
  Matrix product(T * R1, tensor.n_trials);
  for (Index m = 0; m < tensor.n_trials; ++m) product.col(m) = Z.middleRows(m * T, T).reshaped();
  return (product * factors.trials).reshaped(T, R1 * factors.trials.cols());
}

// A' Y_m B, one column per trial.
Matrix inner(const Tensor& tensor, const Matrix& Z, const Tucker& factors) {
  const Index T = tensor.n_times;
  Matrix product(Z.cols() * factors.times.cols(), tensor.n_trials);
  for (Index m = 0; m < tensor.n_trials; ++m)
    product.col(m) = (Z.middleRows(m * T, T).transpose() * factors.times).reshaped();
  return product;
}

void update_trials(const Tensor& tensor, const Matrix& Z, Index R3, Tucker& factors) {
  const Matrix products = inner(tensor, Z, factors);
  factors.trials = leading_left_vectors(products.transpose(), R3).vectors;
  factors.core = products * factors.trials;
}

}  // namespace

BaselineFit fit_tucker(const Task& task) {
  const Tensor tensor = stacked(task.trials);
  const Index N = tensor.values.rows(), T = tensor.n_times, M = tensor.n_trials, P = task.n_components();
  require_at_most(task, N, "channels");
  const Index R2 = std::min(P, T), wanted = std::min(T, M), R3 = std::min(wanted, P * R2);
  const double energy = tensor.values.squaredNorm();
  BaselineFit fit;
  fit.notes = tensor.notes;
  if (R3 < wanted)
    fit.notes.push_back(fmt::format(
        "rank {} x {} x {}: in place of {} for trials, which would change nothing", P, R2, R3, wanted));

  if (R3 < P)
    fit.notes.push_back(
        fmt::format("rank {} x {} x {}: for {} components there are too few {} to give trials traces of "
                    "their own",
                    P, R2, R3, P, M < T ? "trials" : "time points"));

  Tucker factors;
  factors.channels = leading_left_vectors(tensor.values, P).vectors;
  factors.times = leading_left_vectors(tensor.by_time(), R2).vectors;
  Matrix Z = tensor.values.transpose() * factors.channels;
  update_trials(tensor, Z, R3, factors);
  Descent descent(task.options, task.clock, energy);
  while (descent.goes_on(std::max(energy - factors.core.squaredNorm(), 0.0))) {
    factors.channels = leading_left_vectors(without_channels(tensor, factors), P).vectors;
    Z = tensor.values.transpose() * factors.channels;
    factors.times = leading_left_vectors(without_times(tensor, Z, factors), R2).vectors;
    update_trials(tensor, Z, R3, factors);
  }
  set_outcome(descent, fit);

  // The core has no more independent rows for channels than columns.
  const Index R1 = std::min(P, R2 * R3);
  const Tensor::Sizes sizes = tensor.observed_sizes();
  const auto up_to_turns = [](Index size, Index rank) { return rank * std::max<Index>(size - rank, 0); };
  fit.degrees_of_freedom =
      static_cast<double>(R1 * R2 * R3 + up_to_turns(sizes.n_channels, R1) + up_to_turns(sizes.n_times, R2) +
                          up_to_turns(sizes.n_trials, R3));
  fit.degrees_of_freedom_note =
      fmt::format("core {} x {} x {}, and orthonormal factors up to turns: R (size - R) each", R1, R2, R3);
  std::vector<Matrix> traces;
  for (Index m = 0; m < M; ++m) {
    const Matrix S = (factors.core * factors.trials.row(m).transpose()).reshaped(P, R2);
    traces.push_back(
        with_length(S * factors.times.transpose(), task.trials.n_times(static_cast<std::size_t>(m))));
  }
  for (Index r = 0; r < R3; ++r)
    fit.trace_rule.shapes.push_back(factors.core.col(r).reshaped(P, R2) * factors.times.transpose());
  set_components(task, factors.channels, std::move(traces), fit);
  return fit;
}

}  // namespace milcci::baselines
