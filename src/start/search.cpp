#include "start/search.hpp"

#include <algorithm>
#include <span>

#include "loop/alternate.hpp"
#include "start/binned_design.hpp"
#include "start/candidate.hpp"
#include "start/dictionary.hpp"
#include "util/parallel.hpp"

namespace milcci {
namespace {

// Enough time points to tell the components apart, few enough that a candidate costs a small share of a full
// fit.
constexpr Index kTimesPerComponent = 128, kMinTimes = 1024, kMaxTimes = 4096;
constexpr std::uint64_t kSubsetStream =
    0x5b5e7;  // keeps the subset's random numbers apart from the candidates'

// Rounds of the tournament: of `restarts` candidates one in `divisor` takes part, for this many iterations.
struct Round {
  int divisor, iterations;
};
constexpr Round kFirstRound{1, 20}, kLaterRounds[] = {{2, 30}, {4, 60}, {8, 120}};
constexpr int kSwapAttempts = 6, kPolishIterations = 60, kDropIterations = 30, kDataIterations = 15,
              kSettleRounds = 4;
// A finalist whose objective is higher than the winner's by more than this share has lost.
constexpr double kRival = 0.1;

SearchProblem search_problem(const TrialData& data, const BinnedDesign& binned, const FitOptions& options) {
  FitOptions quick = options;  // penalties over time have no meaning on scattered time points
  quick.prior = TracePrior::smoothness;
  quick.smoothness = 0.0;
  quick.gamma3.reset();
  quick.decorrelation = 0.0;
  quick.gamma4.reset();
  quick.threads = 1;
  const Index n_times = std::clamp(kTimesPerComponent * binned.design.n_components(), kMinTimes, kMaxTimes);
  TrialData pooled = data.pooled(binned.design.label_of_trial, n_times, options.seed ^ kSubsetStream);
  Matrix moments = second_moments(pooled);
  return {std::move(pooled), one_trial_per_label(binned.design), std::move(moments), quick};
}

void rank(std::span<Candidate> candidates) {
  std::stable_sort(candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) {
    return a.record.objective < b.record.objective;
  });
  const double best = candidates.front().record.objective;
  for (Candidate& candidate : candidates) {
    ++candidate.record.round;
    candidate.record.behind = best > 0 ? candidate.record.objective / best - 1.0 : 0.0;
  }
}

void compare_with_winner(const SearchProblem& problem, std::span<Candidate> candidates) {
  for (Candidate& candidate : candidates)
    candidate.record.similarity =
        similarity(problem.design, candidates.front().state.components, candidate.state.components).mean();
}

// The better candidates go on for longer; the last few may swap components between categories. The finalists
// come first.
void hold_tournament(const SearchProblem& problem, int threads, std::size_t n_finalists,
                     std::span<Candidate> candidates) {
  std::span<Candidate> in_play = candidates;
  for (const Round& round : kLaterRounds) {
    const std::size_t n_going_on =
        std::max(n_finalists, candidates.size() / static_cast<std::size_t>(round.divisor));
    in_play = in_play.first(std::min(in_play.size(), n_going_on));
    parallel_for(in_play.size(), threads, [&](std::size_t c, int) {
      continue_candidate(problem, problem.options.sparsity, round.iterations, in_play[c]);
    });
    rank(in_play);
  }
  in_play = in_play.first(n_finalists);
  parallel_for(in_play.size(), threads,
               [&](std::size_t c, int) { try_swaps(problem, kSwapAttempts, kPolishIterations, in_play[c]); });
  rank(in_play);
}

// Finalists that are another answer than the winner and not far behind are tried on the whole data, the
// winner too.
void decide_on_data(const TrialData& data, const Design& design, const FitOptions& options,
                    const BinnedDesign& binned, std::span<Candidate> finalists) {
  const auto first_loser =
      std::stable_partition(finalists.begin() + 1, finalists.end(), [](const Candidate& candidate) {
        return candidate.record.is_distinct() && candidate.record.behind < kRival;
      });
  const auto n_rivals = static_cast<std::size_t>(first_loser - finalists.begin());
  if (n_rivals == 1) return;
  const Stage stage{.number = 0, .sparsity = options.sparsity, .max_iterations = kDataIterations};
  for (Candidate& candidate : finalists.first(n_rivals)) {
    State state;
    state.components = unbin(binned, design, candidate.state.components);
    candidate.record.objective = alternate(data, design, options, stage, state, [](const IterationRecord&) {
                                   return Continue::yes;
                                 }).objective.total();
  }
  rank(finalists.first(n_rivals));
}

// The winner lets go of components it does not need; what is left may find its category in the places that
// became free, and then again be more than needed.
void settle(const SearchProblem& problem, int threads, Candidate& winner) {
  for (int round = 0; round < kSettleRounds; ++round) {
    if (!drop_redundant(problem, problem.options.redundancy, kDropIterations, threads, winner)) return;
    continue_candidate(problem, problem.options.sparsity, kPolishIterations, winner);
    try_swaps(problem, kSwapAttempts, kPolishIterations, winner);
  }
}

// Share of the candidates that hold each of the winner's components.
Vector stability(const SearchProblem& problem, std::span<const Candidate> candidates) {
  constexpr double kSame = 0.9;
  Vector found = Vector::Zero(problem.design.n_components());
  for (const Candidate& candidate : candidates)
    found.array() +=
        (similarity(problem.design, candidates.front().state.components, candidate.state.components)
             .array() >= kSame)
            .cast<double>();
  return found / static_cast<double>(candidates.size());
}

}  // namespace

SearchResult search(const TrialData& data, const Design& design, const FitOptions& options,
                    const ProgressCallback& progress) {
  const BinnedDesign binned = bin_design(design, data.n_trials());
  const SearchProblem problem = search_problem(data, binned, options);
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
  rank(candidates);
  if (!result.is_interrupted) {
    const std::size_t n_finalists = std::min(candidates.size(), static_cast<std::size_t>(options.candidates));
    hold_tournament(problem, threads, n_finalists, candidates);
    compare_with_winner(problem, candidates);
    decide_on_data(data, design, options, binned, std::span(candidates).first(n_finalists));
    compare_with_winner(problem, candidates);
    // What the winner lets go of afterwards makes it no other answer.
    const CandidateRecord record = candidates.front().record;
    if (options.redundancy > 0) settle(problem, threads, candidates.front());
    candidates.front().record = record;
  } else {
    compare_with_winner(problem, candidates);
  }
  result.components = unbin(binned, design, candidates.front().state.components);
  result.stability = stability(problem, candidates);
  for (const Candidate& candidate : candidates) result.candidates.push_back(candidate.record);
  return result;
}

}  // namespace milcci
