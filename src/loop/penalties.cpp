#include "loop/penalties.hpp"

#include <algorithm>

namespace milcci {
namespace {

// Unless both factors keep their sign, components can become alike and cancel each other at any
// height. If both do, only a component whose channels are nearly all missing needs restraint.
constexpr double kDefaultRidge = 1e-3, kProtectiveRidge = 1e-6;
// Where signs are free, only the sparsity keeps components from turning to make their traces less
// correlated. At four times this, with the default sparsity, they do turn.
constexpr double kShareOfPairs = 0.25;

}  // namespace

bool has_first_ridge(const FitOptions& options) {
  return options.penalties == PenaltyChoice::automatic && options.prior != TracePrior::lds && !options.ridge;
}

double fixed_ridge(const FitOptions& options) {
  return options.nonnegative != NonNegative::both ? kDefaultRidge : kProtectiveRidge;
}

std::vector<Matrix> trace_energies(const Design& design, const Statistics& statistics) {
  std::vector<Matrix> energy;
  for (std::size_t k = 0; k < design.n_categories(); ++k)
    energy.push_back(Matrix::Zero(design.n_components(k), design.n_options(k)));
  for (std::size_t l = 0; l < design.labels.size(); ++l)
    for (std::size_t k = 0; k < design.n_categories(); ++k)
      energy[k].col(design.labels[l][k]) +=
          statistics.labels[l].G.diagonal().segment(design.first[k], design.n_components(k));
  return energy;
}

Penalties trace_penalties(const FitOptions& options, const TrialData& data, Index n_components) {
  Penalties penalties;
  // Components have length one, so H_jj = 1 and q compares a squared step with a squared error as it is.
  const double default_smoothness = options.prior == TracePrior::lds ? 1.0 : 0.0;
  penalties.gamma3 = options.gamma3.value_or(options.smoothness.value_or(default_smoothness));
  penalties.ridge = options.ridge.value_or(has_first_ridge(options) ? kFirstRidge : fixed_ridge(options));
  penalties.missing = options.missing_weight;
  const auto n_pairs = static_cast<double>(n_components * (n_components - 1));  // each twice, as in the sum
  if (options.gamma4.value_or(options.decorrelation) > 0 && n_pairs > 0) {
    penalties.gamma4.resize(static_cast<Index>(data.n_trials()));
    for (std::size_t m = 0; m < data.n_trials(); ++m)
      penalties.gamma4(static_cast<Index>(m)) =
          options.gamma4.value_or(kShareOfPairs * options.decorrelation * data.energy(m) / n_pairs);
  }
  return penalties;
}

void set_component_penalties(const FitOptions& options, double sparsity, const Design& design,
                             const Statistics& statistics, const Components& components,
                             Penalties& penalties) {
  const std::vector<Matrix> energy = trace_energies(design, statistics);
  penalties.gamma1.clear();
  penalties.gamma2.clear();
  for (std::size_t k = 0; k < design.n_categories(); ++k) {
    // The lasso cuts at gamma1 / (2 energy), which should be s times the mean membership.
    Matrix gamma1 = 2.0 * sparsity * energy[k];
    for (int i = 0; i < design.n_options(k); ++i) {
      const Matrix& variant = components[k][static_cast<std::size_t>(i)];
      gamma1.col(i).array() *= variant.cwiseAbs().colwise().mean().transpose().array();
    }
    if (options.gamma1) gamma1.setConstant(*options.gamma1);
    penalties.gamma1.push_back(gamma1);
    Vector gamma2 = options.consistency.value_or(kDefaultConsistency) * energy[k].rowwise().mean();
    if (options.gamma2) gamma2.setConstant(*options.gamma2);
    penalties.gamma2.push_back(gamma2);
  }
}

void set_transition_penalties(const FitOptions& options, const State& state, Penalties& penalties) {
  penalties.gamma5.resize(static_cast<Index>(state.traces.size()));
  for (std::size_t m = 0; m < state.traces.size(); ++m) {
    const Matrix& phi = state.traces[m];
    const double mean_energy = phi.squaredNorm() / static_cast<double>(phi.cols());
    penalties.gamma5(static_cast<Index>(m)) = options.gamma5.value_or(options.transition_pull * mean_energy);
  }
}

}  // namespace milcci
