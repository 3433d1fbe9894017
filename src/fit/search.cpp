#include "fit/search.hpp"

#include <algorithm>

#include "fit/candidate.hpp"
#include "initialise/coarse.hpp"
#include "initialise/dictionary.hpp"
#include "util/parallel.hpp"

namespace milcci {
namespace {

// Enough time points to tell the components apart, few enough that a candidate costs a small share of a full
// fit.
constexpr Index kSearchTimes = 4096;
constexpr std::uint64_t kSubsetStream =
    0x5b5e7;  // keeps the subset's random numbers apart from the candidates'

// Rounds of the tournament: of `restarts` candidates one in `divisor` takes part, for this many iterations.
struct Round {
  int divisor, iterations;
};
constexpr Round kFirstRound{1, 20}, kLaterRounds[] = {{2, 30}, {4, 60}, {8, 120}};
constexpr int kSwapAttempts = 6, kPolishIterations = 60, kDropIterations = 30;

SearchProblem search_problem(const TrialData& data, const Coarse& coarse, const FitOptions& options) {
  FitOptions quick = options;  // penalties over time have no meaning on scattered time points
  quick.prior = TracePrior::smoothness;
  quick.smoothness = 0.0;
  quick.gamma3.reset();
  quick.decorrelation = 0.0;
  quick.gamma4.reset();
  quick.threads = 1;
  TrialData pooled = data.pooled(coarse.design.label_of_trial, kSearchTimes, options.seed ^ kSubsetStream);
  Matrix moments = second_moments(pooled);
  return {std::move(pooled), one_trial_per_label(coarse.design), std::move(moments), quick};
}

void rank(std::vector<Candidate>& candidates, std::size_t n_first) {
  std::stable_sort(
      candidates.begin(), candidates.begin() + static_cast<std::ptrdiff_t>(n_first),
      [](const Candidate& a, const Candidate& b) { return a.record.objective < b.record.objective; });
}

// The better candidates go on for longer; the last few may swap components between categories, and the winner
// lets go of components it does not need.
void hold_tournament(const SearchProblem& problem, int threads, std::vector<Candidate>& candidates) {
  std::size_t n_going_on = candidates.size();
  for (const Round& round : kLaterRounds) {
    n_going_on = std::max<std::size_t>(1, candidates.size() / static_cast<std::size_t>(round.divisor));
    parallel_for(n_going_on, threads, [&](std::size_t c, int) {
      continue_candidate(problem, problem.options.sparsity, round.iterations, candidates[c]);
      ++candidates[c].record.round;
    });
    rank(candidates, n_going_on);
  }
  const std::size_t n_finalists = n_going_on;
  parallel_for(n_finalists, threads, [&](std::size_t c, int) {
    try_swaps(problem, kSwapAttempts, kPolishIterations, candidates[c]);
    ++candidates[c].record.round;
  });
  rank(candidates, n_finalists);
  if (problem.options.redundancy > 0) {
    drop_redundant(problem, problem.options.redundancy, kDropIterations, candidates.front());
    try_swaps(problem, kSwapAttempts, kPolishIterations, candidates.front());
  }
}

}  // namespace

SearchResult search(const TrialData& data, const Design& design, const FitOptions& options,
                    const ProgressCallback& progress) {
  const Coarse coarse = coarsen(design, data.n_trials());
  const SearchProblem problem = search_problem(data, coarse, options);
  const auto n_candidates = static_cast<std::size_t>(options.restarts);
  const int threads = resolve_threads(options.threads);
  SearchResult result;

  // In waves of one candidate per thread, so that progress is told (and an interruption heard) in between.
  std::vector<Candidate> candidates;
  while (candidates.size() < n_candidates && !result.is_interrupted) {
    const std::size_t first = candidates.size();
    candidates.resize(std::min(n_candidates, first + static_cast<std::size_t>(threads)));
    parallel_for(candidates.size() - first, threads, [&](std::size_t c, int) {
      candidates[first + c] = first_candidate(problem, first + c, kFirstRound.iterations);
    });
    if (progress) {
      const Progress report{.stage = "start",
                            .step = static_cast<int>(candidates.size()),
                            .max_steps = options.restarts,
                            .record = {}};
      result.is_interrupted = progress(report) == Continue::stop;
    }
  }
  for (Candidate& candidate : candidates) candidate.record.round = 1;
  rank(candidates, candidates.size());
  if (!result.is_interrupted) hold_tournament(problem, threads, candidates);
  for (Candidate& candidate : candidates) {
    candidate.record.similarity =
        similarity(problem.design, candidates.front().state.components, candidate.state.components).mean();
    result.candidates.push_back(candidate.record);
  }
  result.components = refine(coarse, design, candidates.front().state.components);
  return result;
}

}  // namespace milcci
