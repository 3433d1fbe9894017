#include "start/assign_to_categories.hpp"

#include <algorithm>
#include <cmath>

#include "solvers/assignment.hpp"

namespace milcci {

Matrix gain_table(const Design& design, const std::vector<Matrix>& residual,
                  const std::vector<Vector>& energy) {
  const Index P = design.n_components(), N = residual[0].rows();
  Matrix gain = Matrix::Zero(P, static_cast<Index>(design.n_categories()));
  for (std::size_t k = 0; k < design.n_categories(); ++k) {
    const int n_options = design.n_options(k);
    if (n_options < 2) continue;
    std::vector<std::vector<std::size_t>> labels(static_cast<std::size_t>(n_options));
    for (std::size_t l = 0; l < design.labels.size(); ++l)
      labels[static_cast<std::size_t>(design.labels[l][k])].push_back(l);
    // One option after the other: all at once would be as large as all sums.
    Matrix r(N, P), r_sum = Matrix::Zero(N, P);
    Vector g(P), g_sum = Vector::Zero(P), saved = Vector::Zero(P);
    for (const std::vector<std::size_t>& labels_of_option : labels) {
      r.setZero();
      g.setZero();
      for (const std::size_t l : labels_of_option) {
        r += residual[l];
        g += energy[l];
      }
      r_sum += r;
      g_sum += g;
      for (Index j = 0; j < P; ++j)
        if (g(j) > 0) saved(j) += r.col(j).squaredNorm() / g(j);
    }
    for (Index j = 0; j < P; ++j) {
      if (!(g_sum(j) > 0)) continue;
      saved(j) -= r_sum.col(j).squaredNorm() / g_sum(j);
      gain(j, static_cast<Index>(k)) = std::max(0.0, saved(j)) / (n_options - 1);
    }
  }
  return gain;
}

std::vector<int> assign_to_categories(const Design& design, const Matrix& gain) {
  std::vector<int> category_of_slot;
  for (std::size_t k = 0; k < design.n_categories(); ++k)
    category_of_slot.insert(category_of_slot.end(), static_cast<std::size_t>(design.n_components(k)),
                            static_cast<int>(k));
  const double floor = std::max(1e-12 * gain.maxCoeff(), 1e-300);
  Matrix cost(gain.rows(), gain.rows());
  for (Index slot = 0; slot < cost.cols(); ++slot)
    cost.col(slot) = -gain.col(category_of_slot[static_cast<std::size_t>(slot)]).array().max(floor).log();
  std::vector<int> category_of_component;
  for (const Index slot : assign(cost))
    category_of_component.push_back(category_of_slot[static_cast<std::size_t>(slot)]);
  return category_of_component;
}

Components place_in_categories(const Design& design, const Matrix& shared,
                               const std::vector<int>& category_of_component) {
  Components components;
  for (std::size_t k = 0; k < design.n_categories(); ++k) {
    Matrix variant(shared.rows(), design.n_components(k));
    Index next = 0;
    for (std::size_t j = 0; j < category_of_component.size(); ++j)
      if (category_of_component[j] == static_cast<int>(k))
        variant.col(next++) = shared.col(static_cast<Index>(j));
    components.emplace_back(static_cast<std::size_t>(design.n_options(k)), variant);
  }
  return components;
}

}  // namespace milcci
