// sliceTCA (Pellegrino, Stein and Cayco-Gajic 2024) with slices of one kind, as the paper of MILCCI has it:
//
//   configuration 1   X_ntm = sum_j u_nj F_j(t, m)   components u, traces: the columns of the slices F_j
//   configuration 2   X_ntm = sum_j v_tj F_j(n, m)   traces v, components: the columns of the slices F_j
//
// Both are a factorisation of the tensor unfolded along channels, or along time. sliceTCA minimises the
// squared error by gradient descent from a random start; so do we, by alternating least squares, and where
// factors may not be negative by HALS. Without that constraint any invertible mixture of the components fits
// equally well, and which one is found depends on the start, here as there.
#include <fmt/format.h>

#include <algorithm>

#include "baselines/degrees_of_freedom.hpp"
#include "baselines/methods.hpp"
#include "baselines/nonnegative_factors.hpp"
#include "baselines/trace_solver.hpp"
#include "solvers/pseudo_inverse.hpp"

namespace milcci::baselines {
namespace {

// Alternating least squares needs the data only as X X' (rows x rows). With right = X' L (L'L)^-1:
//   L <- X right (right' right)^-1 = XX' L (L' XX' L)^-1 L'L
//   error = tr XX' - tr (L'L)^-1 L' XX' L
void alternate_signed(const Matrix& X, Descent& descent, FactorPair& factors) {
  Matrix& L = factors.left;
  Matrix lower = Matrix::Zero(X.rows(), X.rows());
  lower.selfadjointView<Eigen::Lower>().rankUpdate(X);
  const Matrix products = lower.selfadjointView<Eigen::Lower>();
  double error = 0;
  do {
    const Matrix image = products * L;
    L = image * pseudo_inverse(L.transpose() * image) * (L.transpose() * L);
    error = products.trace() - (pseudo_inverse(L.transpose() * L) * (L.transpose() * products * L)).trace();
  } while (descent.goes_on(std::max(error, 0.0)));
  factors.right = X.transpose() * L * pseudo_inverse(L.transpose() * L);
}

FactorPair factorise(const Task& task, const Matrix& X, const Mask& is_observed, Sign sign,
                     BaselineFit& fit) {
  const auto run = [&](int, Random& random, Descent& descent) {
    FactorPair factors;
    if (sign == Sign::nonnegative) {
      factors = start_at_random(X, task.n_components(), random);
      alternate_nonnegative(X, descent, factors);
    } else {
      factors.left = random.normal(X.rows(), task.n_components());
      alternate_signed(X, descent, factors);
    }
    return factors;
  };
  FactorPair best = best_of_starts(task, X.squaredNorm(), fit, run);
  // Of zeros that trials were padded with, no number is free.
  const Observed observed(is_observed);
  if (sign == Sign::nonnegative) {
    const NonZero nonzero = count_nonzero(best.left, best.right, observed);
    fit.degrees_of_freedom = nonzero.count - static_cast<double>(nonzero.n_components);
    fit.degrees_of_freedom_note = "non-zero entries of vectors and slices, less a scale per component";
  } else {
    fit.degrees_of_freedom = count_of_rank(observed, task.n_components());
    fit.degrees_of_freedom_note = "entries of vectors and slices, less P^2 mixtures of the components";
  }
  return best;
}

}  // namespace

BaselineFit fit_slicetca_1(const Task& task, Sign sign) {
  const Tensor tensor = stacked(task.trials);
  require_at_most(task, tensor.values.rows(), "channels");
  require_at_most(task, tensor.values.cols(), "time points in all trials");
  BaselineFit fit;
  fit.notes = tensor.notes;
  const FactorPair factors = factorise(task, tensor.values, tensor.is_observed, sign, fit);
  fit.trace_rule.is_nonnegative = sign == Sign::nonnegative;
  std::vector<Matrix> traces;
  for (Index m = 0; m < tensor.n_trials; ++m)
    traces.push_back(with_length(factors.right.middleRows(m * tensor.n_times, tensor.n_times).transpose(),
                                 task.trials.n_times(static_cast<std::size_t>(m))));
  set_components(task, factors.left, std::move(traces), fit);
  fit.trace_rule.ridge =
      ridge_of_noise(fit.model, fit.trace_rule.is_nonnegative, task.trials, tensor.n_times);
  return fit;
}

BaselineFit fit_slicetca_2(const Task& task, Sign sign) {
  const Tensor tensor = stacked(task.trials);
  const Index N = tensor.values.rows();
  require_at_most(task, tensor.n_times, "time points of a trial");
  BaselineFit fit;
  fit.notes = tensor.notes;
  const FactorPair factors = factorise(task, tensor.by_time(), tensor.observed_by_time(), sign, fit);
  fit.trace_rule.why_impossible =
      "a new trial has components of its own, which hidden channels say nothing about";

  Category category;
  category.spec = {
      .name = "trial_number", .n_components = task.options.n_components, .kind = CategoryKind::trial_number};
  category.option_values = Vector::LinSpaced(tensor.n_trials, 1, static_cast<double>(tensor.n_trials));
  category.graph = LabelGraph::constant(static_cast<int>(tensor.n_trials), 0.0);
  std::vector<Matrix> variants, traces;
  for (Index m = 0; m < tensor.n_trials; ++m) {
    category.options.push_back(std::to_string(m + 1));
    category.option_of_trial.push_back(static_cast<int>(m));
    variants.push_back(factors.right.middleRows(m * N, N));
    traces.push_back(with_length(factors.left.transpose(), task.trials.n_times(static_cast<std::size_t>(m))));
  }
  set_variants(task, std::move(category), std::move(variants), std::move(traces), fit);
  return fit;
}

}  // namespace milcci::baselines
