#include "start/candidate.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>

#include "loop/alternate.hpp"
#include "loop/explained_energy.hpp"
#include "loop/missing.hpp"
#include "solvers/assignment.hpp"
#include "start/align.hpp"
#include "start/assign_to_categories.hpp"
#include "start/dictionary.hpp"
#include "util/columns.hpp"
#include "util/parallel.hpp"

namespace milcci {
namespace {

// Loose: a candidate need only be ranked, not finished.
constexpr double kTolerance = 1e-5;
constexpr ChainOptions kTraces{.tolerance = 1e-3, .max_sweeps = 4};

// With thousands of channels, and few time points for that many, a sweep over the variants takes
// most of an iteration: there is only one.
int rounds_for(Index n_channels) {
  constexpr Index kManyChannels = 1024;
  return n_channels > kManyChannels ? 1 : 2;
}

Stage search_stage(double sparsity, int iterations, Index n_channels) {
  return {.number = 0,
          .sparsity = sparsity,
          .max_iterations = iterations,
          .tolerance = kTolerance,
          .component_tolerance = 1.0,
          .traces = kTraces,
          .rounds = rounds_for(n_channels)};
}

double firm_sparsity(const FitOptions& options) {
  constexpr double kFirm = 0.05;
  return std::max(kFirm, options.sparsity);
}

Design without_variants(const Design& design) {
  CategorySpec spec{
      .name = "shared", .n_components = static_cast<int>(design.n_components()), .kind = CategoryKind::fixed};
  Category category{.spec = spec,
                    .options = {"all"},
                    .option_values = {},
                    .option_of_trial = {},
                    .graph = LabelGraph::constant(1, 0.0)};
  category.option_of_trial.assign(design.label_of_trial.size(), 0);
  return make_design({category}, design.label_of_trial.size());
}

// The category of each component in the order of the traces.
std::vector<int> present_categories(const Design& design) {
  std::vector<int> category;
  for (std::size_t k = 0; k < design.n_categories(); ++k)
    category.insert(category.end(), static_cast<std::size_t>(design.n_components(k)), static_cast<int>(k));
  return category;
}

StageResult run(const SearchProblem& problem, const Design& design, double sparsity, int iterations,
                State& state) {
  Monitor monitor = problem.progress.monitor();
  const Stage stage = search_stage(sparsity, iterations, problem.data.n_channels());
  return alternate(problem.data, design, problem.options, stage, state, monitor);
}

// One pass: traces, sums and F at these components.
StageResult judge(const SearchProblem& problem, State& state) {
  return run(problem, problem.design, problem.options.sparsity, 0, state);
}

// Every component without its variants: the mean over options, at length one. N x P.
Matrix mean_components(const Design& design, const Components& components) {
  Matrix mean = Matrix::Zero(components[0][0].rows(), design.n_components());
  for (std::size_t k = 0; k < design.n_categories(); ++k)
    for (const Matrix& variant : components[k])
      mean.middleCols(design.first[k], design.n_components(k)) += variant;
  normalise_columns(mean);
  return mean;
}

// Component j (among all P) becomes `a` under every option.
void set_component(const Design& design, Index j, const Vector& a, Components& components) {
  for (std::size_t k = 0; k < design.n_categories(); ++k)
    if (j >= design.first[k] && j < design.first[k + 1])
      for (Matrix& variant : components[k]) variant.col(j - design.first[k]) = a;
}

struct Swap {
  Index first = -1, second = -1;
  double promise = 0;
};

// The pair whose variation is worth most in each other's category, among those not tried yet.
Swap best_swap(const Design& design, const Matrix& gain, const Matrix& is_tried) {
  const std::vector<int> category = present_categories(design);
  Matrix worth = gain;  // gain_table is per extra option; here the whole saving counts
  for (std::size_t k = 0; k < design.n_categories(); ++k)
    worth.col(static_cast<Index>(k)) *= std::max(1, design.n_options(k) - 1);
  Swap best;
  for (Index a = 0; a < gain.rows(); ++a)
    for (Index b = a + 1; b < gain.rows(); ++b) {
      const int ka = category[static_cast<std::size_t>(a)], kb = category[static_cast<std::size_t>(b)];
      if (ka == kb || is_tried(a, b) != 0) continue;
      const double promise = worth(a, kb) + worth(b, ka) - worth(a, ka) - worth(b, kb);
      if (promise > best.promise) best = {a, b, promise};
    }
  return best;
}

// The candidate without component j, once the others have taken over so well that the fit is worse by at most
// `loss`; nothing if they cannot.
std::optional<Candidate> drop(const SearchProblem& problem, Index j, double fit_of_all, double loss,
                              int iterations, const Candidate& candidate) {
  constexpr int kMaxRounds = 8, kFirstLook = 10;
  // Surplus components had come within six times the loss at the first look, on dozens of fits of known
  // truth; needed ones that cost far more are not pursued. Where signs are free components cancel each other,
  // and without one of them the others are far off at first.
  constexpr double kProgress = 0.8, kHopeless = 30.0;
  Candidate without = candidate;
  without.state.traces.clear();
  set_component(problem.design, j, Vector::Zero(problem.data.n_channels()), without.state.components);
  const auto fit_on = [&](int n) {
    const Objective objective =
        run(problem, problem.design, problem.options.sparsity, n, without.state).objective;
    without.record.objective = objective.total();
    return objective.fit - fit_of_all;
  };
  const bool may_cancel = problem.options.nonnegative != NonNegative::both;
  if (!may_cancel && fit_on(std::min(kFirstLook, iterations)) > kHopeless * loss) return std::nullopt;
  // They need a while. Continue as long as they come closer.
  double beyond = std::numeric_limits<double>::infinity();
  for (int round = 0; round < kMaxRounds && !problem.progress.is_stopped(); ++round) {
    const double lost = fit_on(iterations);
    if (lost <= loss) return without;
    if (lost - loss > kProgress * beyond) break;
    beyond = lost - loss;
  }
  return std::nullopt;
}

}  // namespace

Candidate first_candidate(const SearchProblem& problem, std::uint64_t stream, int iterations) {
  const FitOptions& options = problem.options;
  const bool is_nonnegative =
      options.nonnegative == NonNegative::components || options.nonnegative == NonNegative::both;
  const double sparsity = firm_sparsity(options);
  Random random(options.seed, stream);
  State shared;
  shared.components = {{sparse_dictionary(problem.moments, problem.design.n_components(),
                                          {.sparsity = sparsity, .is_nonnegative = is_nonnegative}, random)}};
  run(problem, without_variants(problem.design), sparsity, kSharedIterations, shared);

  Candidate candidate;
  candidate.record.stream = stream;
  // One pass under the real design for the sums per label, whatever the assignment.
  candidate.state.components =
      place_in_categories(problem.design, shared.components[0][0], present_categories(problem.design));
  const LabelResiduals sums =
      label_residuals(problem.design, judge(problem, candidate.state).statistics, candidate.state.components);
  const std::vector<int> category =
      assign_to_categories(problem.design, gain_table(problem.design, sums.residual, sums.energy));
  candidate.state = {};
  candidate.state.components = place_in_categories(problem.design, shared.components[0][0], category);
  continue_candidate(problem, sparsity, iterations, candidate);
  return candidate;
}

void continue_candidate(const SearchProblem& problem, double sparsity, int iterations, Candidate& candidate) {
  align_variants(problem.design, problem.options.nonnegative == NonNegative::none, candidate.state);
  candidate.record.objective =
      run(problem, problem.design, sparsity, iterations, candidate.state).objective.total();
}

void try_swaps(const SearchProblem& problem, int attempts, int iterations, Candidate& candidate) {
  const Design& design = problem.design;
  Matrix is_tried = Matrix::Zero(design.n_components(), design.n_components());
  for (int attempt = 0; attempt < attempts && !problem.progress.is_stopped(); ++attempt) {
    Statistics statistics = judge(problem, candidate.state).statistics;
    const Swap swap =
        best_swap(design, own_gains(design, std::move(statistics), candidate.state.components), is_tried);
    if (swap.first < 0) return;
    is_tried(swap.first, swap.second) = 1;
    // Only the two give up their variants; the others keep theirs.
    const Matrix mean = mean_components(design, candidate.state.components);
    Candidate swapped = candidate;
    swapped.state.traces.clear();
    set_component(design, swap.second, mean.col(swap.first), swapped.state.components);
    set_component(design, swap.first, mean.col(swap.second), swapped.state.components);
    continue_candidate(problem, problem.options.sparsity, iterations, swapped);
    if (swapped.record.objective < candidate.record.objective) {
      candidate = std::move(swapped);
      is_tried.setZero();
    }
  }
}

Vector similarity(const Design& design, const Components& a, const Components& b) {
  const Matrix mean_a = mean_components(design, a), mean_b = mean_components(design, b);
  Vector result(design.n_components());
  for (std::size_t k = 0; k < design.n_categories(); ++k) {
    const Index first = design.first[k], p = design.n_components(k);
    Matrix cosine = (mean_a.middleCols(first, p).transpose() * mean_b.middleCols(first, p)).cwiseAbs();
    for (Index j = 0; j < p; ++j)  // two dead components are alike
      for (Index l = 0; l < p; ++l)
        if (mean_a.col(first + j).isZero(0.0) && mean_b.col(first + l).isZero(0.0)) cosine(j, l) = 1.0;
    const std::vector<Index> partner = assign(-cosine);
    for (Index j = 0; j < p; ++j) result(first + j) = cosine(j, partner[static_cast<std::size_t>(j)]);
  }
  return result;
}

bool drop_redundant(const SearchProblem& problem, double share, int iterations, int threads,
                    Candidate& candidate) {
  const Design& design = problem.design;
  const double fit_of_all = judge(problem, candidate.state).objective.fit;
  const Vector energy = explained_energy(design, candidate.state);
  std::vector<Index> weakest_first;
  for (Index j = 0; j < energy.size(); ++j)
    if (energy(j) > 0) weakest_first.push_back(j);
  std::stable_sort(weakest_first.begin(), weakest_first.end(),
                   [&](Index a, Index b) { return energy(a) < energy(b); });
  // One after the other, each without those dropped before. Several are tried at once, because most
  // stay.
  bool has_dropped = false;
  for (std::size_t next = 0; next < weakest_first.size() && !problem.progress.is_stopped();) {
    std::vector<std::optional<Candidate>> without(
        std::min(weakest_first.size() - next, static_cast<std::size_t>(threads)));
    parallel_for(without.size(), threads, [&](std::size_t i, int) {
      without[i] = drop(problem, weakest_first[next + i], fit_of_all, share * problem.data.variation(),
                        iterations, candidate);
      problem.progress.add(iterations);
    });
    const auto dropped =
        std::find_if(without.begin(), without.end(), [](const auto& w) { return w.has_value(); });
    next += static_cast<std::size_t>(dropped - without.begin()) + (dropped == without.end() ? 0 : 1);
    if (dropped == without.end()) continue;
    candidate = std::move(**dropped);
    has_dropped = true;
  }
  return has_dropped;
}

LabelResiduals label_residuals(const Design& design, Statistics statistics, const Components& components) {
  LabelResiduals result;
  for (std::size_t l = 0; l < design.labels.size(); ++l) {
    LabelSums& sums = statistics.labels[l];
    const Matrix A = loading(design, components, l);
    Matrix residual = std::move(sums.C);
    residual.noalias() -= A * sums.G;
    add_missing_products(sums, A, residual);
    result.residual.push_back(std::move(residual));
    result.energy.push_back(sums.G.diagonal());
  }
  return result;
}

Matrix own_gains(const Design& design, Statistics statistics, const Components& components) {
  LabelResiduals sums = label_residuals(design, std::move(statistics), components);
  for (std::size_t l = 0; l < design.labels.size(); ++l)
    sums.residual[l] += loading(design, components, l) * sums.energy[l].asDiagonal();
  return gain_table(design, sums.residual, sums.energy);
}

}  // namespace milcci
