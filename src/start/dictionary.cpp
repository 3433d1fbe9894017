#include "start/dictionary.hpp"

#include <Eigen/Cholesky>
#include <utility>
#include <vector>

#include "solvers/lasso.hpp"
#include "util/columns.hpp"

namespace milcci {
namespace {

// S less what components explain of it: S - sum_j b_j b_j' / e_j, kept as the vectors.
class Deflated {
 public:
  explicit Deflated(const Moments& moments) : moments_(moments), diagonal_(moments.diagonal()) {}

  const Vector& diagonal() const { return diagonal_; }
  Vector column(Index channel) const {
    Vector column = moments_.column(channel);
    for (const auto& [b, energy] : explained_) column -= b * b(channel) / energy;
    return column;
  }
  // Only what is orthogonal to a stays.
  void take_out(const Vector& a) {
    Vector b = moments_.times(a);
    for (const auto& [other, energy] : explained_) b -= other * (other.dot(a) / energy);
    const double energy = a.dot(b);
    if (!(energy > 0)) return;
    diagonal_ -= b.cwiseAbs2() / energy;
    explained_.push_back({std::move(b), energy});
  }

 private:
  struct Explained {
    Vector b;
    double energy;
  };
  const Moments& moments_;
  Vector diagonal_;
  std::vector<Explained> explained_;
};

// Each component starts as the moments of one channel, picked with a probability that grows with what the
// components before it leave unexplained (as k-means++ picks centres).
Matrix first_dictionary(const Moments& moments, Index n_components, bool is_nonnegative, Random& random) {
  Deflated residual(moments);
  Matrix A(moments.n_channels(), n_components);
  for (Index j = 0; j < n_components; ++j) {
    const Vector chance = residual.diagonal().cwiseMax(0.0);
    double target = random.uniform() * chance.sum();
    Index channel = 0;
    while (channel + 1 < chance.size() && target >= chance(channel)) target -= chance(channel++);
    Vector a = residual.column(channel);
    if (is_nonnegative) a = a.cwiseMax(0.0);
    if (!(a.norm() > 0)) {  // nothing is left to explain
      for (Index n = 0; n < a.size(); ++n) a(n) = random.uniform();
    }
    A.col(j) = a.normalized();
    residual.take_out(A.col(j));
  }
  return A;
}

}  // namespace

Matrix sparse_dictionary(const Moments& moments, Index n_components, const DictionaryOptions& options,
                         Random& random) {
  Matrix A = first_dictionary(moments, n_components, options.is_nonnegative, random);
  const auto n_channels = static_cast<double>(moments.n_channels());
  for (int iteration = 0; iteration < options.iterations; ++iteration) {
    Matrix H = A.transpose() * A;
    H.diagonal().array() += 1e-9;  // components may coincide on the way
    const Eigen::LLT<Matrix> factor(H);
    const Matrix C = factor.solve(moments.times(A).transpose()).transpose();
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
