#include "fit/search.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "fit/alternate.hpp"
#include "initialise/coarse.hpp"
#include "initialise/deal.hpp"
#include "initialise/dictionary.hpp"
#include "util/parallel.hpp"

namespace milcci {
namespace {

// Enough time points to tell the components apart, few enough that a candidate costs a small share of a full
// fit.
constexpr Index kSearchTimes = 4096;
constexpr int kSharedIterations = 40, kTrialIterations = 60;
constexpr double kSearchTolerance = 1e-5, kSearchSparsity = 0.05;
constexpr std::uint64_t kSubsetStream =
    0x5b5e7;  // keeps the subset's random numbers apart from the candidates'

struct Candidate {
  CandidateRecord record;
  Components components;
};

Design shared_design(Index n_components, std::size_t n_trials) {
  CategorySpec spec{
      .name = "shared", .n_components = static_cast<int>(n_components), .kind = CategoryKind::fixed};
  Category category{.spec = spec,
                    .options = {"all"},
                    .option_values = {},
                    .option_of_trial = {},
                    .graph = Matrix::Zero(1, 1)};
  category.option_of_trial.assign(n_trials, 0);
  return make_design({category}, n_trials);
}

// 1. sparse dictionary; 2. shared fit with the sign constraints on; 3. gains and deal; 4. a short fit with
// variants.
Candidate try_start(const TrialData& data, const Design& design, const Matrix& moments,
                    const FitOptions& options, std::uint64_t stream) {
  const auto quietly = [](const IterationRecord&) { return Continue::yes; };
  const bool is_nonnegative =
      options.nonnegative == NonNegative::components || options.nonnegative == NonNegative::both;
  Random random(options.seed, stream);
  const Index P = design.n_components();
  const double sparsity = std::max(kSearchSparsity, options.sparsity);

  State shared;
  shared.components = {
      {sparse_dictionary(moments, P, {.sparsity = sparsity, .is_nonnegative = is_nonnegative}, random)}};
  Stage stage{.number = 0,
              .sparsity = sparsity,
              .max_iterations = kSharedIterations,
              .tolerance = kSearchTolerance,
              .component_tolerance = 1.0};
  const Design one_option = shared_design(P, data.n_trials());
  alternate(data, one_option, options, stage, shared, quietly);

  // The same components under the real design: one pass for the sums per label.
  std::vector<int> any_deal;
  for (std::size_t k = 0; k < design.n_categories(); ++k)
    any_deal.insert(any_deal.end(), static_cast<std::size_t>(design.n_components(k)), static_cast<int>(k));
  State state;
  state.components = deal_out(design, shared.components[0][0], any_deal);
  stage.max_iterations = 0;
  const StageResult sums = alternate(data, design, options, stage, state, quietly);
  const LabelResiduals sums_per_label = label_residuals(design, sums.statistics, state.components);
  const Matrix gain = gain_table(design, sums_per_label.residual, sums_per_label.energy);

  Candidate candidate;
  candidate.record.stream = stream;
  candidate.record.category_of_component = deal(design, gain);
  state = {};
  state.components = deal_out(design, shared.components[0][0], candidate.record.category_of_component);
  stage.max_iterations = kTrialIterations;
  alternate(data, design, options, stage, state, quietly);
  stage.sparsity = options.sparsity;
  candidate.record.objective = alternate(data, design, options, stage, state, quietly).objective.total();
  candidate.components = std::move(state.components);
  return candidate;
}

}  // namespace

LabelResiduals label_residuals(const Design& design, const Statistics& statistics,
                               const Components& components) {
  LabelResiduals result;
  for (std::size_t l = 0; l < design.labels.size(); ++l) {
    const LabelSums& sums = statistics.labels[l];
    const Matrix A = loading(design, components, l);
    Matrix residual = sums.C - A * sums.G;
    for (std::size_t n = 0; n < sums.missing.size(); ++n)
      residual.row(static_cast<Index>(n)) += A.row(static_cast<Index>(n)) * sums.missing[n];
    result.residual.push_back(std::move(residual));
    result.energy.push_back(sums.G.diagonal());
  }
  return result;
}

SearchResult search(const TrialData& data, const Design& design, const FitOptions& options,
                    const ProgressCallback& progress) {
  FitOptions quick = options;  // penalties over time have no meaning on scattered time points
  quick.prior = TracePrior::smoothness;
  quick.smoothness = 0.0;
  quick.gamma3.reset();
  quick.decorrelation = 0.0;
  quick.gamma4.reset();
  quick.threads = 1;
  const Coarse coarse = coarsen(design, data.n_trials());
  const TrialData subset =
      data.pooled(coarse.design.label_of_trial, kSearchTimes, options.seed ^ kSubsetStream);
  const Design pooled = one_trial_per_label(coarse.design);
  const Matrix moments = second_moments(subset);

  SearchResult result;
  const std::size_t n_candidates = static_cast<std::size_t>(options.restarts);
  const int threads = resolve_threads(options.threads);
  std::vector<Candidate> candidates;
  while (candidates.size() < n_candidates && !result.is_interrupted) {
    const std::size_t first = candidates.size();
    candidates.resize(std::min(n_candidates, first + static_cast<std::size_t>(threads)));
    parallel_for(candidates.size() - first, threads, [&](std::size_t c, int) {
      candidates[first + c] = try_start(subset, pooled, moments, quick, first + c);
    });
    if (progress) {
      Progress report{.stage = "start",
                      .step = static_cast<int>(candidates.size()),
                      .max_steps = options.restarts,
                      .record = {}};
      result.is_interrupted = progress(report) == Continue::stop;
    }
  }
  std::stable_sort(candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) {
    return a.record.objective < b.record.objective;
  });
  for (const Candidate& candidate : candidates) result.candidates.push_back(candidate.record);
  result.components = refine(coarse, design, candidates.front().components);
  return result;
}

}  // namespace milcci
