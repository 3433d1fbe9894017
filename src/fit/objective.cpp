#include "fit/objective.hpp"

namespace milcci {
namespace {

double fit_term(const Design& design, const Statistics& statistics, const Components& components) {
  double fit = statistics.energy;
  for (std::size_t l = 0; l < design.labels.size(); ++l) {
    const LabelSums& sums = statistics.labels[l];
    const Matrix A = loading(design, components, l);
    fit += (A * sums.G - 2.0 * sums.C).cwiseProduct(A).sum();
    for (std::size_t n = 0; n < sums.missing.size(); ++n) {
      const auto a = A.row(static_cast<Index>(n));
      fit -= a * sums.missing[n] * a.transpose();
    }
  }
  return fit;
}

}  // namespace

Objective objective(const Design& design, const Penalties& penalties, const Statistics& statistics,
                    const Components& components) {
  Objective terms = statistics.objective;
  terms.fit = fit_term(design, statistics, components);
  terms.sparsity = terms.consistency = terms.smoothness = 0.0;
  Components unit = components;
  std::vector<Matrix> squared_length;
  for (std::size_t k = 0; k < design.n_categories(); ++k) {
    squared_length.push_back(Matrix::Zero(design.n_components(k), design.n_options(k)));
    for (std::size_t i = 0; i < unit[k].size(); ++i) {
      squared_length[k].col(static_cast<Index>(i)) = unit[k][i].colwise().squaredNorm().transpose();
      unit[k][i].colwise().normalize();
      terms.sparsity +=
          unit[k][i].cwiseAbs().colwise().sum().dot(penalties.gamma1[k].col(static_cast<Index>(i)));
    }
    for (std::size_t i = 0; i < unit[k].size(); ++i)
      for (const Design::Neighbour& other : design.neighbours[k][i])
        terms.consistency += 0.5 * other.weight *
                             (unit[k][i] - unit[k][static_cast<std::size_t>(other.option)])
                                 .colwise()
                                 .squaredNorm()
                                 .dot(penalties.gamma2[k]);
  }
  for (std::size_t l = 0; l < design.labels.size(); ++l)
    for (std::size_t k = 0; k < design.n_categories(); ++k)
      terms.smoothness +=
          penalties.gamma3 * statistics.labels[l]
                                 .prior_energy.segment(design.first[k], design.n_components(k))
                                 .dot(squared_length[k].col(design.labels[l][k]));
  return terms;
}

}  // namespace milcci
