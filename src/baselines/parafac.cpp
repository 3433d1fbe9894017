// PARAFAC, the canonical polyadic decomposition of the tensor (channel, time, trial):
//
//   X_ntm = sum_j a_nj b_tj c_mj,   the trace of component j in trial m is b_j c_mj
//
// One factor after the other by least squares: F = K pinv(G), where K is the data times the other two
// factors and G the elementwise product of their Grams. Z = A' X (P x T M) serves the updates of both B and
// C, so an iteration reads the data twice. The factors of the non-negative form are swept column by column
// on the same K and G (HALS).
#include <fmt/format.h>

#include <algorithm>

#include "baselines/leading.hpp"
#include "baselines/methods.hpp"
#include "baselines/nonnegative_factors.hpp"
#include "solvers/pseudo_inverse.hpp"

namespace milcci::baselines {
namespace {

struct Parafac {
  Matrix channels, times, trials;  // A: N x P, B: T x P, C: M x P
};

Matrix gram(const Matrix& F) {
  return F.transpose() * F;
}

// X times the Khatri-Rao product of C and B.
Matrix product_for_channels(const Tensor& tensor, const Parafac& factors) {
  Matrix weights(tensor.values.cols(), factors.times.cols());
  for (Index m = 0; m < tensor.n_trials; ++m)
    weights.middleRows(m * tensor.n_times, tensor.n_times) =
        factors.times * factors.trials.row(m).asDiagonal();
  return tensor.values * weights;
}

// Z' = X' A, T M x P, summed over trials with weights C.
Matrix product_for_times(const Tensor& tensor, const Matrix& Z, const Matrix& trials) {
  Matrix product = Matrix::Zero(tensor.n_times, trials.cols());
  for (Index m = 0; m < tensor.n_trials; ++m)
    product += Z.middleRows(m * tensor.n_times, tensor.n_times) * trials.row(m).asDiagonal();
  return product;
}

Matrix product_for_trials(const Tensor& tensor, const Matrix& Z, const Matrix& times) {
  Matrix product(tensor.n_trials, times.cols());
  for (Index m = 0; m < tensor.n_trials; ++m)
    product.row(m) = Z.middleRows(m * tensor.n_times, tensor.n_times).cwiseProduct(times).colwise().sum();
  return product;
}

void update(const Matrix& G, const Matrix& K, Sign sign, Matrix& F) {
  constexpr int kSweeps = 10;
  if (sign == Sign::any) {
    F = K * pseudo_inverse(G);
    return;
  }
  for (int sweep = 0; sweep < kSweeps; ++sweep) sweep_columns(G, K, F);
}

// Columns of A and B at length one; C takes their lengths.
void balance(Parafac& factors) {
  for (Matrix* F : {&factors.channels, &factors.times})
    for (Index j = 0; j < F->cols(); ++j) {
      const double length = F->col(j).norm();
      if (!(length > 0)) continue;
      F->col(j) /= length;
      factors.trials.col(j) *= length;
    }
}

void alternate(const Tensor& tensor, double energy, Sign sign, Descent& descent, Parafac& factors) {
  auto& [A, B, C] = factors;
  double error = 0;
  do {
    update(gram(B).cwiseProduct(gram(C)), product_for_channels(tensor, factors), sign, A);
    const Matrix Z = tensor.values.transpose() * A;
    update(gram(A).cwiseProduct(gram(C)), product_for_times(tensor, Z, C), sign, B);
    const Matrix G = gram(A).cwiseProduct(gram(B)), K = product_for_trials(tensor, Z, B);
    update(G, K, sign, C);
    error = energy - 2 * C.cwiseProduct(K).sum() + gram(C).cwiseProduct(G).sum();
    balance(factors);
  } while (descent.goes_on(std::max(error, 0.0)));
}

// Leading singular vectors of the unfolded tensor; columns beyond those there are, at random.
Matrix singular_start(const Matrix& unfolded, Index P, Random& random) {
  Matrix F = random.normal(unfolded.rows(), P);
  const Leading leading = leading_left_vectors(unfolded, P);
  F.leftCols(leading.vectors.cols()) = leading.vectors;
  return F;
}

Matrix by_trial(const Tensor& tensor) {
  return tensor.values.reshaped(tensor.values.rows() * tensor.n_times, tensor.n_trials).transpose();
}

Parafac start(const Tensor& tensor, Index P, Sign sign, bool is_random, Random& random) {
  Parafac factors;
  if (is_random) {
    factors = {random.normal(tensor.values.rows(), P), random.normal(tensor.n_times, P),
               random.normal(tensor.n_trials, P)};
  } else {
    factors = {singular_start(tensor.values, P, random), singular_start(tensor.by_time(), P, random),
               singular_start(by_trial(tensor), P, random)};
  }
  if (sign == Sign::nonnegative)
    for (Matrix* F : {&factors.channels, &factors.times, &factors.trials}) *F = F->cwiseAbs();
  return factors;
}

// Non-zero entries of the components that are zero in no factor, less two scales each.
Index n_free_nonzero(const Parafac& factors) {
  Index count = 0;
  for (Index j = 0; j < factors.channels.cols(); ++j) {
    const Index n_channels = (factors.channels.col(j).array() != 0).count(),
                n_times = (factors.times.col(j).array() != 0).count(),
                n_trials = (factors.trials.col(j).array() != 0).count();
    if (n_channels > 0 && n_times > 0 && n_trials > 0) count += n_channels + n_times + n_trials - 2;
  }
  return count;
}

BaselineFit fit(const Task& task, Sign sign) {
  const Tensor tensor = stacked(task.trials);
  const Index T = tensor.n_times, M = tensor.n_trials, P = task.n_components();
  const double energy = tensor.values.squaredNorm();
  BaselineFit fit;
  fit.notes = tensor.notes;
  const Parafac best = best_of_starts(task, energy, fit, [&](int attempt, Random& random, Descent& descent) {
    Parafac factors = start(tensor, P, sign, attempt > 0, random);
    alternate(tensor, energy, sign, descent, factors);
    return factors;
  });
  if (sign == Sign::any) {
    const Tensor::Sizes sizes = tensor.observed_sizes();
    fit.degrees_of_freedom =
        static_cast<double>(P * std::max<Index>(sizes.n_channels + sizes.n_times + sizes.n_trials - 2, 0));
    fit.degrees_of_freedom_note =
        "entries of the three factors, less two scales per component: P (N + T + M - 2)";
  } else {
    fit.degrees_of_freedom = static_cast<double>(n_free_nonzero(best));
    fit.degrees_of_freedom_note = "non-zero entries of the three factors, less two scales per component";
  }
  std::vector<Matrix> traces;
  for (Index m = 0; m < M; ++m)
    traces.push_back(with_length(best.trials.row(m).asDiagonal() * best.times.transpose(),
                                 task.trials.n_times(static_cast<std::size_t>(m))));
  // A new trial shares the time courses and has loadings of its own.
  fit.trace_rule.is_nonnegative = sign == Sign::nonnegative;
  for (Index j = 0; j < P; ++j) {
    Matrix shape = Matrix::Zero(P, T);
    shape.row(j) = best.times.col(j).transpose();
    fit.trace_rule.shapes.push_back(std::move(shape));
  }
  set_components(task, best.channels, std::move(traces), fit);
  return fit;
}

}  // namespace

BaselineFit fit_parafac(const Task& task) {
  return fit(task, Sign::any);
}

BaselineFit fit_parafac_nonnegative(const Task& task) {
  return fit(task, Sign::nonnegative);
}

}  // namespace milcci::baselines
