// Expectation maximisation over observed entries. For the observed channels O of a time point
//   M = I + W_O' Psi_O^-1 W_O,   z = M^-1 W_O' Psi_O^-1 (y_O - b_O),   C = M^-1 the posterior covariance
//   log p(y_O) = -1/2 (|O| log 2 pi + sum_O log psi_n + log |M| + r' Psi_O^-1 r - z' M z),   r = y_O - b_O
// and for every channel n, over its observed time points, with f = (z; 1) and F = sum (f f' + (C 0; 0 0)):
//   (w_n, b_n) = F^-1 sum y f,   psi_n = mean of (y^2 - (w_n, b_n) . y f)
// Nothing is imputed. Cost O(S N P^2) an iteration.
#include <Eigen/Cholesky>
#include <numbers>

#include "baselines/gaussian.hpp"
#include "baselines/trace_solver.hpp"

namespace milcci::baselines {
namespace {

using Column = Eigen::Array<double, Eigen::Dynamic, 1>;

// Sums over the observed time points of every channel.
struct ChannelSums {
  std::vector<Matrix> F;  // N of (P + 1) x (P + 1)
  Matrix yf;              // (P + 1) x N
  Vector yy, n_observed;  // N
};

// The posterior covariance of time points with one pattern of gaps.
struct Posterior {
  Column is_observed;
  Matrix covariance;
  double log_determinants = 0;  // sum_O log psi + log |M|
  double n_observed = 0;
};

Posterior posterior_of(const GaussianModel& model, const Column& is_observed) {
  const Matrix M = Matrix::Identity(model.W.cols(), model.W.cols()) +
                   model.W.transpose() * (is_observed / model.noise.array()).matrix().asDiagonal() * model.W;
  const Eigen::LLT<Matrix> cholesky(M);
  return {is_observed, cholesky.solve(Matrix::Identity(M.rows(), M.cols())),
          2 * cholesky.matrixL().toDenseMatrix().diagonal().array().log().sum() +
              (is_observed * model.noise.array().log()).sum(),
          is_observed.sum()};
}

double expect(const Samples& samples, const GaussianModel& model, ChannelSums& sums) {
  const Index N = model.W.rows(), P = model.W.cols();
  sums = {std::vector<Matrix>(static_cast<std::size_t>(N), Matrix::Zero(P + 1, P + 1)),
          Matrix::Zero(P + 1, N), Vector::Zero(N), Vector::Zero(N)};
  const Matrix projection = model.W.transpose() * model.noise.cwiseInverse().asDiagonal();
  double log_likelihood = 0;
  Posterior posterior;
  Matrix products(P + 1, P + 1);
  Vector f(P + 1);
  for (Index s = 0; s < samples.values.cols(); ++s) {
    const auto y = samples.values.col(s);
    const Column is_observed = 1.0 - y.array().isNaN().cast<double>();
    if (posterior.is_observed.size() == 0 || (is_observed != posterior.is_observed).any())
      posterior = posterior_of(model, is_observed);
    const Vector filled = y.array().isNaN().select(0.0, y);
    const Vector r = y.array().isNaN().select(0.0, y - model.offset);
    const Vector projected = projection * r;
    const Vector z = posterior.covariance * projected;
    log_likelihood -=
        0.5 * (posterior.n_observed * std::log(2 * std::numbers::pi) + posterior.log_determinants +
               (r.array().square() / model.noise.array()).sum() - z.dot(projected));
    f << z, 1.0;
    products = f * f.transpose();
    products.topLeftCorner(P, P) += posterior.covariance;
    sums.yf += f * filled.transpose();
    sums.yy += filled.cwiseAbs2();
    sums.n_observed += is_observed.matrix();
    for (Index n = 0; n < N; ++n)
      if (is_observed(n) > 0) sums.F[static_cast<std::size_t>(n)] += products;
  }
  return log_likelihood;
}

void maximise(const ChannelSums& sums, NoiseLevels levels, const Vector& least_noise, GaussianModel& model) {
  const Index N = model.W.rows(), P = model.W.cols();
  Vector squares = Vector::Zero(N);
  for (Index n = 0; n < N; ++n) {
    if (!(sums.n_observed(n) > 0)) {  // never observed: it belongs to nothing
      model.W.row(n).setZero();
      continue;
    }
    const Vector yf = sums.yf.col(n);
    const Vector solution = inverse_of_gram(sums.F[static_cast<std::size_t>(n)]) * yf;
    model.W.row(n) = solution.head(P).transpose();
    model.offset(n) = solution(P);
    squares(n) = std::max(0.0, sums.yy(n) - solution.dot(yf));
  }
  if (levels == NoiseLevels::common)
    model.noise.setConstant(squares.sum() / sums.n_observed.sum());
  else
    model.noise = squares.array() / sums.n_observed.array().max(1.0);
  model.noise = model.noise.cwiseMax(least_noise);
}

}  // namespace

GaussianModel maximise_by_em(const Samples& samples, GaussianModel model, NoiseLevels levels,
                             const Vector& least_noise, Descent& descent) {
  ChannelSums sums;
  model.log_likelihood = expect(samples, model, sums);
  while (descent.goes_on(-model.log_likelihood)) {
    GaussianModel next = model;
    maximise(sums, levels, least_noise, next);
    next.log_likelihood = expect(samples, next, sums);
    model = std::move(next);
  }
  return model;
}

}  // namespace milcci::baselines
