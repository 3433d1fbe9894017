#include "loop/ruler.hpp"

#include "loop/decorrelation.hpp"
#include "loop/objective.hpp"
#include "loop/penalties.hpp"
#include "loop/penalty_values.hpp"
#include "solvers/chain.hpp"
#include "util/parallel.hpp"

namespace milcci {
namespace {

// gamma3 sum_m gamma5(m) ||W_m - I||^2
double transition_term(const Penalties& penalties, const std::vector<Matrix>& transitions) {
  double sum = 0.0;
  for (std::size_t m = 0; m < transitions.size(); ++m) {
    const Matrix& W = transitions[m];
    sum += penalties.gamma5(static_cast<Index>(m)) * (W - Matrix::Identity(W.rows(), W.cols())).squaredNorm();
  }
  return penalties.gamma3(0) * sum;
}

// Squares of what the model puts into missing entries, which are taken out of `model`.
double take_missing(const Gaps& gaps, Matrix& model) {
  double squares = 0.0;
  for (Index t = 0; t < model.cols(); ++t)
    for (int i = gaps.first[static_cast<std::size_t>(t)]; i < gaps.first[static_cast<std::size_t>(t) + 1];
         ++i) {
      double& value = model(gaps.channel[static_cast<std::size_t>(i)], t);
      squares += value * value;
      value = 0.0;
    }
  return squares;
}

// The prior's squared residuals, smoothness or lds.
Vector prior_residuals(const TrialData& data, std::size_t m, const State& state) {
  ChainProblem problem;
  if (state.transitions.empty())
    problem.step_weights = data.step_weights(m);
  else
    problem.W = state.transitions[m];
  return prior_energy(problem, state.traces[m]);
}

// All terms of F that a pass leaves, and the Gram matrices of the traces.
Statistics statistics_of_state(const FitOptions& options, const TrialData& data, const Design& design,
                               const Penalties& penalties, const State& state) {
  const bool is_nonnegative =
      options.nonnegative == NonNegative::traces || options.nonnegative == NonNegative::both;
  Statistics statistics;
  statistics.labels.resize(design.labels.size());
  Objective& terms = statistics.objective;
  TrialBuffer buffer;
  for (const Design::Block& block : design.blocks) {
    const auto l = static_cast<std::size_t>(block.label);
    const Matrix A = loading(design, state.components, l);
    Matrix& G = statistics.labels[l].G;
    if (G.size() == 0) G.setZero(A.cols(), A.cols());
    for (const std::size_t m : block.trials) {
      const Matrix& phi = state.traces[m];
      Matrix model = A * phi.transpose();
      if (const Gaps* gaps = data.gaps(m)) terms.ridge += penalties.missing * take_missing(*gaps, model);
      terms.fit += (data.values(m, buffer) - model).squaredNorm();
      terms.ridge += penalties.ridge.dot(phi.colwise().squaredNorm().transpose());
      if (penalties.gamma3.largest() > 0)
        terms.smoothness += penalties.gamma3.dot(prior_residuals(data, m, state));
      if (penalties.gamma4.size() > 0)
        terms.decorrelation +=
            penalties.gamma4(static_cast<Index>(m)) * total_correlation(phi, is_nonnegative);
      G += phi.transpose() * phi;
    }
    if (!penalties.uncertainty.empty() && statistics.labels[l].H.size() == 0) {
      statistics.labels[l].H = A.transpose() * A;
      terms.uncertainty += statistics.labels[l].H.cwiseProduct(penalties.uncertainty[l]).sum();
    }
  }
  return statistics;
}

}  // namespace

Objective objective_of_state(const FitOptions& options, const Calibration* calibration, double sparsity,
                             const Design& design, const Statistics& statistics, const State& state,
                             Penalties penalties) {
  set_component_penalties(options, sparsity, design, statistics, state.components, penalties);
  calibrate_components(calibration, options, penalties);
  Objective terms = objective_of_pass(
      penalties, statistics, penalty_values_of(design, state.components, resolve_threads(options.threads)));
  if (options.prior == TracePrior::lds) {
    set_transition_penalties(options, state, penalties);
    terms.transition = transition_term(penalties, state.transitions);
  }
  return terms;
}

Objective objective_of_state(const FitOptions& options, const Calibration* calibration, const TrialData& data,
                             const Design& design, const State& state) {
  Penalties penalties = trace_penalties(options, data, design.n_components());
  calibrate_traces(calibration, options, penalties);
  const Statistics statistics = statistics_of_state(options, data, design, penalties, state);
  return objective_of_state(options, calibration, options.sparsity.value_or(kDefaultSparsity), design,
                            statistics, state, penalties);
}

}  // namespace milcci
