#include "start/dictionary.hpp"

#include <Eigen/Cholesky>
#include <algorithm>

#include "kernels/kernels.hpp"
#include "solvers/lasso.hpp"
#include "util/columns.hpp"

namespace milcci {
namespace {

// Each component starts as the moments of one channel, picked with a probability that grows with what the
// components before it leave unexplained (as k-means++ picks centres).
Matrix first_dictionary(const Matrix& S, Index n_components, bool is_nonnegative, Random& random) {
  Matrix residual = S;
  Matrix A(S.rows(), n_components);
  for (Index j = 0; j < n_components; ++j) {
    const Vector chance = residual.diagonal().cwiseMax(0.0);
    double target = random.uniform() * chance.sum();
    Index channel = 0;
    while (channel + 1 < chance.size() && target >= chance(channel)) target -= chance(channel++);
    Vector a = residual.col(channel);
    if (is_nonnegative) a = a.cwiseMax(0.0);
    if (!(a.norm() > 0)) {  // nothing is left to explain
      for (Index n = 0; n < a.size(); ++n) a(n) = random.uniform();
    }
    A.col(j) = a.normalized();
    // Deflate: what is orthogonal to a.
    const Vector b = residual * A.col(j);
    const double energy = A.col(j).dot(b);
    if (energy > 0) residual -= b * b.transpose() / energy;
  }
  return A;
}

}  // namespace

Matrix second_moments(const TrialData& data) {
  const Index N = data.n_channels();
  Matrix S = Matrix::Zero(N, N), scratch;
  Matrix both_missing, observed_pairs;
  double n_times = 0;
  const bool has_gaps = data.has_gaps();
  if (has_gaps) observed_pairs.setZero(N, N);
  for (std::size_t m = 0; m < data.n_trials(); ++m) {
    const TrialData::View Y = data.values(m, scratch);
    S.selfadjointView<Eigen::Lower>().rankUpdate(Y);
    n_times += static_cast<double>(Y.cols());
    if (!has_gaps) continue;
    Matrix observed = Matrix::Ones(N, Y.cols());
    if (const Gaps* gaps = data.gaps(m))
      for (Index t = 0; t < Y.cols(); ++t)
        for (int g = gaps->first[static_cast<std::size_t>(t)];
             g < gaps->first[static_cast<std::size_t>(t) + 1]; ++g)
          observed(gaps->channel[static_cast<std::size_t>(g)], t) = 0.0;
    observed_pairs.selfadjointView<Eigen::Lower>().rankUpdate(observed);
  }
  S = S.selfadjointView<Eigen::Lower>();
  if (has_gaps) {
    observed_pairs = observed_pairs.selfadjointView<Eigen::Lower>();
    S = (observed_pairs.array() > 0)
            .select(S.array() * n_times / observed_pairs.array().max(1.0), 0.0)
            .matrix();
  }
  return S;
}

Matrix sparse_dictionary(const Matrix& S, Index n_components, const DictionaryOptions& options,
                         Random& random) {
  Matrix A = first_dictionary(S, n_components, options.is_nonnegative, random);
  const double n_channels = static_cast<double>(S.rows());
  const Shape shape{
      .n_channels = S.rows(), .n_times = S.rows(), .n_components = n_components, .stride = S.rows()};
  Matrix SA(S.rows(), n_components);  // S' A, S being symmetric
  for (int iteration = 0; iteration < options.iterations; ++iteration) {
    Matrix H = A.transpose() * A;
    H.diagonal().array() += 1e-9;  // components may coincide on the way
    const Eigen::LLT<Matrix> factor(H);
    kernels().project(shape, S.data(), A.data(), SA.data());
    const Matrix C = factor.solve(SA.transpose()).transpose();
    Matrix G = factor.solve(A.transpose() * C);
    G = (0.5 * (G + G.transpose())).eval();
    const Vector l1 = 2.0 * options.sparsity *
                      G.diagonal().cwiseProduct(A.cwiseAbs().colwise().sum().transpose()) / n_channels;
    lasso_rows(G, C, l1, {.is_nonnegative = options.is_nonnegative, .tolerance = 1e-6, .max_sweeps = 100}, A);
    normalise_columns(A);
  }
  return A;
}

}  // namespace milcci
