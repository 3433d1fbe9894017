#include "loop/penalty_values.hpp"

#include "util/parallel.hpp"

namespace milcci {

PenaltyValues penalty_values_of(const Design& design, const Components& components, int threads) {
  PenaltyValues penalty_values;
  for (std::size_t k = 0; k < design.n_categories(); ++k) {
    penalty_values.l1.push_back(Matrix::Zero(design.n_components(k), design.n_options(k)));
    penalty_values.distances.push_back(penalty_values.l1.back());
  }
  const int light_threads = threads_for(n_values(design, components), threads);
  parallel_for(design.variants.size(), light_threads, [&](std::size_t v, int) {
    const auto [k, i] = design.variants[v];
    const auto option = static_cast<Index>(i);
    const Matrix& a = components[k][i];
    for (Index j = 0; j < a.cols(); ++j) {
      penalty_values.l1[k](j, option) = a.col(j).lpNorm<1>();
      for (const Design::Neighbour& other : design.neighbours[k][i]) {
        const auto& neighbour = components[k][static_cast<std::size_t>(other.option)];
        penalty_values.distances[k](j, option) += other.weight * (a.col(j) - neighbour.col(j)).squaredNorm();
      }
    }
  });
  return penalty_values;
}

}  // namespace milcci
