#include <Eigen/Cholesky>

#include "baselines/sibblings.hpp"
#include "solvers/lasso.hpp"
#include "solvers/tridiagonal.hpp"

namespace milcci::baselines {

void update_state(const Matrix& G, const Matrix& R, const Matrix& l1, const Vector& pull,
                  const Matrix& toward, double total, Matrix& A) {
  Matrix pulled = G;
  pulled.diagonal() += total * pull;
  for (Index n = 0; n < A.rows(); ++n) {
    const Vector r = R.row(n).transpose() + pull.cwiseProduct(toward.row(n).transpose());
    Vector a = A.row(n).transpose();
    lasso_row(pulled, r, l1.row(n).transpose(), {}, a);
    A.row(n) = a.transpose();
  }
}

Matrix sparsity_weights(const SibblingsKnobs& knobs, const ChannelGraph& channel_graph, const Matrix& A,
                        double unit) {
  const Matrix size = A.cwiseAbs();
  const Matrix denominator = ((size + knobs.graph * (channel_graph * size)).array() + knobs.floor).matrix();
  return unit * knobs.sparsity * denominator.cwiseInverse();
}

Matrix overlap_weights(const Vector& h, const Matrix& traces) {
  const Vector energy = traces.rowwise().squaredNorm();
  const Vector each = (energy.array() > 0).select((h.array() / energy.array()).sqrt(), 0.0);
  return each * each.transpose();
}

double trace_penalties(const SibblingsKnobs& knobs, const Vector& h, const Matrix& overlap,
                       const Matrix& traces) {
  const Index P = traces.rows(), T = traces.cols();
  const Matrix steps = traces.rightCols(T - 1) - traces.leftCols(T - 1),
               products = traces * traces.transpose();
  double sum =
      knobs.smoothness * h.dot(steps.rowwise().squaredNorm()) + knobs.ridge * h.dot(products.diagonal());
  for (Index j = 0; j < P; ++j)
    for (Index l = 0; l < j; ++l)
      sum += knobs.decorrelation * overlap(j, l) * products(j, l) * products(j, l);
  return sum;
}

void sweep_traces(const SibblingsKnobs& knobs, const Matrix& H, const Matrix& B, const Matrix& overlap,
                  Matrix& traces) {
  const Index P = traces.rows(), T = traces.cols();
  TridiagonalSolver solver;
  for (Index j = 0; j < P; ++j) {
    const double h = H(j, j);
    if (!(h > 0)) {
      traces.row(j).setZero();
      continue;
    }
    const double q = h * knobs.smoothness;
    Vector diagonal = Vector::Constant(T, h * (1 + knobs.ridge));
    if (T > 1) {
      diagonal.array() += 2 * q;
      diagonal(0) -= q;
      diagonal(T - 1) -= q;
    }
    const Vector off = Vector::Constant(T > 1 ? T - 1 : 0, -q);
    solver.set_matrix(diagonal, off);
    const auto solve = [&](Vector x) {
      solver.solve(0, T - 1, x);
      return x;
    };
    const Vector b = (B.row(j) - H.row(j) * traces + h * traces.row(j)).transpose();
    Vector phi = solve(b);
    if (P > 1 && knobs.decorrelation > 0) {
      // (M + V V') x = b with V the other traces, weighted: x = M^-1 b - M^-1 V (I + V' M^-1 V)^-1 V' M^-1 b
      Matrix V(T, P - 1), solved(T, P - 1);
      for (Index l = 0, column = 0; l < P; ++l) {
        if (l == j) continue;
        V.col(column) = std::sqrt(knobs.decorrelation * overlap(j, l)) * traces.row(l).transpose();
        solved.col(column) = solve(V.col(column));
        ++column;
      }
      const Matrix inner = Matrix::Identity(P - 1, P - 1) + V.transpose() * solved;
      phi -= solved * inner.ldlt().solve(V.transpose() * phi);
    }
    traces.row(j) = phi.transpose();
  }
}

}  // namespace milcci::baselines
