// The term depends on the traces only through their Gram matrix, and not on their lengths.
//
// Non-negative traces are solved one after the other, as without the term. For trace x, with u_l the others
// at length one, v = sum_l u_l and n = ||x0|| where it is now, the term 2 gamma4 v . x / ||x|| stays below
//   its tangent at x0 + weight ||x - x0||^2,   weight = 2 sqrt(2) gamma4 ||v - (v . x0) x0 / n^2|| / n^2
// for every x >= 0, so the exact solution of that problem never raises the true value.
//
// Traces of any sign meet the rounded kinks at c = 0, which are steep in one direction per pair and flat in
// all others: limited-memory BFGS learns these few, and the direct solver of the problem without the term
// does the rest, as its first guess of the inverse Hessian.
#include "loop/decorrelation.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace milcci {
namespace {

double charge(double c, bool is_nonnegative) {
  const double size = std::abs(c);
  return is_nonnegative || size >= kTip ? size : 0.5 * (c * c / kTip + kTip);
}

Matrix gram(const Matrix& phi) {
  return phi.transpose() * phi;
}

double inverse_or_zero(double x) {
  return x > 0 ? 1.0 / x : 0.0;
}

double total_of_gram(const Matrix& gram, bool is_nonnegative) {
  const Vector norm = gram.diagonal().cwiseSqrt();
  double sum = 0.0;
  for (Index j = 0; j < gram.cols(); ++j)
    for (Index l = 0; l < j; ++l)
      if (norm(j) > 0 && norm(l) > 0) sum += 2.0 * charge(gram(l, j) / (norm(l) * norm(j)), is_nonnegative);
  return sum;
}

double value(const ChainProblem& problem, double gamma4, bool is_nonnegative, const Matrix& phi) {
  const ChainObjective f = chain_objective(problem, phi);
  return f.data + f.prior + f.ridge + gamma4 * total_of_gram(gram(phi), is_nonnegative);
}

// Correlations ignore lengths: a trace that shrinks to almost nothing may take any shape at no
// cost. Where that is worth more than its energy it stays there, even after the components have
// changed and it no longer is. It is worth at most 2 gamma4 (P - 1).
bool has_weak_trace(const ChainProblem& problem, double gamma4, const Matrix& phi) {
  const double worth = 2.0 * gamma4 * static_cast<double>(phi.cols() - 1);
  for (Index j = 0; j < phi.cols(); ++j)
    if (!problem.is_dead(j) && problem.H(j, j) * phi.col(j).squaredNorm() < worth) return true;
  return false;
}

// ---- non-negative ----

// What the term adds to the problem of trace j at its present value.
void pull_of_others(const Matrix& gram, double gamma4, Index j, const Matrix& phi, TracePull& pull) {
  const double square = gram(j, j), norm = std::sqrt(square);
  Vector inverse_norm = gram.diagonal().cwiseSqrt().unaryExpr(&inverse_or_zero);
  inverse_norm(j) = 0.0;
  const double along = gram.col(j).dot(inverse_norm) / norm;  // v . u_j
  const double length = inverse_norm.dot(gram * inverse_norm);
  const double across = std::sqrt(std::max(0.0, length - along * along));
  pull.weight = 2.0 * std::sqrt(2.0) * gamma4 * across / square;
  // Half the gradient is gamma4 (v - (v . u_j) u_j) / ||phi_j||.
  inverse_norm *= -gamma4 / norm;
  inverse_norm(j) = gamma4 * along / square + pull.weight;
  pull.rhs.noalias() = phi * inverse_norm;
}

// The term jumps from zero to gamma4 sum_l c_jl where a trace of zero begins to move: it must be worth it.
void try_zero_trace(const ChainProblem& problem, double gamma4, Index j, Matrix& phi, ChainWork& work) {
  solve_trace_nonnegative(problem, j, {}, phi, work);
  if (phi.col(j).squaredNorm() == 0) return;
  const double with = value(problem, gamma4, true, phi);
  work.before = phi.col(j);
  phi.col(j).setZero();
  if (with < value(problem, gamma4, true, phi)) phi.col(j) = work.before;
}

void minimise_nonnegative(const ChainProblem& problem, double gamma4, const ChainOptions& options,
                          Matrix& phi, ChainWork& work) {
  TracePull pull;
  Matrix products = gram(phi);
  for (int sweep = 0; sweep < options.max_sweeps; ++sweep) {
    double moved = 0.0, length = 0.0;
    for (Index j = 0; j < phi.cols(); ++j) {
      if (problem.is_dead(j)) continue;
      const Vector before = phi.col(j);
      if (products(j, j) > 0) {
        pull_of_others(products, gamma4, j, phi, pull);
        solve_trace_nonnegative(problem, j, pull, phi, work);
      } else {
        try_zero_trace(problem, gamma4, j, phi, work);
      }
      products.col(j).noalias() = phi.transpose() * phi.col(j);
      products.row(j) = products.col(j).transpose();
      moved += problem.H(j, j) * (phi.col(j) - before).squaredNorm();
      length += problem.H(j, j) * products(j, j);
    }
    if (moved <= options.tolerance * options.tolerance * length) return;
  }
}

// ---- of any sign ----

// phi times this is half the gradient of gamma4 total_correlation.
Matrix gradient_factor(const Matrix& gram, double gamma4) {
  const Vector inverse_norm = gram.diagonal().cwiseSqrt().unaryExpr(&inverse_or_zero);
  const Matrix c = inverse_norm.asDiagonal() * gram * inverse_norm.asDiagonal();
  Matrix slope = c.unaryExpr([](double x) { return x / std::max(std::abs(x), kTip); });
  slope.diagonal().setZero();
  Matrix factor = gamma4 * (inverse_norm.asDiagonal() * slope * inverse_norm.asDiagonal());
  for (Index j = 0; j < c.cols(); ++j)
    factor(j, j) = -gamma4 * slope.col(j).dot(c.col(j)) * inverse_norm(j) * inverse_norm(j);
  return factor;
}

double inner(const Matrix& a, const Matrix& b) {
  return a.cwiseProduct(b).sum();
}

// Steps and what they did to half the gradient, oldest first.
struct Curvature {
  std::vector<Matrix> step, change;
  std::vector<double> product;

  void learn(Matrix s, Matrix y) {
    constexpr std::size_t kMemory = 12;
    const double product_of_pair = inner(s, y);
    if (!(product_of_pair > 0)) return;  // the term is not convex
    if (step.size() == kMemory) {
      step.erase(step.begin());
      change.erase(change.begin());
      product.erase(product.begin());
    }
    step.push_back(std::move(s));
    change.push_back(std::move(y));
    product.push_back(product_of_pair);
  }
};

// The usual two loops (Nocedal 1980), with the chain's own solver between them.
Matrix descent(ChainProblem& problem, const Curvature& known, Matrix gradient) {
  const std::size_t n = known.step.size();
  std::vector<double> alpha(n);
  for (std::size_t i = n; i-- > 0;) {
    alpha[i] = inner(known.step[i], gradient) / known.product[i];
    gradient -= alpha[i] * known.change[i];
  }
  Matrix direction;
  std::swap(problem.B, gradient);
  solve_chain(problem, direction);
  std::swap(problem.B, gradient);
  for (std::size_t i = 0; i < n; ++i)
    direction += (alpha[i] - inner(known.change[i], direction) / known.product[i]) * known.step[i];
  return -direction;
}

void minimise_signed(ChainProblem& problem, double gamma4, const ChainOptions& options, Matrix& phi) {
  constexpr int kMaxHalvings = 30;
  constexpr double kEnough = 1e-4;  // of the fall that the slope promises
  const auto half_gradient = [&](const Matrix& x) -> Matrix {
    return chain_gradient(problem, x) + x * gradient_factor(gram(x), gamma4);
  };
  Curvature known;
  double current = value(problem, gamma4, false, phi);
  Matrix gradient = half_gradient(phi);
  for (int step = 0; step < options.max_sweeps; ++step) {
    const Matrix direction = descent(problem, known, gradient);
    const double slope = 2.0 * inner(gradient, direction);
    const double length = problem.H.diagonal().dot(phi.colwise().squaredNorm());
    if (!(-slope > options.tolerance * options.tolerance * length)) return;
    double size = 1.0, next = 0.0;
    Matrix candidate;
    for (int halving = 0; halving < kMaxHalvings; ++halving, size *= 0.5) {
      candidate = phi + size * direction;
      next = value(problem, gamma4, false, candidate);
      if (next <= current + kEnough * size * slope) break;
    }
    if (!(next < current)) return;
    Matrix next_gradient = half_gradient(candidate);
    known.learn(candidate - phi, next_gradient - gradient);
    phi.swap(candidate);
    gradient.swap(next_gradient);
    current = next;
  }
}

}  // namespace

double total_correlation(const Matrix& phi, bool is_nonnegative) {
  return total_of_gram(gram(phi), is_nonnegative);
}

void minimise_decorrelated(ChainProblem& problem, double gamma4, bool is_nonnegative,
                           const ChainOptions& options, Matrix& phi, ChainWork& work) {
  const auto minimise = [&](Matrix& x) {
    for (Index j = 0; j < x.cols(); ++j)
      if (problem.is_dead(j)) x.col(j).setZero();
    is_nonnegative ? minimise_nonnegative(problem, gamma4, options, x, work)
                   : minimise_signed(problem, gamma4, options, x);
  };
  const auto solve_without_term = [&](Matrix& x) {
    is_nonnegative ? void(solve_chain_nonnegative(problem, options, x, work)) : solve_chain(problem, x);
  };
  if (phi.squaredNorm() == 0) {
    solve_without_term(phi);
    minimise(phi);
    return;
  }
  minimise(phi);
  if (!has_weak_trace(problem, gamma4, phi)) return;
  Matrix fresh = phi;
  solve_without_term(fresh);
  minimise(fresh);
  const auto value_of = [&](const Matrix& x) { return value(problem, gamma4, is_nonnegative, x); };
  if (value_of(fresh) < value_of(phi)) phi.swap(fresh);
}

}  // namespace milcci
