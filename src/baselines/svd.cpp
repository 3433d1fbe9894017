// SVD of all trials side by side, as the paper has it: missing entries are zeros, components are the left
// singular vectors, traces the singular values times the right ones.
//
//   Y = U Sigma V',   A = U[:, :P],   Phi = A' Y
#include <fmt/format.h>

#include "baselines/degrees_of_freedom.hpp"
#include "baselines/leading.hpp"
#include "baselines/methods.hpp"

namespace milcci::baselines {

BaselineFit fit_svd(const Task& task) {
  const Samples samples = side_by_side(task.trials);
  const Index N = samples.values.rows(), S = samples.values.cols(), P = task.n_components();
  require_at_most(task, N, "channels");
  require_at_most(task, S, "time points in all trials");
  BaselineFit fit;
  const Matrix Y = samples.values.array().isNaN().select(0.0, samples.values);
  if (samples.n_missing > 0)
    fit.notes.push_back(fmt::format("{} missing entries count as zeros", samples.n_missing));
  const Matrix U = leading_left_vectors(Y, P).vectors;
  const Matrix traces = U.transpose() * Y;
  fit.objective = {Y.squaredNorm() - traces.squaredNorm()};
  fit.iterations = 1;
  fit.degrees_of_freedom = count_of_rank(Observed(!samples.values.array().isNaN()), P);
  fit.degrees_of_freedom_note =
      "those of a matrix of rank P: P (N + S - P), S time points in all trials, less where entries are "
      "missing";
  set_components(task, U, samples.split(traces), fit);
  return fit;
}

}  // namespace milcci::baselines
