#include "loop/penalty_values.hpp"

#include <algorithm>

#include "util/parallel.hpp"

namespace milcci {

namespace {

// Where all options are tied alike, with m their mean:
//   sum_i' ||a_i - a_i'||^2 = n_options ||a_i - m||^2 + sum_i' ||a_i' - m||^2
// so no loop over pairs is needed. Per category N x p; empty where options are not tied alike.
std::vector<Matrix> means_of_tied(const Design& design, const Components& components, int threads) {
  std::vector<Matrix> means(design.n_categories());
  for (std::size_t k = 0; k < means.size(); ++k)
    if (design.ties[k].is_constant() && design.ties[k].weight() > 0)
      means[k].setZero(components[k][0].rows(), components[k][0].cols());
  parallel_for(static_cast<std::size_t>(design.n_components()), threads, [&](std::size_t component, int) {
    const auto place = std::ranges::upper_bound(design.first, static_cast<Index>(component)) - 1;
    const auto k = static_cast<std::size_t>(place - design.first.begin());
    const Index j = static_cast<Index>(component) - *place;
    if (means[k].size() == 0) return;
    for (const Matrix& variant : components[k]) means[k].col(j) += variant.col(j);
    means[k].col(j) /= static_cast<double>(components[k].size());
  });
  return means;
}

}  // namespace

PenaltyValues penalty_values_of(const Design& design, const Components& components, int threads) {
  PenaltyValues penalty_values;
  for (std::size_t k = 0; k < design.n_categories(); ++k) {
    penalty_values.l1.push_back(Matrix::Zero(design.n_components(k), design.n_options(k)));
    penalty_values.distances.push_back(penalty_values.l1.back());
  }
  const int light_threads = threads_for(n_values(design, components), threads);
  const std::vector<Matrix> means = means_of_tied(design, components, light_threads);
  parallel_for(design.variants.size(), light_threads, [&](std::size_t v, int) {
    const auto [k, i] = design.variants[v];
    const auto option = static_cast<Index>(i);
    const Matrix& a = components[k][i];
    for (Index j = 0; j < a.cols(); ++j) {
      penalty_values.l1[k](j, option) = a.col(j).lpNorm<1>();
      double& distance = penalty_values.distances[k](j, option);
      if (means[k].size() > 0) distance = (a.col(j) - means[k].col(j)).squaredNorm();
      if (design.ties[k].is_constant()) continue;
      for (const auto& other : design.ties[k].neighbours(static_cast<int>(i)))
        distance += other.weight *
                    (a.col(j) - components[k][static_cast<std::size_t>(other.option)].col(j)).squaredNorm();
    }
  });
  for (std::size_t k = 0; k < means.size(); ++k) {
    if (means[k].size() == 0) continue;
    Matrix& distances = penalty_values.distances[k];
    const Vector sums = distances.rowwise().sum();
    distances = design.ties[k].weight() * ((design.n_options(k) * distances).colwise() + sums);
  }
  return penalty_values;
}

}  // namespace milcci
