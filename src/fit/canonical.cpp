#include "fit/canonical.hpp"

#include <algorithm>
#include <numeric>

#include "loop/explained_energy.hpp"
#include "loop/normalise.hpp"

namespace milcci {

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
