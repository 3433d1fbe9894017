#include "loop/decorrelation.hpp"

#include <cmath>

namespace milcci {
namespace {

constexpr int kSteps = 5;  // per pass; the outer loop comes back
constexpr int kMaxBacktrack = 20;
constexpr double kKink = 1e-3;  // |c| is treated as quadratic below this correlation

struct Correlations {
  Vector norm;  // P
  Matrix unit;  // T x P, zero where the trace is
  Matrix c;     // P x P
};

Correlations correlate(const Matrix& phi) {
  Correlations r;
  r.norm = phi.colwise().norm().transpose();
  r.unit = phi * r.norm.unaryExpr([](double x) { return x > 0 ? 1.0 / x : 0.0; }).asDiagonal();
  r.c = r.unit.transpose() * r.unit;
  return r;
}

// Half the gradient of total_correlation: d/dphi_j sum_j' 2 |c_jj'| = 2 sum_j' sign(c_jj') (u_j' - c_jj' u_j)
// / ||phi_j||.
Matrix half_gradient(const Correlations& r) {
  Matrix sign = r.c.unaryExpr([](double c) { return c / std::max(std::abs(c), kKink); });
  sign.diagonal().setZero();
  Matrix gradient = r.unit * sign;
  for (Index j = 0; j < gradient.cols(); ++j) {
    if (!(r.norm(j) > 0)) continue;
    gradient.col(j) = (gradient.col(j) - sign.col(j).dot(r.c.col(j)) * r.unit.col(j)) / r.norm(j);
  }
  return gradient;
}

void solve(const ChainProblem& problem, bool is_nonnegative, const ChainOptions& options, Matrix& phi,
           ChainWork& work) {
  if (is_nonnegative) {
    solve_chain_nonnegative(problem, options, phi, work);
  } else {
    solve_chain(problem, phi);
  }
}

double value(const ChainProblem& problem, double gamma4, const Matrix& phi) {
  const ChainObjective f = chain_objective(problem, phi);
  return f.data + f.prior + f.ridge + gamma4 * total_correlation(phi);
}

}  // namespace

double total_correlation(const Matrix& phi) {
  Matrix c = correlate(phi).c;
  c.diagonal().setZero();
  return c.cwiseAbs().sum();
}

// The term is replaced by its tangent plus kappa_j ||phi_j - phi_j0||^2 for every trace: still a chain
// problem, with kappa added to H and a shifted B. kappa grows until the true value falls, so the term is
// majorised where it counts.
void minimise_decorrelated(const ChainProblem& problem, double gamma4, bool is_nonnegative,
                           const ChainOptions& options, Matrix& phi, ChainWork& work) {
  if (phi.squaredNorm() == 0) solve(problem, is_nonnegative, options, phi, work);
  const Index P = phi.cols();
  double current = value(problem, gamma4, phi), caution = 1.0;
  for (int step = 0; step < kSteps; ++step) {
    const Correlations r = correlate(phi);
    const Matrix gradient = gamma4 * half_gradient(r);
    const double mean_energy = phi.squaredNorm() / static_cast<double>(P);
    if (!(mean_energy > 0)) return;
    const Vector kappa0 = gamma4 * static_cast<double>(P - 1) * r.norm.unaryExpr([mean_energy](double x) {
      return 1.0 / (x > 0 ? x * x : mean_energy);
    });
    bool has_fallen = false;
    for (int attempt = 0; attempt < kMaxBacktrack && !has_fallen; ++attempt) {
      const Vector kappa = caution * kappa0;
      ChainProblem tangent = problem;
      tangent.add_to_diagonals(kappa);
      tangent.B += phi * kappa.asDiagonal() - gradient;
      Matrix candidate = phi;
      solve(tangent, is_nonnegative, options, candidate, work);
      // A trace whose component is dead stays zero; kappa must not bring it back.
      for (Index j = 0; j < P; ++j)
        if (problem.is_dead(j)) candidate.col(j).setZero();
      const double next = value(problem, gamma4, candidate);
      if (next <= current) {
        has_fallen = true;
        const bool is_done = current - next <= options.tolerance * std::abs(current);
        phi = candidate;
        current = next;
        caution = std::max(0.25 * caution, 1e-3);
        if (is_done) return;
      } else {
        caution *= 4.0;
      }
    }
    if (!has_fallen) return;
  }
}

}  // namespace milcci
