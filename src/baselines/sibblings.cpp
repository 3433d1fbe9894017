// SiBBlInGS with every tuple of labels as a state d:
//
//   Y_m = A^d(m) Phi_m,   weights of the L1 norm   epsilon / (beta + |a_nj| + w (H^d |A^d|)_nj)
//
// Components and traces in turn; the weights of the L1 norm follow the components, so no single objective
// falls all the way, and it ends when the components no longer move.
#include "baselines/sibblings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "baselines/methods.hpp"
#include "baselines/nonnegative_factors.hpp"
#include "baselines/state_graphs.hpp"
#include "baselines/trace_solver.hpp"
#include "label_graphs/categories.hpp"
#include "milcci/error.hpp"
#include "util/random.hpp"

namespace milcci::baselines {
namespace {

// Components have moved too little to matter.
constexpr double kAtRest = 1e-3;
// Of the factorisation that components start from.
constexpr int kStartIterations = 50;

// One category whose options are the tuples of labels.
Category states_of(const Task& task) {
  CategorySpec spec{.name = "state", .n_components = task.options.n_components, .kind = CategoryKind::graph};
  for (const CategorySpec& category : task.categories) {
    if (category.kind == CategoryKind::fixed || category.kind == CategoryKind::trial_number) continue;
    const std::vector<std::string> columns =
        category.columns.empty() ? std::vector<std::string>{category.name} : category.columns;
    for (const std::string& column : columns)
      if (std::find(spec.columns.begin(), spec.columns.end(), column) == spec.columns.end())
        spec.columns.push_back(column);
  }
  if (spec.columns.empty())
    throw Error(ErrorKind::bad_input, "SiBBlInGS compares states, and no category names a label column");
  Category states;
  states.spec = spec;
  for (std::size_t m = 0; m < task.trials.n_trials(); ++m) {
    const std::string name = option_name(spec, task.trials, m);
    const auto at = std::find(states.options.begin(), states.options.end(), name);
    states.option_of_trial.push_back(static_cast<int>(at - states.options.begin()));
    if (at == states.options.end()) states.options.push_back(name);
  }
  return states;
}

class Sibblings {
  auto trial(std::size_t m) const {
    return samples_.values.middleCols(samples_.first[m], samples_.first[m + 1] - samples_.first[m]);
  }

 public:
  Sibblings(const Task& task, const Category& states) : task_(task), states_(states) {
    knobs_.sparsity *= task.options.sibblings_sparsity;
    samples_ = side_by_side(task.trials);
    samples_.values = samples_.values.array().isNaN().select(0.0, samples_.values).eval();
    const Index N = samples_.values.rows();
    std::vector<Matrix> products(states.options.size(), Matrix::Zero(N, N));
    for (std::size_t m = 0; m < n_trials(); ++m) products[state(m)] += trial(m) * trial(m).transpose();
    Matrix all = Matrix::Zero(N, N);
    for (const Matrix& product : products) all += product;
    const Matrix shared = channel_graph(all, knobs_.n_neighbours);
    for (const Matrix& product : products)
      channel_graphs_.push_back(knobs_.own_graph * channel_graph(product, knobs_.n_neighbours) +
                                (1 - knobs_.own_graph) * shared);
    state_graph_ = state_graph(products);
  }

  // From a non-negative factorisation of all trials, itself from a random start, alike in all states.
  void start(Random& random) {
    FactorPair factors = start_at_random(samples_.values, task_.n_components(), random);
    BaselineOptions brief = task_.options;
    brief.max_iterations = std::min(brief.max_iterations, kStartIterations);
    Descent descent(brief, task_.clock, energy());
    alternate_nonnegative(samples_.values, descent, factors);
    components_.assign(states_.options.size(), factors.left);
    traces_ = samples_.split(factors.right.transpose());
    normalise();
  }

  /// Root mean square movement of the components, against their size.
  double iterate() {
    const std::vector<Matrix> before = components_;
    update_components();
    normalise();
    update_traces();
    double moved = 0, size = 0;
    for (std::size_t d = 0; d < components_.size(); ++d) {
      moved += (components_[d] - before[d]).squaredNorm();
      size += components_[d].squaredNorm();
    }
    return size > 0 ? std::sqrt(moved / size) : 0;
  }

  double squared_error() const {
    double sum = 0;
    for (std::size_t m = 0; m < n_trials(); ++m)
      sum += (trial(m) - components_[state(m)] * traces_[m]).squaredNorm();
    return sum;
  }

  const std::vector<Matrix>& components() const { return components_; }
  const std::vector<Matrix>& traces() const { return traces_; }
  double energy() const { return samples_.values.squaredNorm(); }
  double n_entries() const { return static_cast<double>(samples_.values.size()); }
  Index n_missing() const { return samples_.n_missing; }
  const Matrix& graph() const { return state_graph_; }

 private:
  std::size_t n_trials() const { return task_.trials.n_trials(); }
  std::size_t state(std::size_t m) const { return static_cast<std::size_t>(states_.option_of_trial[m]); }

  void update_components() {
    const Index N = samples_.values.rows(), P = task_.n_components();
    std::vector<Matrix> grams(components_.size(), Matrix::Zero(P, P)),
        products(components_.size(), Matrix::Zero(N, P));
    for (std::size_t m = 0; m < n_trials(); ++m) {
      grams[state(m)] += traces_[m] * traces_[m].transpose();
      products[state(m)] += trial(m) * traces_[m].transpose();
    }
    for (std::size_t d = 0; d < components_.size(); ++d) {
      const Vector trace_energy = grams[d].diagonal(), pull = knobs_.similarity * trace_energy;
      const auto row = state_graph_.row(static_cast<Index>(d));
      Matrix toward = Matrix::Zero(N, P);
      for (std::size_t e = 0; e < components_.size(); ++e)
        if (e != d) toward += row(static_cast<Index>(e)) * components_[e];
      for (int i = 0; i < knobs_.reweightings; ++i)
        update_state(grams[d], products[d],
                     sparsity_weights(knobs_, channel_graphs_[d], components_[d], trace_energy), pull, toward,
                     row.sum(), components_[d]);
    }
  }

  // A mean size of one over the channels that belong to a component, in every state by itself
  // (docs/design.md, "SiBBlInGS").
  void normalise() {
    for (std::size_t d = 0; d < components_.size(); ++d)
      for (Index j = 0; j < task_.n_components(); ++j) {
        auto a = components_[d].col(j);
        const double sum = a.lpNorm<1>(), n = static_cast<double>((a.array() != 0).count());
        if (!(sum > 0)) continue;
        a *= n / sum;
        for (std::size_t m = 0; m < n_trials(); ++m)
          if (state(m) == d) traces_[m].row(j) *= sum / n;
      }
  }

  void update_traces() {
    for (std::size_t m = 0; m < n_trials(); ++m) {
      const Matrix& A = components_[state(m)];
      const Matrix H = A.transpose() * A, B = A.transpose() * trial(m);
      // (phi_j . phi_l)^2 against the energies that the two have now.
      const Vector energy = traces_[m].rowwise().squaredNorm();
      Matrix overlap = Matrix::Zero(H.rows(), H.rows());
      for (Index j = 0; j < H.rows(); ++j)
        for (Index l = 0; l < H.rows(); ++l)
          if (energy(j) > 0 && energy(l) > 0)
            overlap(j, l) = std::sqrt(H(j, j) * H(l, l) / (energy(j) * energy(l)));
      constexpr int kSweeps = 3;
      for (int sweep = 0; sweep < kSweeps; ++sweep) sweep_traces(knobs_, H, B, overlap, traces_[m]);
    }
  }

  const Task& task_;
  const Category& states_;
  SibblingsKnobs knobs_;
  Samples samples_;
  std::vector<Matrix> channel_graphs_;
  Matrix state_graph_;
  std::vector<Matrix> components_, traces_;
};

}  // namespace

BaselineFit fit_sibblings(const Task& task) {
  Category states = states_of(task);
  Sibblings method(task, states);
  BaselineFit fit;
  std::vector<Matrix> components, traces;
  double least = std::numeric_limits<double>::infinity();
  for (int start = 0; start < task.options.restarts; ++start) {
    if (start > 0 && task.clock.why_over()) {
      fit.notes.push_back(fmt::format("{} of {} starts within the time limit", start, task.options.restarts));
      break;
    }
    Random random(task.options.seed, static_cast<std::uint64_t>(start));
    method.start(random);
    StopReason reason = StopReason::iteration_limit;
    std::vector<double> course;
    while (static_cast<int>(course.size()) < task.options.max_iterations) {
      const double moved = method.iterate();
      course.push_back(method.squared_error());
      if (!std::isfinite(course.back()))
        throw Error(ErrorKind::numerical,
                    fmt::format("its numbers became infinite in iteration {}", course.size()));
      if (moved < kAtRest)
        reason = StopReason::converged;
      else
        reason = task.clock.why_over().value_or(reason);
      if (reason != StopReason::iteration_limit) break;
    }
    if (course.back() >= least) continue;
    least = course.back();
    components = method.components();
    traces = method.traces();
    fit.reason = reason;
    fit.objective = std::move(course);
    fit.iterations = static_cast<int>(fit.objective.size());
  }
  fit.notes.push_back(fmt::format("{} states: the tuples of {}", states.options.size(),
                                  fmt::join(states.spec.columns, ", ")));
  if (method.n_missing() > 0)
    fit.notes.push_back(fmt::format("{} missing entries count as zeros", method.n_missing()));
  fit.degrees_of_freedom_note =
      "not counted: weights of the L1 norm that follow a graph leave no number of free parameters";
  states.graph = LabelGraph(method.graph());
  states.spec.graph = method.graph();
  states.spec.graph_options = states.options;
  set_variants(task, std::move(states), std::move(components), std::move(traces), fit);
  // New trials: a ridge does what smoothness did in the fit.
  fit.trace_rule.ridge = ridge_of_noise(fit.model, fit.objective.back(), method.n_entries());
  return fit;
}

}  // namespace milcci::baselines
