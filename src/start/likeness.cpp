#include "start/likeness.hpp"

namespace milcci {
namespace {

struct WeightedSum {
  double sum = 0.0, weight = 0.0;
};

// Over all pairs of options, from the sum over options: |sum_i a_i|^2 - sum_i |a_i|^2.
WeightedSum cosines_of_all_pairs(double weight, const std::vector<Matrix>& unit) {
  WeightedSum all;
  for (Index j = 0; j < unit[0].cols(); ++j) {
    Vector total = Vector::Zero(unit[0].rows());
    double squares = 0.0, n_alive = 0.0;
    for (const Matrix& variant : unit) {
      if (variant.col(j).isZero(0.0)) continue;
      total += variant.col(j);
      squares += variant.col(j).squaredNorm();
      n_alive += 1.0;
    }
    all.sum += weight * (total.squaredNorm() - squares);
    all.weight += weight * n_alive * (n_alive - 1.0);
  }
  return all;
}

WeightedSum cosines_of_neighbours(const LabelGraph& ties, const std::vector<Matrix>& unit) {
  WeightedSum all;
  for (std::size_t i = 0; i < unit.size(); ++i)
    for (const LabelGraph::Neighbour& other : ties.neighbours(static_cast<int>(i))) {
      const Matrix& related = unit[static_cast<std::size_t>(other.option)];
      for (Index j = 0; j < related.cols(); ++j) {
        if (unit[i].col(j).isZero(0.0) || related.col(j).isZero(0.0)) continue;
        all.sum += other.weight * unit[i].col(j).dot(related.col(j));
        all.weight += other.weight;
      }
    }
  return all;
}

// Weighted mean of the cosines between the variants of one component under related options.
double mean_cosine(const LabelGraph& ties, const std::vector<Matrix>& unit) {
  const WeightedSum cosines =
      ties.is_constant() ? cosines_of_all_pairs(ties.weight(), unit) : cosines_of_neighbours(ties, unit);
  return cosines.weight > 0 ? cosines.sum / cosines.weight : 1.0;
}

// Mean cosine between different components, in trials of every label.
double likeness_of_strangers(const Design& design, const Components& unit) {
  double sum = 0.0, n = 0.0;
  for (std::size_t l = 0; l < design.labels.size(); ++l) {
    const Matrix A = loading(design, unit, l);
    const Matrix cosine = A.transpose() * A;
    const double n_alive = cosine.diagonal().sum();
    sum += cosine.sum() - n_alive;
    n += n_alive * (n_alive - 1.0);
  }
  return n > 0 ? sum / n : 0.0;
}

}  // namespace

bool Likeness::is_slight() const {
  // 0: as strangers, 1: the same. True variants of the paper's kind reach 0.7 and more, independent ones 0.2
  // at most.
  constexpr double kHardly = 0.3;
  return of_variants - of_strangers < kHardly * (1.0 - of_strangers);
}

Likeness likeness_of_variants(const Design& design, const Components& unit, std::size_t k) {
  return {mean_cosine(design.ties[k], unit[k]), likeness_of_strangers(design, unit)};
}

}  // namespace milcci
