#include "loop/explained_energy.hpp"

#include "util/ordered_sum.hpp"

namespace milcci {

Vector explained_energy(const Design& design, const State& state) {
  const auto energy_of_trial = [&](std::size_t m, int, Vector& part) {
    const std::vector<int>& label = design.labels[static_cast<std::size_t>(design.label_of_trial[m])];
    for (std::size_t k = 0; k < design.n_categories(); ++k)
      for (Index j = 0; j < design.n_components(k); ++j)
        part(design.first[k] + j) =
            state.components[k][static_cast<std::size_t>(label[k])].col(j).squaredNorm() *
            state.traces[m].col(design.first[k] + j).squaredNorm();
  };
  Vector energy = Vector::Zero(design.n_components());
  sum_over_blocks(state.traces.size(), 1, energy, energy_of_trial,
                  [&](std::size_t, const Vector& part) { energy += part; });
  const double total = energy.sum();
  if (total > 0) energy /= total;
  return energy;
}

}  // namespace milcci
