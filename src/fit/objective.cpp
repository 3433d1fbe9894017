#include "fit/objective.hpp"

#include <cmath>
#include <numeric>

#include "kernels/kernels.hpp"
#include "util/columns.hpp"
#include "util/parallel.hpp"

namespace milcci {
namespace {

double fit_of_label(const LabelSums& sums, const Matrix& A) {
  const Shape shape{.n_channels = 0, .n_times = A.rows(), .n_components = A.cols(), .stride = A.rows()};
  Matrix H = Matrix::Zero(A.cols(), A.cols());
  const double product = kernels().inner(shape, sums.C.data(), A.data(), H.data());
  double fit = H.cwiseProduct(sums.G).sum() - 2.0 * product;
  for (std::size_t n = 0; n < sums.missing.size(); ++n) {
    const auto a = A.row(static_cast<Index>(n));
    fit -= a * sums.missing[n] * a.transpose();
  }
  return fit;
}

double fit_term(const Design& design, const Statistics& statistics, const Components& components,
                int threads) {
  std::vector<double> of_label(design.labels.size());
  parallel_for(of_label.size(), threads, [&](std::size_t l, int) {
    of_label[l] = fit_of_label(statistics.labels[l], loading(design, components, l));
  });
  return std::accumulate(of_label.begin(), of_label.end(), statistics.energy);
}

// Sparsity and consistency of components of length one.
void add_component_terms(const Design& design, const Penalties& penalties, const Components& unit,
                         Objective& terms) {
  terms.sparsity = terms.consistency = 0.0;
  for (std::size_t k = 0; k < design.n_categories(); ++k)
    for (std::size_t i = 0; i < unit[k].size(); ++i) {
      terms.sparsity +=
          unit[k][i].cwiseAbs().colwise().sum().dot(penalties.gamma1[k].col(static_cast<Index>(i)));
      for (const Design::Neighbour& other : design.neighbours[k][i])
        terms.consistency += 0.5 * other.weight *
                             (unit[k][i] - unit[k][static_cast<std::size_t>(other.option)])
                                 .colwise()
                                 .squaredNorm()
                                 .dot(penalties.gamma2[k]);
    }
}

double transition_term(const Design& design, const Penalties& penalties,
                       const std::vector<Matrix>& transitions, const std::vector<Matrix>& squared_length) {
  double sum = 0.0;
  Vector length(design.n_components());
  for (std::size_t m = 0; m < transitions.size(); ++m) {
    const std::vector<int>& label = design.labels[static_cast<std::size_t>(design.label_of_trial[m])];
    for (std::size_t k = 0; k < design.n_categories(); ++k)
      length.segment(design.first[k], design.n_components(k)) = squared_length[k].col(label[k]).cwiseSqrt();
    double pull = 0.0;
    for (Index j = 0; j < length.size(); ++j)
      for (Index l = 0; l < length.size(); ++l) {
        const bool is_alive = length(j) > 0 && length(l) > 0;  // a dead trace keeps its row and column of I
        if (is_alive)
          pull += std::pow(length(j) * transitions[m](j, l) / length(l) - (j == l ? 1.0 : 0.0), 2);
      }
    sum += penalties.gamma3 * penalties.gamma5(static_cast<Index>(m)) * pull;
  }
  return sum;
}

}  // namespace

Objective objective(const Design& design, const Penalties& penalties, const Statistics& statistics,
                    const Components& components, const std::vector<Matrix>& transitions, int threads) {
  Objective terms = statistics.objective;
  terms.fit = fit_term(design, statistics, components, threads);
  terms.smoothness = terms.ridge = 0.0;
  Components unit = components;
  std::vector<Matrix> squared_length;
  for (std::size_t k = 0; k < design.n_categories(); ++k) {
    squared_length.push_back(Matrix::Zero(design.n_components(k), design.n_options(k)));
    for (std::size_t i = 0; i < unit[k].size(); ++i) {
      squared_length[k].col(static_cast<Index>(i)) = unit[k][i].colwise().squaredNorm().transpose();
      normalise_columns(unit[k][i]);
    }
  }
  add_component_terms(design, penalties, unit, terms);
  for (std::size_t l = 0; l < design.labels.size(); ++l)
    for (std::size_t k = 0; k < design.n_categories(); ++k) {
      const LabelSums& sums = statistics.labels[l];
      const auto length = squared_length[k].col(design.labels[l][k]);
      const Index first = design.first[k], p = design.n_components(k);
      terms.smoothness += penalties.gamma3 * sums.prior_energy.segment(first, p).dot(length);
      terms.ridge += penalties.ridge * sums.G.diagonal().segment(first, p).dot(length);
    }
  if (!transitions.empty())
    terms.transition = transition_term(design, penalties, transitions, squared_length);
  return terms;
}

Objective objective_of_pass(const Design& design, const Penalties& penalties, const Statistics& statistics,
                            const Components& components) {
  Objective terms = statistics.objective;
  add_component_terms(design, penalties, components, terms);
  return terms;
}

}  // namespace milcci
