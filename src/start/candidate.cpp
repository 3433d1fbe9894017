#include "start/candidate.hpp"
#include "start/least_gain.hpp"

#include <algorithm>
#include <limits>
#include <optional>

#include "loop/alternate.hpp"
#include "loop/explained_energy.hpp"
#include "loop/missing.hpp"
#include "solvers/assignment.hpp"
#include "start/align.hpp"
#include "start/assign_to_categories.hpp"
#include "start/dictionary.hpp"
#include "start/few_labels.hpp"
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

// Where signs are free, components may cancel each other more and more while F falls by weights that
// were frozen before, and rises by those of the state.
Stage search_stage(const FitOptions& options, double sparsity, int iterations, Index n_channels) {
  return {.number = 0,
          .sparsity = sparsity,
          .max_iterations = iterations,
          .tolerance = kTolerance,
          .component_tolerance = 1.0,
          .traces = kTraces,
          .rounds = rounds_for(n_channels),
          .weights_follow = options.nonnegative != NonNegative::both};
}

double firm_sparsity(const FitOptions& options) {
  constexpr double kFirm = 0.05;
  return std::max(kFirm, options.sparsity.value_or(kDefaultSparsity));
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
  const Stage stage = search_stage(problem.options, sparsity, iterations, problem.data.n_channels());
  return alternate(problem.data, design, problem.options, stage, state, monitor);
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
    const Objective objective = run(problem, problem.design, problem.sparsity(), n, without.state).objective;
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

TrialData data_of(const SearchProblem& problem, const std::vector<std::size_t>& labels) {
  Trials trials;
  TrialBuffer buffer;
  for (const std::size_t l : labels)
    problem.data.stored(l, buffer).visit(
        [&](const auto& y) { trials.values.push_back(y.template cast<double>()); });
  return TrialData(std::move(trials));
}

// |cosine| of columns of length one; two dead components are alike.
Matrix cosines(const Matrix& a, const Matrix& b) {
  Matrix cosine = (a.transpose() * b).cwiseAbs();
  for (Index j = 0; j < cosine.rows(); ++j)
    for (Index l = 0; l < cosine.cols(); ++l)
      if (a.col(j).isZero(0.0) && b.col(l).isZero(0.0)) cosine(j, l) = 1.0;
  return cosine;
}

}  // namespace

StageResult judge(const SearchProblem& problem, State& state) {
  return run(problem, problem.design, problem.sparsity(), 0, state);
}

Matrix mean_components(const Design& design, const Components& components) {
  Matrix mean = Matrix::Zero(components[0][0].rows(), design.n_components());
  for (std::size_t k = 0; k < design.n_categories(); ++k)
    for (const Matrix& variant : components[k])
      mean.middleCols(design.first[k], design.n_components(k)) += variant;
  normalise_columns(mean);
  return mean;
}

void set_component(const Design& design, Index j, const Vector& a, Components& components) {
  const std::size_t k = category_of(design, j);
  for (Matrix& variant : components[k]) variant.col(j - design.first[k]) = a;
}

std::vector<bool> are_dead(const Components& components) {
  std::vector<bool> result;
  for (const std::vector<Matrix>& variants : components)
    for (Index j = 0; j < variants[0].cols(); ++j)
      result.push_back(std::all_of(variants.begin(), variants.end(),
                                   [j](const Matrix& variant) { return variant.col(j).isZero(0.0); }));
  return result;
}

std::size_t category_of(const Design& design, Index j) {
  std::size_t k = 0;
  while (j >= design.first[k + 1]) ++k;
  return k;
}

DictionaryOptions dictionary_options(const FitOptions& options) {
  return {.sparsity = firm_sparsity(options),
          .is_nonnegative =
              options.nonnegative == NonNegative::components || options.nonnegative == NonNegative::both};
}

Candidate first_candidate(const SearchProblem& problem, std::uint64_t stream, int iterations) {
  const FitOptions& options = problem.options;
  const double sparsity = firm_sparsity(options);
  Random random(options.seed, stream);
  State shared;
  const DictionaryOptions dictionary = dictionary_options(options);
  if (stream % 2 == 1) {
    const TrialData data = data_of(problem, draw_few_labels(problem.data, problem.design, random));
    const Moments moments(data, problem.design.n_components());
    shared.components = {{sparse_dictionary(moments, problem.design.n_components(), dictionary, random)}};
  } else {
    shared.components = {
        {sparse_dictionary(problem.moments, problem.design.n_components(), dictionary, random)}};
    run(problem, without_variants(problem.design), sparsity, kSharedIterations, shared);
  }

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

Vector similarity(const Design& design, const Components& a, const Components& b) {
  return correspondence(design, a, b).cosine;
}

Correspondence correspondence(const Design& design, const Components& a, const Components& b) {
  Correspondence result{{}, Vector::Zero(design.n_components())};
  const Matrix mean_a = mean_components(design, a), mean_b = mean_components(design, b);
  for (std::size_t k = 0; k < design.n_categories(); ++k) {
    const Index first = design.first[k], p = design.n_components(k);
    const auto add = [&](const Matrix& unit_a, const Matrix& unit_b, double weight) {
      const Matrix cosine = cosines(unit_a, unit_b);
      const std::vector<Index> partner = assign(-cosine);
      for (Index j = 0; j < p; ++j)
        result.cosine(first + j) += weight * cosine(j, partner[static_cast<std::size_t>(j)]);
      return partner;
    };
    if (design.categories[k].spec.kind != CategoryKind::free) {
      const auto partner = add(mean_a.middleCols(first, p), mean_b.middleCols(first, p), 1.0);
      result.partner.emplace_back(a[k].size(), partner);
      continue;
    }
    result.partner.emplace_back();
    for (std::size_t i = 0; i < a[k].size();
         ++i)  // nothing ties component j under one option to that of another
      result.partner.back().push_back(add(a[k][i], b[k][i], 1.0 / static_cast<double>(a[k].size())));
  }
  return result;
}

bool drop_redundant(const SearchProblem& problem, double loss, int iterations, int threads,
                    Candidate& candidate) {
  const Design& design = problem.design;
  double fit_of_all = judge(problem, candidate.state).objective.fit;
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
      without[i] = drop(problem, weakest_first[next + i], fit_of_all, loss, iterations, candidate);
      problem.progress.add(iterations);
    });
    const auto dropped =
        std::find_if(without.begin(), without.end(), [](const auto& w) { return w.has_value(); });
    next += static_cast<std::size_t>(dropped - without.begin()) + (dropped == without.end() ? 0 : 1);
    if (dropped == without.end()) continue;
    candidate = std::move(**dropped);
    has_dropped = true;
    // Shares of R2 would add up. What noise explains does add up, with every component.
    if (is_judged_by_noise(problem.options)) fit_of_all = judge(problem, candidate.state).objective.fit;
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
