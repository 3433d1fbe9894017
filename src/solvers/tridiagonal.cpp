#include "solvers/tridiagonal.hpp"

namespace milcci {

void solve_tridiagonal(const Vector& diagonal, const Vector& off, Eigen::Ref<Vector> x, Vector& work) {
  const Index n = diagonal.size();
  work.resize(n);
  double pivot = diagonal(0), inverse = 1.0 / pivot;
  x(0) *= inverse;
  // Where the matrix is the same from row to row the pivots soon are too, to the last bit; then no
  // division is needed.
  double last_diagonal = 0.0, last_off = 0.0, last_pivot = 0.0, ratio = 0.0;
  for (Index t = 1; t < n; ++t) {
    if (!(diagonal(t) == last_diagonal && off(t - 1) == last_off && pivot == last_pivot)) {
      last_diagonal = diagonal(t);
      last_off = off(t - 1);
      last_pivot = pivot;
      ratio = last_off * inverse;
      pivot = last_diagonal - last_off * ratio;
      inverse = 1.0 / pivot;
    }
    work(t) = ratio;
    x(t) = (x(t) - off(t - 1) * x(t - 1)) * inverse;
  }
  for (Index t = n - 1; t > 0; --t) x(t - 1) -= work(t) * x(t);
}

void solve_tridiagonal_nonnegative(const Vector& diagonal, const Vector& off, const Vector& b,
                                   Eigen::Ref<Vector> x, TridiagonalWork& work) {
  const Index n = diagonal.size();
  work.is_free.resize(static_cast<std::size_t>(n));
  const auto is_free = [&](Index t) -> char& { return work.is_free[static_cast<std::size_t>(t)]; };
  for (Index t = 0; t < n; ++t) is_free(t) = x(t) > 0 || b(t) > 0;
  constexpr int kMaxSteps = 100;  // four to eight are usual
  for (int step = 0; step < kMaxSteps; ++step) {
    // Rows of the bound set read x_t = 0, which cuts the chain into independent pieces.
    work.diagonal = diagonal;
    work.off = off;
    work.rhs = b;
    for (Index t = 0; t < n; ++t) {
      if (is_free(t)) continue;
      work.diagonal(t) = 1.0;
      work.rhs(t) = 0.0;
      if (t > 0) work.off(t - 1) = 0.0;
      if (t + 1 < n) work.off(t) = 0.0;
    }
    solve_tridiagonal(work.diagonal, work.off, work.rhs, work.elimination);
    x = work.rhs;
    bool has_changed = false;
    for (Index t = 0; t < n; ++t) {
      double pull = b(t);  // minus half the gradient at a bound entry
      if (t > 0) pull -= off(t - 1) * x(t - 1);
      if (t + 1 < n) pull -= off(t) * x(t + 1);
      const char next = is_free(t) ? x(t) > 0 : pull > 0;
      has_changed |= next != is_free(t);
      is_free(t) = next;
    }
    if (!has_changed) return;
  }
  x = x.cwiseMax(0.0);
}

}  // namespace milcci
