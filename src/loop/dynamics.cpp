#include "loop/dynamics.hpp"

#include "solvers/pseudo_inverse.hpp"

namespace milcci {

Matrix best_transition(const Matrix& phi, double gamma5) {
  const Index P = phi.cols(), steps = phi.rows() - 1;
  const Matrix identity = Matrix::Identity(P, P);
  if (steps < 1) return identity;
  const auto now = phi.bottomRows(steps), before = phi.topRows(steps);
  const Matrix cross = now.transpose() * before + gamma5 * identity;
  const Matrix gram = before.transpose() * before + gamma5 * identity;
  // Solved for W - I, so that directions the traces never take stay the identity.
  return identity + (cross - gram) * pseudo_inverse(gram);
}

}  // namespace milcci
