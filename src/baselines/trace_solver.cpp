#include "baselines/trace_solver.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <utility>

#include "baselines/samples.hpp"
#include "solvers/lasso.hpp"
#include "solvers/pseudo_inverse.hpp"

namespace milcci::baselines {
namespace {

using Column = Eigen::Array<double, Eigen::Dynamic, 1>;

Matrix ridge_per_component(const Vector& energy, double n_samples, double noise) {
  return energy.unaryExpr([&](double sum) { return sum > 0 ? noise * n_samples / sum : 1.0; }).asDiagonal();
}

}  // namespace

void descend_nonnegative(const Matrix& H, const Vector& b, Eigen::Ref<Vector> x, int max_sweeps) {
  Vector solution = x;
  lasso_row(H, b, Vector::Zero(b.size()), {.is_nonnegative = true, .max_sweeps = max_sweeps}, solution);
  x = solution;
}

Matrix inverse_of_gram(const Matrix& H) {
  constexpr double kWellConditioned = 1e-8;
  const Eigen::LLT<Matrix> cholesky(H);
  if (cholesky.info() == Eigen::Success && cholesky.rcond() > kWellConditioned)
    return cholesky.solve(Matrix::Identity(H.rows(), H.cols()));
  return pseudo_inverse(H);
}

Matrix ridge_of_noise(const Model& model, double squared_error, double n_observed) {
  Vector energy = Vector::Zero(model.n_components());
  double n_samples = 0;
  for (const Matrix& phi : model.traces) {
    energy += phi.rowwise().squaredNorm();
    n_samples += static_cast<double>(phi.cols());
  }
  return ridge_per_component(energy, n_samples, squared_error / n_observed);
}

Matrix ridge_of_noise(const Model& model, bool is_nonnegative, const TrialSource& trials, Index most_times) {
  Matrix moments = Matrix::Zero(model.n_components(), model.n_components());
  double squared_error = 0, n_observed = 0, n_samples = 0;
  TrialBuffer buffer;
  for (std::size_t m = 0; m < trials.n_trials(); ++m) {
    const Index n_times = std::min(trials.n_times(m), most_times);
    const auto y = trials.doubles(m, buffer).leftCols(n_times);
    const Matrix phi = model.traces[m].leftCols(n_times);
    Matrix error = y - model.loading(m) * phi;
    if (model.noise.offset.size() > 0) error.colwise() -= model.noise.offset;
    const Eigen::Array<bool, Eigen::Dynamic, Eigen::Dynamic> is_missing = error.array().isNaN();
    squared_error += is_missing.select(0.0, error).squaredNorm();
    n_observed += static_cast<double>(error.size() - is_missing.count());
    const Vector is_seen = 1.0 - is_missing.colwise().all().cast<double>().transpose();
    moments += phi * is_seen.asDiagonal() * phi.transpose();
    n_samples += is_seen.sum();
  }
  const double noise = n_observed > 0 ? squared_error / n_observed : 0;
  const Vector energy = moments.diagonal();
  if (is_nonnegative) return ridge_per_component(energy, n_samples, noise);
  Matrix ridge = noise * n_samples * pseudo_inverse(moments);
  for (Index j = 0; j < ridge.rows(); ++j)
    if (!(energy(j) > 0)) ridge(j, j) = 1;
  return ridge;
}

TraceSolver::TraceSolver(Matrix components, Vector offset, const TraceRule& rule)
    : A_(std::move(components)),
      offset_(offset.size() > 0 ? std::move(offset) : Vector::Zero(A_.rows())),
      weight_(rule.weight.size() > 0 ? rule.weight : Vector::Ones(A_.rows())),
      ridge_(rule.ridge.size() > 0 ? rule.ridge : Matrix::Zero(A_.cols(), A_.cols())),
      is_nonnegative_(rule.is_nonnegative) {}

Matrix TraceSolver::gram(const Eigen::Ref<const Column>& is_observed) const {
  Matrix H = A_.transpose() * (weight_.array() * is_observed).matrix().asDiagonal() * A_;
  H += ridge_;
  return H;
}

void TraceSolver::solve_column(const Matrix& H, const Matrix& inverse, const Vector& b,
                               Eigen::Ref<Vector> phi) const {
  phi = inverse * b;
  if (!is_nonnegative_ || (phi.array() >= 0).all()) return;
  phi = phi.cwiseMax(0.0);
  descend_nonnegative(H, b, phi);
}

Matrix TraceSolver::solve(const Eigen::Ref<const Matrix>& y) const {
  const Column everywhere = Column::Ones(A_.rows());
  const Matrix H = gram(everywhere), inverse = inverse_of_gram(H);
  const auto is_missing = y.array().isNaN();
  const Matrix rest = is_missing.select(0.0, (y.colwise() - offset_).array()).matrix();
  const Matrix B = A_.transpose() * (weight_.asDiagonal() * rest);
  Matrix traces(A_.cols(), y.cols());
  Column pattern = everywhere;
  Matrix own = H, own_inverse = inverse;
  for (Index t = 0; t < y.cols(); ++t) {
    if (!is_missing.col(t).any()) {
      solve_column(H, inverse, B.col(t), traces.col(t));
      continue;
    }
    const Column is_observed = 1.0 - is_missing.col(t).template cast<double>();
    if ((is_observed != pattern).any()) {
      pattern = is_observed;
      own = gram(pattern);
      own_inverse = inverse_of_gram(own);
    }
    solve_column(own, own_inverse, B.col(t), traces.col(t));
  }
  return traces;
}

// With E_q = A shape_q over the trial, K_qr = sum weight E_q E_r and c_q = sum weight E_q (Y - b), both over
// observed entries: K theta = c. Without gaps K_qr = <A'WA shape_q, shape_r>.
Matrix TraceSolver::solve_shapes(const Eigen::Ref<const Matrix>& y, const std::vector<Matrix>& shapes) const {
  const Index n_times = std::min(y.cols(), shapes.front().cols());
  const auto Q = static_cast<Index>(shapes.size());
  const auto is_missing = y.leftCols(n_times).array().isNaN();
  const Matrix weight = is_missing.select(0.0, weight_.array().replicate(1, n_times)).matrix();
  const Matrix rest =
      is_missing.select(0.0, (y.leftCols(n_times).colwise() - offset_).array()).matrix().cwiseProduct(weight);
  const bool has_gaps = is_missing.any();
  const Matrix H = A_.transpose() * weight_.asDiagonal() * A_, B = A_.transpose() * rest;
  Matrix K(Q, Q);
  Vector c(Q);
  for (Index q = 0; q < Q; ++q) {
    const Matrix shape = shapes[static_cast<std::size_t>(q)].leftCols(n_times);
    const Matrix image =
        has_gaps ? Matrix(A_.transpose() * (A_ * shape).cwiseProduct(weight)) : Matrix(H * shape);
    c(q) = B.cwiseProduct(shape).sum();
    for (Index r = 0; r <= q; ++r)
      K(q, r) = K(r, q) = image.cwiseProduct(shapes[static_cast<std::size_t>(r)].leftCols(n_times)).sum();
  }
  Vector theta = pseudo_inverse(K) * c;
  if (is_nonnegative_ && (theta.array() < 0).any()) {
    theta = theta.cwiseMax(0.0);
    descend_nonnegative(K, c, theta);
  }
  Matrix traces = Matrix::Zero(A_.cols(), n_times);
  for (Index q = 0; q < Q; ++q) traces += theta(q) * shapes[static_cast<std::size_t>(q)].leftCols(n_times);
  return with_length(traces, y.cols());
}

}  // namespace milcci::baselines
