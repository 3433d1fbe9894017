#include "fit/warnings.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "milcci/error.hpp"

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
double likeness(const LabelGraph& ties, const std::vector<Matrix>& unit) {
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

void check_against_data(const FitOptions& options, const Design& design, const TrialData& data,
                        std::vector<std::string>& warnings) {
  if (!(data.energy() > 0))
    throw Error(ErrorKind::bad_input, "every observed value is zero; there is nothing to fit");
  if (design.n_components() > data.n_channels())
    throw Error(
        ErrorKind::bad_option,
        fmt::format("{} components in all, but the trials have only {} channels; ask for fewer components",
                    design.n_components(), data.n_channels()));
  for (const Category& category : design.categories)
    if (category.n_options() == 1 && category.spec.kind != CategoryKind::fixed)
      warnings.push_back(
          fmt::format("category '{}' has one option only ('{}') in these trials, so its components "
                      "cannot adjust",
                      category.spec.name, category.options[0]));
  if (data.has_negative() && options.nonnegative == NonNegative::both)
    warnings.emplace_back(
        "the data hold negative values, which non-negative components and traces cannot express; "
        "consider shifting the data, or `nonnegative` = components");
}

void warn_of_cancellation(const Statistics& statistics, const TrialData& data,
                          std::vector<std::string>& warnings) {
  constexpr double kSuspicious = 100.0;
  double trace_energy = 0.0;
  for (const LabelSums& sums : statistics.labels) trace_energy += sums.G.trace();
  if (trace_energy > kSuspicious * data.energy())
    warnings.push_back(
        fmt::format("components cancel each other: their parts hold {:.0f} times the energy of the data; "
                    "ask for fewer components, non-negativity, smoothness or decorrelation",
                    trace_energy / data.energy()));
}

void warn_of_dissimilar_variants(const Design& design, const Components& unit,
                                 std::vector<std::string>& warnings) {
  // 0: as strangers, 1: the same. True variants of the paper's kind reach 0.7 and more, independent ones 0.2
  // at most.
  constexpr double kHardly = 0.3;
  const double strangers = likeness_of_strangers(design, unit);
  for (std::size_t k = 0; k < design.n_categories(); ++k) {
    const double own = likeness(design.ties[k], unit[k]);
    if (own - strangers >= kHardly * (1.0 - strangers)) continue;
    warnings.push_back(
        fmt::format("category '{}': the consistency penalty fights the data; variants of a component are "
                    "hardly more alike from option to option (mean cosine {:.2f}) than different components "
                    "are ({:.2f}); try {}",
                    design.categories[k].spec.name, own, strangers,
                    design.categories[k].spec.kind == CategoryKind::trial_number
                        ? "a lower `consistency`"
                        : fmt::format("`category` = {}={}:free", design.categories[k].spec.name,
                                      design.n_components(k))));
  }
}

void warn_of_dead_components(const Model& model, std::vector<std::string>& warnings) {
  for (const Index dead : model.dead_components()) {
    const Model::Place place = model.place(dead);
    warnings.push_back(fmt::format(
        "component {} of category '{}' is dead: the others do as well without it (`redundancy` = 0 "
        "keeps all), or sparsity left it no channel; ask for fewer components",
        place.component + 1, model.categories[place.category].category.spec.name));
  }
}

}  // namespace milcci
