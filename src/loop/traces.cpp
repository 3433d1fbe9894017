#include "loop/traces.hpp"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <utility>

#include "kernels/kernels.hpp"
#include "loop/decorrelation.hpp"
#include "loop/dynamics.hpp"
#include "loop/missing.hpp"
#include "loop/normalise.hpp"
#include "milcci/error.hpp"
#include "solvers/pseudo_inverse.hpp"
#include "util/ordered_sum.hpp"

namespace milcci {

struct LabelLoading {
  Matrix A;          ///< N x P
  Matrix H;          ///< A' A
  Matrix H_ridge;    ///< A' A + ridge
  Matrix H_inverse;  ///< of H_ridge
  /// What turns stored data into B, without a copy of them in their frame: B = Y' stored_A - 1 shift'.
  /// Empty if stored data are in their frame.
  Matrix stored_A;
  Vector shift;
  Eigen::VectorXf far_offset;  ///< see `far_offset_of`

  const double* projection() const { return stored_A.size() > 0 ? stored_A.data() : A.data(); }
};

namespace {

Shape shape_of(const TrialData& data, std::size_t trial, Index n_components) {
  return {.n_channels = data.n_channels(),
          .n_times = data.n_times(trial),
          .n_components = n_components,
          .stride = data.n_times(trial)};
}

constexpr Index kStretchBytes = 512 * 1024;  // of a trial, that stay in the cache meanwhile
constexpr Index kUnit = 16;                  // whole vectors

// The offset in float if some channel is so far from zero, beside what all channels vary by in the frame,
// that products added up in float would lose too many digits; empty otherwise.
Eigen::VectorXf far_offset_of(const TrialData& data) {
  constexpr double kFar = 30;
  const Frame& frame = data.frame();
  if (frame.offset.size() == 0) return {};
  double farthest = 0;
  for (Index n = 0; n < data.n_channels(); ++n)
    farthest = std::max(farthest, std::abs(frame.offset(n) * frame.weight_of(n)));
  const double mean_square = data.energy() / data.channel_sums().count.sum();
  if (!(farthest * farthest > kFar * kFar * mean_square)) return {};
  return frame.offset.cast<float>();
}

// Values of a trial without gaps, read as they are stored: no copy of them in their frame is made.
struct StoredTrial {
  TrialValues values;
  const LabelLoading& label;
  Eigen::MatrixXf& centred;  // a stretch of floats less their far offset

  // B = Y' A over the time points of the shape, from `first` on, in the frame.
  void project(const Shape& shape, Index first, double* B) const {
    const Index offset = first * shape.n_channels;
    if (const float* floats = values.floats())
      kernels().project_float(shape, floats + offset, label.projection(), B);
    else
      kernels().project(shape, values.doubles() + offset, label.projection(), B);
    for (Index j = 0; j < label.shift.size(); ++j)
      Eigen::Map<Vector>(B + j * shape.stride, shape.n_times).array() -= label.shift(j);
  }
  // C += Y Phi, out of the frame: `bring_into_frame` does the rest.
  void accumulate(const Shape& shape, Index first, const double* Phi, Matrix& C) const {
    const Index offset = first * shape.n_channels;
    const float* floats = values.floats();
    if (floats == nullptr)
      kernels().accumulate(shape, values.doubles() + offset, Phi, C.data());
    else if (label.far_offset.size() == 0)
      kernels().accumulate_float(shape, floats + offset, Phi, C.data());
    else
      accumulate_centred(shape, floats + offset, Phi, C);
  }

 private:
  // (Y - far offset) Phi in float, and the offset's part in double.
  void accumulate_centred(const Shape& shape, const float* Y, const double* Phi, Matrix& C) const {
    constexpr Index kLongest = 128;  // no more are added up in float anyway
    const Index N = shape.n_channels;
    const Index stretch =
        std::clamp(kStretchBytes / (N * static_cast<Index>(sizeof(float))) / kUnit * kUnit, kUnit, kLongest);
    Shape part = shape;
    for (Index t = 0; t < shape.n_times; t += stretch) {
      part.n_times = std::min(stretch, shape.n_times - t);
      centred = Eigen::Map<const Eigen::MatrixXf>(Y + t * N, N, part.n_times).colwise() - label.far_offset;
      kernels().accumulate_float(part, centred.data(), Phi + t, C.data());
    }
    const Eigen::Map<const Matrix, 0, Eigen::OuterStride<>> phi(Phi, shape.n_times, shape.n_components,
                                                                Eigen::OuterStride<>(shape.stride));
    C.noalias() += label.far_offset.cast<double>() * phi.colwise().sum();
  }
};

// Time points are independent: B, traces and sums are made while a stretch of the trial is in the
// cache.
TraceTerms solve_stretches(const TrialData& data, std::size_t trial, const LabelLoading& label,
                           const PerComponent& ridge, const TraceOptions& options, Matrix& phi,
                           LabelSums& sums, TraceWorkspace& work) {
  const Kernels& run = kernels();
  const StoredTrial y{data.stored(trial, work.values), label, work.centred};
  Shape shape = shape_of(data, trial, phi.cols());
  const Index n_times = shape.n_times;
  const std::size_t number_bytes = y.values.floats() != nullptr ? sizeof(float) : sizeof(double);
  const Index row_bytes = shape.n_channels * static_cast<Index>(number_bytes);
  const Index stretch = std::max(kUnit, kStretchBytes / row_bytes / kUnit * kUnit);
  Matrix& B = work.problem.B;
  B.resize(n_times, phi.cols());
  work.G.setZero(phi.cols(), phi.cols());
  // A dead component has B = 0, and with a ridge of its own nothing else is needed to keep it at zero.
  const double dead = ridge.is_common() ? ridge(0) : 0.0;
  double product = 0.0;
  for (Index t = 0; t < n_times; t += stretch) {
    shape.n_times = std::min(stretch, n_times - t);
    double *b = B.data() + t, *x = phi.data() + t;
    y.project(shape, t, b);
    if (options.is_nonnegative)
      run.nonnegative_lasso_points(shape, label.H_ridge.data(), nullptr, dead,
                                   {options.chain.tolerance, options.chain.max_sweeps}, b, x);
    else
      run.combine(shape, b, label.H_inverse.data(), x);
    y.accumulate(shape, t, x, sums.C);
    product += run.inner(shape, b, x, work.G.data());
  }
  sums.G += work.G;
  const double ridge_term = ridge.dot(work.G.diagonal());
  return {.data = label.H_ridge.cwiseProduct(work.G).sum() - ridge_term - 2.0 * product,
          .prior = 0,
          .decorrelation = 0,
          .transition = 0,
          .ridge = ridge_term};
}

// All of the problem but B and what depends on gaps.
void make_problem(const TrialData& data, std::size_t trial, const LabelLoading& label,
                  const Penalties& penalties, ChainProblem& problem) {
  problem.H = label.H_ridge;
  problem.gamma = penalties.gamma3.largest();
  problem.ridge = penalties.ridge;
  problem.step_weights = data.step_weights(trial);
  problem.W.resize(0, 0);
  problem.B.resize(data.n_times(trial), label.A.cols());
  problem.own_H.resize(0, 0);
}

// In variables x_j = scale_j phi_j all traces have the same weight over time.
void scale_problem(const Vector& scale, ChainProblem& problem) {
  const Vector inverse = scale.cwiseInverse();
  problem.H = (inverse.asDiagonal() * problem.H * inverse.asDiagonal()).eval();
  problem.B = (problem.B * inverse.asDiagonal()).eval();
  problem.ridge = problem.ridge.of(scale.size()).cwiseProduct(inverse.cwiseAbs2()).eval();
  if (!problem.has_own()) return;
  for (Index j = 0; j < scale.size(); ++j)
    for (Index l = 0; l <= j; ++l) problem.own_H.col(packed_index(j, l)) *= inverse(j) * inverse(l);
}

// sqrt(gamma3_j / largest gamma3); empty if all are the same.
Vector scale_of(const PerComponent& gamma3, Index n_components) {
  constexpr double kLeast = 1e-8;  // of the largest: no smoothness to speak of
  const double largest = gamma3.largest();
  if (gamma3.is_common() || !(largest > 0)) return {};
  return (gamma3.of(n_components) / largest).cwiseMax(kLeast).cwiseSqrt();
}

void set_zero(Index n_components, LabelSums& sums) {
  sums.C.setZero();
  sums.G.setZero(n_components, n_components);
  sums.trace_sum.setZero(n_components);
  sums.prior_energy.setZero(n_components);
  sums.missing.resize(0, 0);
}

void add(const LabelSums& part, LabelSums& sums) {
  sums.C += part.C;
  sums.G += part.G;
  sums.trace_sum += part.trace_sum;
  sums.prior_energy += part.prior_energy;
  if (part.missing.size() == 0) return;
  if (sums.missing.size() == 0)
    sums.missing = part.missing;
  else
    sums.missing += part.missing;
}

// C of stored data -> C of the data in their frame.
void bring_into_frame(const Frame& frame, LabelSums& sums) {
  if (frame.offset.size() > 0) sums.C.noalias() -= frame.offset * sums.trace_sum.transpose();
  if (frame.weight.size() > 0) sums.C.array().colwise() *= frame.weight.array();
}

void add(const TraceTerms& terms, Objective& objective) {
  objective.fit += terms.data;
  objective.smoothness += terms.prior;
  objective.decorrelation += terms.decorrelation;
  objective.transition += terms.transition;
  objective.ridge += terms.ridge;
}

// Of the components alive; dead ones have a zero row and column instead of one over the ridge.
Matrix inverse_of_alive(const Matrix& H, const PerComponent& ridge) {
  const Eigen::LLT<Matrix> cholesky(H);
  Matrix inverse = cholesky.solve(Matrix::Identity(H.rows(), H.cols()));
  const auto norm = [](const Matrix& m) { return m.cwiseAbs().colwise().sum().maxCoeff(); };
  const bool is_regular = cholesky.info() == Eigen::Success && kRankTolerance * norm(H) * norm(inverse) < 1.0;
  if (!is_regular) inverse = pseudo_inverse(H);
  for (Index j = 0; j < H.rows(); ++j)
    if (!(H(j, j) > ridge(j))) {
      inverse.row(j).setZero();
      inverse.col(j).setZero();
    }
  return inverse;
}

LabelLoading load_label(const Design& design, const Components& components, std::size_t label,
                        const PerComponent& ridge, bool is_nonnegative, const TrialData& data) {
  const Frame& frame = data.frame();
  LabelLoading result;
  result.A = loading(design, components, label);
  result.H = Matrix::Zero(result.A.cols(), result.A.cols());
  const Shape shape = shape_of_columns(result.A.rows(), result.A.cols());
  kernels().inner(shape, result.A.data(), result.A.data(), result.H.data());
  result.H_ridge = result.H;
  result.H_ridge.diagonal() += ridge.of(result.A.cols());
  if (!is_nonnegative) result.H_inverse = inverse_of_alive(result.H_ridge, ridge);
  if (frame.is_plain()) return result;
  result.stored_A = result.A;
  if (frame.weight.size() > 0) result.stored_A.array().colwise() *= frame.weight.array();
  if (frame.offset.size() > 0) result.shift = result.stored_A.transpose() * frame.offset;
  result.far_offset = far_offset_of(data);
  return result;
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
  // A dead component's trace is zero, not the rounding error of a solver: as a quotient of two
  // rounding errors it would come back to life.
  for (Index j = 0; j < phi.cols(); ++j)
    if (problem.is_dead(j)) phi.col(j).setZero();
  const ChainObjective quadratic = chain_objective(problem, phi);
  TraceTerms terms{.data = quadratic.data,
                   .prior = quadratic.prior,
                   .decorrelation = 0,
                   .transition = 0,
                   .ridge = quadratic.ridge};
  if (gamma4 > 0) terms.decorrelation = gamma4 * total_correlation(phi, options.is_nonnegative);
  if (is_dynamic)
    terms.transition =
        problem.gamma * gamma5 * (problem.W - Matrix::Identity(phi.cols(), phi.cols())).squaredNorm();
  return terms;
}

// All that the threads of one pass share.
struct TraceUpdater::Pass {
  const Penalties& penalties;
  State& state;
  bool is_first;
  std::vector<Matrix> scale;  ///< of the traces it begins from; empty for one
  std::vector<TraceTerms> terms;
};

TraceUpdater::TraceUpdater(const TrialData& data, const Design& design, const TraceOptions& options)
    : data_(data),
      design_(design),
      options_(options),
      workspaces_(static_cast<std::size_t>(options.threads)) {}

// Nothing ties its time points together, and all are solved with the same H.
bool TraceUpdater::is_pointwise(const Penalties& penalties, std::size_t m) const {
  return options_.prior != TracePrior::lds && penalties.gamma3.largest() <= 0 &&
         penalties.gamma4.size() == 0 && design_.n_components() <= kMaxComponents && data_.gaps(m) == nullptr;
}

// Traces whose time points depend on each other, from work.problem.
TraceTerms TraceUpdater::solve_over_time(Pass& pass, std::size_t m, TraceWorkspace& work) const {
  const Penalties& penalties = pass.penalties;
  const bool is_dynamic = options_.prior == TracePrior::lds;
  Matrix& phi = pass.state.traces[m];
  ChainProblem& problem = work.problem;
  if (is_dynamic) problem.step_weights.resize(0);  // a W of its own absorbs each trial's sampling rate
  if (is_dynamic && !pass.is_first) problem.W = pass.state.transitions[m];
  const auto trial = static_cast<Index>(m);
  const double gamma4 = penalties.gamma4.size() > 0 ? penalties.gamma4(trial) : 0.0;
  const double gamma5 = penalties.gamma5.size() > 0 ? penalties.gamma5(trial) : 0.0;
  const Vector scale = scale_of(penalties.gamma3, phi.cols());
  if (scale.size() > 0) {
    scale_problem(scale, problem);
    phi = (phi * scale.asDiagonal()).eval();
  }
  const TraceTerms terms = solve_traces(problem, gamma4, gamma5, options_, phi, work.chain);
  if (scale.size() > 0) phi = (phi * scale.cwiseInverse().asDiagonal()).eval();
  if (is_dynamic) pass.state.transitions[m] = pass.is_first ? best_transition(phi, 0.0) : problem.W;
  return terms;
}

// The traces of one trial, and what they add to the sums of its label.
TraceTerms TraceUpdater::update_trial(Pass& pass, std::size_t m, const LabelLoading& label,
                                      TraceWorkspace& work, LabelSums& sums) const {
  Matrix& phi = pass.state.traces[m];
  TraceTerms terms;
  if (is_pointwise(pass.penalties, m)) {
    terms = solve_stretches(data_, m, label, pass.penalties.ridge, options_, phi, sums, work);
    sums.trace_sum += phi.colwise().sum().transpose();
    return terms;
  }

  ChainProblem& problem = work.problem;
  make_problem(data_, m, label, pass.penalties, problem);
  const Shape shape = shape_of(data_, m, phi.cols());
  if (const Gaps* gaps = data_.gaps(m)) {
    const TrialData::View Y = data_.values(m, work.values);
    kernels().project(shape, Y.data(), label.A.data(), problem.B.data());
    sum_own_grams(*gaps, data_.n_channels(), work.gram_table, problem);
    terms = solve_over_time(pass, m, work);
    kernels().accumulate(shape, Y.data(), phi.data(), sums.C.data());
    accumulate_missing(*gaps, data_.n_channels(), phi, sums);
  } else {
    const StoredTrial y{data_.stored(m, work.values), label, work.centred};
    y.project(shape, 0, problem.B.data());
    terms = solve_over_time(pass, m, work);
    y.accumulate(shape, 0, phi.data(), sums.C);
    sums.trace_sum += phi.colwise().sum().transpose();
  }
  kernels().inner(shape, problem.B.data(), phi.data(), sums.G.data());
  if (problem.gamma > 0) sums.prior_energy += prior_energy(problem, phi);
  return terms;
}

void TraceUpdater::update_block(Pass& pass, const Design::Block& block, TraceWorkspace& work,
                                LabelSums& sums) const {
  const auto l = static_cast<std::size_t>(block.label);
  const LabelLoading label =
      load_label(design_, pass.state.components, l, pass.penalties.ridge, options_.is_nonnegative, data_);
  const auto has_gaps = [&](std::size_t m) { return data_.gaps(m) != nullptr; };
  if (std::any_of(block.trials.begin(), block.trials.end(), has_gaps))
    tabulate_grams(label.A, pass.penalties.missing, work.gram_table);
  Vector factor;
  if (!pass.scale.empty()) factor = sizes_of_label(design_, pass.scale, l);
  set_zero(design_.n_components(), sums);
  sums.H = label.H;
  for (const std::size_t m : block.trials) data_.will_need(m);
  const auto update_one = [&](std::size_t m) {
    Matrix& phi = pass.state.traces[m];
    if (pass.is_first) phi.setZero(data_.n_times(m), design_.n_components());
    for (Index j = 0; j < factor.size(); ++j) phi.col(j) *= factor(j);
    pass.terms[m] = update_trial(pass, m, label, work, sums);
    if (!std::isfinite(pass.terms[m].data))
      throw Error(ErrorKind::numerical,
                  fmt::format("trace update: a trace of trial {} is not finite", m + 1));
  };
  if (data_.frame().is_plain()) {
    for (const std::size_t m : block.trials) update_one(m);
    return;
  }
  // Trials that are read as they are stored come first: their C is brought into the frame all at once.
  for (const std::size_t m : block.trials)
    if (data_.gaps(m) == nullptr) update_one(m);
  bring_into_frame(data_.frame(), sums);
  for (const std::size_t m : block.trials)
    if (data_.gaps(m) != nullptr) update_one(m);
}

Statistics TraceUpdater::update(const Penalties& penalties, State& state) {
  const std::size_t n_trials = data_.n_trials(), n_labels = design_.labels.size();
  Pass pass{.penalties = penalties,
            .state = state,
            .is_first = state.traces.empty(),
            .scale = std::exchange(state.pending_scale, {}),
            .terms = std::vector<TraceTerms>(n_trials)};
  if (pass.is_first) state.traces.resize(n_trials);
  if (pass.is_first && options_.prior == TracePrior::lds) state.transitions.resize(n_trials);

  Statistics statistics;
  statistics.labels.resize(n_labels);
  // Allocated by this thread: memory that one thread frees and another asks for elsewhere would be
  // taken twice.
  for (LabelSums& sums : statistics.labels) sums.C.resize(data_.n_channels(), design_.n_components());
  LabelSums nothing;
  nothing.C.setZero(data_.n_channels(), design_.n_components());
  const auto update_one = [&](std::size_t b, int thread, LabelSums& part) {
    update_block(pass, design_.blocks[b], workspaces_[static_cast<std::size_t>(thread)], part);
  };
  std::vector<char> is_begun(n_labels, false);
  const auto add_one = [&](std::size_t b, LabelSums& part) {
    const auto label = static_cast<std::size_t>(design_.blocks[b].label);
    if (std::exchange(is_begun[label], true))
      add(part, statistics.labels[label]);
    else
      std::swap(part, statistics.labels[label]);
  };
  sum_over_blocks(design_.blocks.size(), options_.threads, nothing, update_one, add_one);

  statistics.energy = data_.energy();
  statistics.objective.fit = data_.energy();
  for (const TraceTerms& terms : pass.terms) add(terms, statistics.objective);
  for (std::size_t l = 0; l < penalties.uncertainty.size(); ++l)
    statistics.objective.uncertainty += statistics.labels[l].H.cwiseProduct(penalties.uncertainty[l]).sum();
  // The zeros that stand for missing entries are no part of the fit.
  for (std::size_t l = 0; l < n_labels; ++l) {
    const LabelSums& sums = statistics.labels[l];
    if (sums.missing.size() == 0) continue;
    const double zeros = penalties.missing * missing_energy(sums, loading(design_, state.components, l));
    statistics.objective.fit -= zeros;
    statistics.objective.ridge += zeros;
  }
  return statistics;
}

Statistics update_traces(const TrialData& data, const Design& design, const Penalties& penalties,
                         const TraceOptions& options, State& state) {
  return TraceUpdater(data, design, options).update(penalties, state);
}

}  // namespace milcci
