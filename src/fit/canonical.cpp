#include "fit/canonical.hpp"

#include <algorithm>
#include <numeric>

#include "fit/normalise.hpp"

namespace milcci {

Vector explained_energy(const Design& design, const State& state) {
  Vector energy = Vector::Zero(design.n_components());
  for (std::size_t m = 0; m < state.traces.size(); ++m) {
    const std::vector<int>& label = design.labels[static_cast<std::size_t>(design.label_of_trial[m])];
    for (std::size_t k = 0; k < design.n_categories(); ++k)
      for (Index j = 0; j < design.n_components(k); ++j)
        energy(design.first[k] + j) +=
            state.components[k][static_cast<std::size_t>(label[k])].col(j).squaredNorm() *
            state.traces[m].col(design.first[k] + j).squaredNorm();
  }
  const double total = energy.sum();
  if (total > 0) energy /= total;
  return energy;
}

std::vector<Index> make_canonical(const Design& design, bool may_flip, State& state) {
  const Vector energy = explained_energy(design, state);
  std::vector<Index> order(static_cast<std::size_t>(design.n_components()));
  std::iota(order.begin(), order.end(), Index{0});
  Vector sign = Vector::Ones(design.n_components());
  for (std::size_t k = 0; k < design.n_categories(); ++k) {
    std::stable_sort(order.begin() + design.first[k], order.begin() + design.first[k + 1],
                     [&](Index a, Index b) { return energy(a) > energy(b); });
    const std::vector<Index> rows(order.begin() + design.first[k], order.begin() + design.first[k + 1]);
    for (const Index row : rows) {
      double balance = 0.0;
      for (const Matrix& variant : state.components[k]) {
        const auto a = variant.col(row - design.first[k]);
        balance += a.cwiseProduct(a.cwiseAbs()).sum();
      }
      if (may_flip && balance < 0) sign(row) = -1.0;
    }
    for (Matrix& variant : state.components[k]) {
      Matrix sorted(variant.rows(), variant.cols());
      for (std::size_t j = 0; j < rows.size(); ++j)
        sorted.col(static_cast<Index>(j)) = sign(rows[j]) * variant.col(rows[j] - design.first[k]);
      variant = std::move(sorted);
    }
  }
  const Vector sorted_sign = sign(order);
  for (Matrix& phi : state.traces) phi = (phi(Eigen::all, order) * sorted_sign.asDiagonal()).eval();
  for (Matrix& W : state.transitions)
    W = (sorted_sign.asDiagonal() * W(order, order) * sorted_sign.asDiagonal()).eval();
  normalise(design, Scale::sum_one, state);
  return order;
}

}  // namespace milcci
