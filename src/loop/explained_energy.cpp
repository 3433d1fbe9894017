#include "loop/explained_energy.hpp"

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

}  // namespace milcci
