#include "fit/traces.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "fit/decorrelation.hpp"
#include "fit/dynamics.hpp"
#include "milcci/error.hpp"
#include "util/parallel.hpp"

namespace milcci {
namespace {

/// What one thread reuses from trial to trial.
struct Workspace {
  Matrix values;
  ChainWork chain;
};

// sum over the observed channels of a_n a_n'. Few missing ones are subtracted from H; but where that would
// leave next to nothing of a component (all its channels are missing) only rounding errors would be left, so
// the rest is added up.
Matrix observed_gram(const Matrix& A, const Matrix& H, std::span<const int> missing) {
  constexpr double kNextToNothing = 1e-6;
  if (2 * static_cast<Index>(missing.size()) < A.rows()) {
    Matrix gram = H;
    for (const int n : missing) gram.noalias() -= A.row(n).transpose() * A.row(n);
    if ((gram.diagonal().array() >= kNextToNothing * H.diagonal().array()).all()) return gram;
  }
  Matrix gram = Matrix::Zero(A.cols(), A.cols());
  auto next = missing.begin();
  for (int n = 0; n < A.rows(); ++n) {
    if (next != missing.end() && *next == n) {
      ++next;
    } else {
      gram.noalias() += A.row(n).transpose() * A.row(n);
    }
  }
  return gram;
}

// H_t = sum over the channels observed at t of a_n a_n'. Consecutive time points with the same gaps share
// one.
void add_gaps(const Gaps& gaps, const Matrix& A, ChainProblem& problem) {
  const std::size_t n_times = gaps.first.size() - 1;
  problem.own.assign(n_times, -1);
  const auto begin = [&](std::size_t t) { return gaps.channel.begin() + gaps.first[t]; };
  for (std::size_t t = 0; t < n_times; ++t) {
    const int n_missing = gaps.first[t + 1] - gaps.first[t];
    if (n_missing == 0) continue;
    if (t > 0 && std::equal(begin(t), begin(t + 1), begin(t - 1), begin(t))) {
      problem.own[t] = problem.own[t - 1];
      continue;
    }
    problem.own_H.push_back(observed_gram(A, problem.H, std::span(begin(t), begin(t + 1))));
    problem.own[t] = static_cast<int>(problem.own_H.size()) - 1;
  }
}

ChainProblem make_problem(const TrialData& data, std::size_t trial, const TrialData::View& Y, const Matrix& A,
                          const Matrix& H, const Penalties& penalties) {
  ChainProblem problem;
  problem.H = H;
  problem.B.noalias() = Y.transpose() * A;
  problem.gamma = penalties.gamma3;
  problem.ridge = penalties.ridge;
  problem.step_weights = data.step_weights(trial);
  if (const Gaps* gaps = data.gaps(trial)) add_gaps(*gaps, A, problem);
  problem.H.diagonal().array() += problem.ridge;
  for (Matrix& own : problem.own_H) own.diagonal().array() += problem.ridge;
  return problem;
}

void add_to_sums(const TrialData& data, std::size_t trial, const TrialData::View& Y,
                 const ChainProblem& problem, const Matrix& phi, LabelSums& sums) {
  sums.C.noalias() += Y * phi;
  sums.G.noalias() += phi.transpose() * phi;
  if (problem.gamma > 0) sums.prior_energy += prior_energy(problem, phi);
  if (const Gaps* gaps = data.gaps(trial)) {
    if (sums.missing.empty())
      sums.missing.assign(static_cast<std::size_t>(data.n_channels()), Matrix::Zero(phi.cols(), phi.cols()));
    for (Index t = 0; t < phi.rows(); ++t) {
      const auto row = static_cast<std::size_t>(t);
      for (int position = gaps->first[row]; position < gaps->first[row + 1]; ++position)
        sums.missing[static_cast<std::size_t>(gaps->channel[static_cast<std::size_t>(position)])].noalias() +=
            phi.row(t).transpose() * phi.row(t);
    }
  }
}

LabelSums no_sums(Index n_channels, Index n_components) {
  return {.C = Matrix::Zero(n_channels, n_components),
          .G = Matrix::Zero(n_components, n_components),
          .missing = {},
          .prior_energy = Vector::Zero(n_components)};
}

void add(const LabelSums& part, LabelSums& sums) {
  sums.C += part.C;
  sums.G += part.G;
  sums.prior_energy += part.prior_energy;
  if (part.missing.empty()) return;
  if (sums.missing.empty()) {
    sums.missing = part.missing;
  } else {
    for (std::size_t n = 0; n < part.missing.size(); ++n) sums.missing[n] += part.missing[n];
  }
}

}  // namespace

TraceTerms solve_traces(ChainProblem& problem, double gamma4, double gamma5, const TraceOptions& options,
                        Matrix& phi, ChainWork& work) {
  const bool is_dynamic = options.prior == TracePrior::lds && problem.n_times() > 1 && problem.W.size() > 0;
  const int rounds = is_dynamic ? options.dynamics_iterations : 1;
  for (int round = 0; round < rounds; ++round) {
    if (gamma4 > 0) {
      minimise_decorrelated(problem, gamma4, options.is_nonnegative, options.chain, phi, work);
    } else if (options.is_nonnegative) {
      solve_chain_nonnegative(problem, options.chain, phi, work);
    } else {
      solve_chain(problem, phi);
    }
    if (is_dynamic) problem.W = best_transition(phi, gamma5);
  }
  // A dead component's trace is zero, and not the rounding error of a solver: as a quotient of two rounding
  // errors it would come back to life.
  for (Index j = 0; j < phi.cols(); ++j)
    if (problem.is_dead(j)) phi.col(j).setZero();
  const ChainObjective quadratic = chain_objective(problem, phi);
  TraceTerms terms{.data = quadratic.data,
                   .prior = quadratic.prior,
                   .decorrelation = 0,
                   .transition = 0,
                   .ridge = quadratic.ridge};
  if (gamma4 > 0) terms.decorrelation = gamma4 * total_correlation(phi);
  if (is_dynamic)
    terms.transition =
        problem.gamma * gamma5 * (problem.W - Matrix::Identity(phi.cols(), phi.cols())).squaredNorm();
  return terms;
}

Statistics update_traces(const TrialData& data, const Design& design, const Penalties& penalties,
                         const TraceOptions& options, State& state) {
  const std::size_t n_trials = data.n_trials(), n_labels = design.labels.size();
  const bool is_first = state.traces.empty();
  const bool is_dynamic = options.prior == TracePrior::lds;
  if (is_first) state.traces.resize(n_trials);
  if (is_first && is_dynamic) state.transitions.resize(n_trials);

  std::vector<Matrix> A(n_labels), H(n_labels);
  for (std::size_t l = 0; l < n_labels; ++l) {
    A[l] = loading(design, state.components, l);
    H[l] = A[l].transpose() * A[l];
  }

  std::vector<LabelSums> block_sums(design.blocks.size());
  std::vector<TraceTerms> terms(n_trials);
  std::vector<Workspace> workspaces(static_cast<std::size_t>(options.threads));
  parallel_for(design.blocks.size(), options.threads, [&](std::size_t b, int thread) {
    Workspace& work = workspaces[static_cast<std::size_t>(thread)];
    const Design::Block& block = design.blocks[b];
    const auto label = static_cast<std::size_t>(block.label);
    block_sums[b] = no_sums(data.n_channels(), design.n_components());
    for (const std::size_t m : block.trials) {
      const TrialData::View Y = data.values(m, work.values);
      Matrix& phi = state.traces[m];
      ChainProblem problem = make_problem(data, m, Y, A[label], H[label], penalties);
      if (is_first) phi.setZero(data.n_times(m), design.n_components());
      if (is_dynamic) problem.step_weights.resize(0);  // a W of its own absorbs each trial's sampling rate
      if (is_dynamic && !is_first) problem.W = state.transitions[m];
      const auto trial = static_cast<Index>(m);
      const double gamma4 = penalties.gamma4.size() > 0 ? penalties.gamma4(trial) : 0.0;
      const double gamma5 = penalties.gamma5.size() > 0 ? penalties.gamma5(trial) : 0.0;
      terms[m] = solve_traces(problem, gamma4, gamma5, options, phi, work.chain);
      if (!phi.allFinite())
        throw Error(ErrorKind::numerical,
                    fmt::format("trace update: a trace of trial {} is not finite", m + 1));
      if (is_dynamic) state.transitions[m] = is_first ? best_transition(phi, 0.0) : problem.W;
      add_to_sums(data, m, Y, problem, phi, block_sums[b]);
    }
  });

  Statistics statistics;
  statistics.labels.assign(n_labels, no_sums(data.n_channels(), design.n_components()));
  for (std::size_t b = 0; b < block_sums.size(); ++b)
    add(block_sums[b], statistics.labels[static_cast<std::size_t>(design.blocks[b].label)]);
  statistics.energy = data.energy();
  statistics.objective.fit = data.energy();
  for (const TraceTerms& term : terms) {
    statistics.objective.fit += term.data;
    statistics.objective.smoothness += term.prior;
    statistics.objective.decorrelation += term.decorrelation;
    statistics.objective.transition += term.transition;
    statistics.objective.ridge += term.ridge;
  }
  return statistics;
}

}  // namespace milcci
