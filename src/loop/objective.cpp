#include "loop/objective.hpp"

#include <cmath>
#include <numeric>

#include "kernels/kernels.hpp"
#include "loop/missing.hpp"
#include "util/columns.hpp"
#include "util/parallel.hpp"

namespace milcci {
namespace {

// Squared errors where there are data, and squares where there are none.
struct FitTerms {
  double fit, missing;
};

FitTerms fit_of_label(const LabelSums& sums, const Matrix& A) {
  const Shape shape = shape_of_columns(A.rows(), A.cols());
  Matrix H = Matrix::Zero(A.cols(), A.cols());
  const double product = kernels().inner(shape, sums.C.data(), A.data(), H.data());
  const double zeros = missing_energy(sums, A);
  return {.fit = H.cwiseProduct(sums.G).sum() - 2.0 * product - zeros, .missing = zeros};
}

FitTerms fit_terms(const Design& design, const Statistics& statistics, const Components& components,
                   int threads) {
  std::vector<FitTerms> of_label(design.labels.size());
  parallel_for(of_label.size(), threads, [&](std::size_t l, int) {
    of_label[l] = fit_of_label(statistics.labels[l], loading(design, components, l));
  });
  FitTerms sum{.fit = statistics.energy, .missing = 0};
  for (const FitTerms& label : of_label) {
    sum.fit += label.fit;
    sum.missing += label.missing;
  }
  return sum;
}

void add_component_terms(const Penalties& penalties, const PenaltyValues& penalty_values, Objective& terms) {
  terms.sparsity = terms.consistency = 0.0;
  for (std::size_t k = 0; k < penalty_values.l1.size(); ++k) {
    terms.sparsity += penalties.gamma1[k].cwiseProduct(penalty_values.l1[k]).sum();
    terms.consistency +=
        0.5 * penalties.gamma2[k].dot(penalty_values.distances[k].rowwise().sum());  // pairs, twice
  }
}

// sum over labels of <A' A, V>, components at length one.
double uncertainty_term(const Design& design, const Penalties& penalties, const Components& unit,
                        int threads) {
  std::vector<double> of_label(penalties.uncertainty.size());
  parallel_for(of_label.size(), threads, [&](std::size_t l, int) {
    const Matrix A = loading(design, unit, l);
    Matrix H = Matrix::Zero(A.cols(), A.cols());
    kernels().inner(shape_of_columns(A.rows(), A.cols()), A.data(), A.data(), H.data());
    of_label[l] = H.cwiseProduct(penalties.uncertainty[l]).sum();
  });
  return std::accumulate(of_label.begin(), of_label.end(), 0.0);
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
    sum += penalties.gamma3(0) * penalties.gamma5(static_cast<Index>(m)) * pull;
  }
  return sum;
}

}  // namespace

Objective objective(const Design& design, const Penalties& penalties, const Statistics& statistics,
                    const Components& components, const std::vector<Matrix>& transitions, int threads) {
  Objective terms = statistics.objective;
  const FitTerms fit = fit_terms(design, statistics, components, threads);
  terms.fit = fit.fit;
  terms.ridge = penalties.missing * fit.missing;
  terms.smoothness = 0.0;
  Components unit(components.size());
  std::vector<Matrix> squared_length;
  for (std::size_t k = 0; k < design.n_categories(); ++k) {
    unit[k].resize(components[k].size());
    squared_length.push_back(Matrix::Zero(design.n_components(k), design.n_options(k)));
  }
  const int light_threads = threads_for(n_values(design, components), threads);
  parallel_for(design.variants.size(), light_threads, [&](std::size_t v, int) {
    const auto [k, i] = design.variants[v];
    unit[k][i] = components[k][i];
    squared_length[k].col(static_cast<Index>(i)) = unit[k][i].colwise().squaredNorm().transpose();
    normalise_columns(unit[k][i]);
  });
  add_component_terms(penalties, penalty_values_of(design, unit, threads), terms);
  for (std::size_t l = 0; l < design.labels.size(); ++l)
    for (std::size_t k = 0; k < design.n_categories(); ++k) {
      const LabelSums& sums = statistics.labels[l];
      const auto length = squared_length[k].col(design.labels[l][k]);
      const Index first = design.first[k], p = design.n_components(k);
      for (Index j = 0; j < p; ++j) {
        terms.smoothness += penalties.gamma3(first + j) * sums.prior_energy(first + j) * length(j);
        terms.ridge += penalties.ridge(first + j) * sums.G(first + j, first + j) * length(j);
      }
    }
  terms.uncertainty = uncertainty_term(design, penalties, unit, threads);
  if (!transitions.empty())
    terms.transition = transition_term(design, penalties, transitions, squared_length);
  return terms;
}

Objective objective_of_pass(const Penalties& penalties, const Statistics& statistics,
                            const PenaltyValues& penalty_values) {
  Objective terms = statistics.objective;
  add_component_terms(penalties, penalty_values, terms);
  return terms;
}

}  // namespace milcci
