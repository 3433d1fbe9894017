// SiBBlInGS with every tuple of labels as a state d:
//
//   Y_m = A^d(m) Phi_m,   weights of the L1 norm   l_nj = u_d epsilon / (beta + |a_nj| + w (H^d |A^d|)_nj)
//
//   F = sum_m ||Y_m - A^d(m) Phi_m||^2 + sum_nj l_nj |a_nj| + sum_d u_d nu sum_e P_de ||A^d - A^e||^2
//     + smoothness, size and overlap of the traces (sibblings.hpp)
//
// Components and traces in turn. The unit u_d of penalties on components, how much energy a trace of state d
// has at the start, is fixed from then on. (With the energy that traces have now, two like components whose
// large traces cancel made penalties, and by them the error, grow without end.) The weights l and the size of
// components are set anew in every iteration, so F need not fall: the iterate with the least F is kept, and
// it ends when there has been no new least for some iterations.
#include "baselines/sibblings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>

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
// Iterations without a new least objective after which there will be none.
constexpr int kPatience = 20;
// Of the factorisation that components start from.
constexpr int kStartIterations = 50;
// Of the traces of a trial in one iteration: most sweeps, and the movement against their size that ends them.
constexpr int kSweeps = 20;
constexpr double kTracesAtRest = 1e-3;

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
  struct Iterate {
    std::vector<Matrix> components, traces;
    double objective = std::numeric_limits<double>::infinity();
    double squared_error = 0;
  };

  Sibblings(const Task& task, const Category& states)
      : task_(task), states_(states), trials_of_state_(states.options.size()) {
    knobs_.sparsity *= task.options.sibblings_sparsity;
    samples_ = side_by_side(task.trials);
    samples_.values = samples_.values.unaryExpr([](double y) { return std::isnan(y) ? 0.0 : y; });
    for (std::size_t m = 0; m < n_trials(); ++m) trials_of_state_[state(m)].push_back(m);
    state_graph_ = Matrix::Zero(n_states(), n_states());
  }

  /// As far as time allows.
  void build_graphs() {
    const Index N = samples_.values.rows(), S = samples_.values.cols(), D = n_states();
    Matrix all = Matrix::Zero(N, N), inner(D, D);
    // Products of all states would be far more numbers than short trials have: no more of them at once than
    // there are numbers in the data.
    const Index at_once = std::clamp<Index>(S / N, 1, D);
    for (Index first = 0; first < D; first += at_once) {
      std::vector<Matrix> products;
      for (Index d = first; d < D; ++d) {
        if (is_over()) return;
        const Matrix product = product_of(static_cast<std::size_t>(d));
        if (first == 0) all += product;
        if (d < first + at_once) products.push_back(product);
        for (std::size_t i = 0; i < products.size(); ++i) {
          const Index e = first + static_cast<Index>(i);
          inner(d, e) = inner(e, d) = products[i].cwiseProduct(product).sum();
        }
      }
    }
    const ChannelGraph shared = channel_graph(all, knobs_.n_neighbours);
    for (std::size_t d = 0; d < trials_of_state_.size(); ++d) {
      if (is_over()) return;
      channel_graphs_.push_back(knobs_.own_graph * channel_graph(product_of(d), knobs_.n_neighbours) +
                                (1 - knobs_.own_graph) * shared);
    }
    state_graph_ = state_graph(inner);
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
    if (units_.size() == 0) set_units();
  }

  /// Asks whether time is over, and remembers the answer.
  bool is_over() {
    if (!why_over_) why_over_ = task_.clock.why_over();
    return why_over_.has_value();
  }
  std::optional<StopReason> why_over() const { return why_over_; }

  /// False if time was over in the middle of it.
  bool iterate() {
    const std::vector<Matrix> before = components_;
    if (!update_components()) return false;
    normalise();
    if (!update_traces()) return false;
    double moved = 0, size = 0;
    for (std::size_t d = 0; d < components_.size(); ++d) {
      moved += (components_[d] - before[d]).squaredNorm();
      size += components_[d].squaredNorm();
    }
    moved_ = size > 0 ? std::sqrt(moved / size) : 0;
    return true;
  }

  /// Where it is, and F.
  Iterate now() const {
    Iterate iterate{components_, traces_, 0, 0};
    for (std::size_t m = 0; m < n_trials(); ++m) {
      const Matrix& A = components_[state(m)];
      iterate.squared_error += (trial(m) - A * traces_[m]).squaredNorm();
      const Vector size = A.colwise().squaredNorm().transpose();
      iterate.objective += trace_penalties(knobs_, size, overlap_weights(size, traces_[m]), traces_[m]);
    }
    iterate.objective += iterate.squared_error;
    for (std::size_t d = 0; d < channel_graphs_.size(); ++d) {
      const Matrix& A = components_[d];
      const double unit = units_(static_cast<Index>(d));
      iterate.objective +=
          sparsity_weights(knobs_, channel_graphs_[d], A, unit).cwiseProduct(A.cwiseAbs()).sum();
      for (std::size_t e = 0; e < components_.size(); ++e)
        if (e != d)
          iterate.objective += unit * knobs_.similarity * likeness(d, e) * (A - components_[e]).squaredNorm();
    }
    return iterate;
  }

  /// Root mean square movement of the components in the last iteration, against their size.
  double moved() const { return moved_; }
  double energy() const { return samples_.values.squaredNorm(); }
  double n_entries() const { return static_cast<double>(samples_.values.size()); }
  Index n_missing() const { return samples_.n_missing; }
  const Matrix& graph() const { return state_graph_; }

 private:
  std::size_t n_trials() const { return task_.trials.n_trials(); }
  Index n_states() const { return static_cast<Index>(trials_of_state_.size()); }
  std::size_t state(std::size_t m) const { return static_cast<std::size_t>(states_.option_of_trial[m]); }
  double likeness(std::size_t d, std::size_t e) const {
    return state_graph_(static_cast<Index>(d), static_cast<Index>(e));
  }

  // Y Y' over the trials of a state.
  Matrix product_of(std::size_t d) const {
    const Index N = samples_.values.rows();
    Matrix lower = Matrix::Zero(N, N);
    for (const std::size_t m : trials_of_state_[d])
      lower.selfadjointView<Eigen::Lower>().rankUpdate(trial(m));
    return lower.selfadjointView<Eigen::Lower>();
  }

  // From the first start, for all starts: they minimise the same. A mean over the components: by its own
  // energy, one that is faint at the start would have next to no penalty when it is no longer faint.
  void set_units() {
    units_ = Vector::Zero(n_states());
    for (std::size_t m = 0; m < n_trials(); ++m)
      units_(static_cast<Index>(state(m))) +=
          traces_[m].squaredNorm() / static_cast<double>(task_.n_components());
  }

  bool update_components() {
    const Index N = samples_.values.rows(), P = task_.n_components();
    for (std::size_t d = 0; d < components_.size(); ++d) {
      if (is_over()) return false;
      Matrix gram = Matrix::Zero(P, P), product = Matrix::Zero(N, P), toward = Matrix::Zero(N, P);
      for (const std::size_t m : trials_of_state_[d]) {
        gram += traces_[m] * traces_[m].transpose();
        product += trial(m) * traces_[m].transpose();
      }
      for (std::size_t e = 0; e < components_.size(); ++e)
        if (e != d) toward += likeness(d, e) * components_[e];
      const double unit = units_(static_cast<Index>(d)),
                   total = state_graph_.row(static_cast<Index>(d)).sum();
      const Vector pull = Vector::Constant(P, knobs_.similarity * unit);
      for (int i = 0; i < knobs_.reweightings; ++i)
        update_state(gram, product, sparsity_weights(knobs_, channel_graphs_[d], components_[d], unit), pull,
                     toward, total, components_[d]);
    }
    return true;
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
        for (const std::size_t m : trials_of_state_[d]) traces_[m].row(j) *= sum / n;
      }
  }

  bool update_traces() {
    for (std::size_t m = 0; m < n_trials(); ++m) {
      if (is_over()) return false;
      const Matrix& A = components_[state(m)];
      const Matrix H = A.transpose() * A, B = A.transpose() * trial(m);
      const Matrix overlap = overlap_weights(H.diagonal(), traces_[m]);
      for (int sweep = 0; sweep < kSweeps; ++sweep) {
        const Matrix before = traces_[m];
        sweep_traces(knobs_, H, B, overlap, traces_[m]);
        if ((traces_[m] - before).norm() <= kTracesAtRest * traces_[m].norm()) break;
      }
    }
    return true;
  }

  const Task& task_;
  const Category& states_;
  SibblingsKnobs knobs_;
  Samples samples_;
  std::vector<std::vector<std::size_t>> trials_of_state_;
  std::vector<ChannelGraph> channel_graphs_;
  Matrix state_graph_;
  Vector units_;
  std::vector<Matrix> components_, traces_;
  double moved_ = 0;
  std::optional<StopReason> why_over_;
};

// Where one start ended.
struct Descended {
  Sibblings::Iterate best;
  std::vector<double> course;
  StopReason reason = StopReason::iteration_limit;
};

// The iterate with the least objective; the start itself, if time was over before the first.
Descended descend(const Task& task, Sibblings& method) {
  Descended run{method.now(), {}};
  int since_best = 0;
  while (static_cast<int>(run.course.size()) < task.options.max_iterations) {
    if (method.is_over() || !method.iterate()) break;
    Sibblings::Iterate now = method.now();
    run.course.push_back(now.objective);
    if (!std::isfinite(now.objective))
      throw Error(ErrorKind::numerical,
                  fmt::format("its numbers became infinite in iteration {}", run.course.size()));
    const bool is_first = run.course.size() == 1;
    const double least = run.best.objective;
    since_best = is_first || now.objective < (1 - task.options.tolerance) * least ? 0 : since_best + 1;
    if (is_first || now.objective < least) run.best = std::move(now);
    if (since_best < kPatience) continue;
    run.reason = method.moved() < kAtRest ? StopReason::converged : StopReason::stalled;
    return run;
  }
  run.reason = method.why_over().value_or(StopReason::iteration_limit);
  return run;
}

}  // namespace

void refuse_divergence(double squared_error, double energy) {
  if (squared_error <= (1 + 1e-9) * energy) return;
  throw Error(ErrorKind::numerical,
              fmt::format("it diverged: its squared error is {:.3g} times the sum of squares of the data",
                          squared_error / energy));
}

BaselineFit fit_sibblings(const Task& task) {
  Category states = states_of(task);
  Sibblings method(task, states);
  BaselineFit fit;
  Sibblings::Iterate best;
  for (int start = 0; start < task.options.restarts; ++start) {
    if (start > 0 && method.is_over()) {
      fit.notes.push_back(fmt::format("{} of {} starts within the time limit", start, task.options.restarts));
      break;
    }
    Random random(task.options.seed, static_cast<std::uint64_t>(start));
    method.start(random);
    if (start == 0) method.build_graphs();
    Descended run = descend(task, method);
    if (start > 0 && (run.course.empty() || run.best.objective >= best.objective)) continue;
    best = std::move(run.best);
    fit.reason = run.reason;
    fit.iterations = static_cast<int>(run.course.size());
    fit.objective = std::move(run.course);
  }
  refuse_divergence(best.squared_error, method.energy());
  if (fit.iterations == 0) {
    fit.objective = {best.objective};
    fit.notes.push_back("time was over before its first iteration: components are alike in all states");
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
  set_variants(task, std::move(states), std::move(best.components), std::move(best.traces), fit);
  // New trials: a ridge does what smoothness did in the fit.
  fit.trace_rule.ridge = ridge_of_noise(fit.model, best.squared_error, method.n_entries());
  return fit;
}

}  // namespace milcci::baselines
