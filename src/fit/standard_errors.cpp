#include "fit/standard_errors.hpp"

#include <Eigen/Cholesky>
#include <cmath>

#include "label_graphs/laplacian.hpp"
#include "solvers/pseudo_inverse.hpp"

namespace milcci {
namespace {

// Of every label: products of the traces, and how uncertain they are.
std::vector<Matrix> grams_of(const Design& design, const State& state, const Calibration& calibration) {
  std::vector<Matrix> grams = calibration.uncertainty;
  const Index P = design.n_components();
  if (grams.empty()) grams.assign(design.labels.size(), Matrix::Zero(P, P));
  for (std::size_t m = 0; m < state.traces.size(); ++m)
    grams[static_cast<std::size_t>(design.label_of_trial[m])] +=
        state.traces[m].transpose() * state.traces[m];
  return grams;
}

// e_i of every component, p x n_options.
Matrix evidence_of(const Design& design, const std::vector<Matrix>& grams, std::size_t k) {
  const Index P = design.n_components(), first = design.first[k], p = design.n_components(k);
  std::vector<Matrix> G(static_cast<std::size_t>(design.n_options(k)), Matrix::Zero(P, P));
  for (std::size_t l = 0; l < design.labels.size(); ++l)
    G[static_cast<std::size_t>(design.labels[l][k])] += grams[l];
  Matrix evidence(p, design.n_options(k));
  for (std::size_t i = 0; i < G.size(); ++i) {
    const Vector variance = pseudo_inverse(G[i]).diagonal().segment(first, p);
    for (Index j = 0; j < p; ++j)
      evidence(j, static_cast<Index>(i)) = variance(j) > 0 ? 1.0 / variance(j) : 0.0;
  }
  return evidence;
}

// The diagonal of (diag(e) + gamma L)^-1. Of many options, as if the neighbours of each had none but itself.
Vector variances(const Vector& evidence, double gamma, const LabelGraph& ties) {
  constexpr Index kMostOptions = 200;
  const Index n = evidence.size();
  const double mean = evidence.mean();
  Vector variance = Vector::Zero(n);
  if (!(mean > 0)) return variance;
  if (n > kMostOptions) {
    for (Index i = 0; i < n; ++i) {
      const double pull = gamma * ties.sum(static_cast<int>(i));
      variance(i) = 1.0 / (evidence(i) + pull * mean / (pull + mean));
    }
    return variance;
  }
  constexpr double kRounding = 1e-12;
  Matrix K = gamma * laplacian(ties);
  K.diagonal() += evidence.cwiseMax(kRounding * mean);
  return K.llt().solve(Matrix::Identity(n, n)).diagonal();
}

}  // namespace

std::vector<Matrix> membership_errors(const Design& design, const State& state,
                                      const Calibration& calibration, const Vector& inflation) {
  const std::vector<Matrix> grams = grams_of(design, state, calibration);
  std::vector<Matrix> errors;
  for (std::size_t k = 0; k < design.n_categories(); ++k) {
    const Matrix evidence = evidence_of(design, grams, k);
    Matrix of_category(evidence.rows(), evidence.cols());
    for (Index j = 0; j < evidence.rows(); ++j) {
      const double gamma2 = calibration.consistency.empty() ? 0.0 : calibration.consistency[k](j);
      const Vector variance = variances(evidence.row(j).transpose(), gamma2, design.ties[k]);
      of_category.row(j) = (calibration.noise * inflation(design.first[k] + j) * variance.transpose())
                               .cwiseMax(0.0)
                               .cwiseSqrt();
    }
    errors.push_back(std::move(of_category));
  }
  return errors;
}

}  // namespace milcci
