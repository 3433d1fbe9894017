#include "start/search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <span>

#include "loop/alternate.hpp"
#include "start/binned_design.hpp"
#include "start/candidate.hpp"
#include "util/parallel.hpp"

namespace milcci {
namespace {

// Enough time points to tell the components apart, few enough that a candidate costs a small share of a full
// fit.
constexpr Index kTimesPerComponent = 128, kMinTimes = 1024, kMaxTimes = 4096;
// With thousands of channels a time point says more and costs more: fewer are enough, down to
// these.
constexpr Index kMaxValues = 1024 * kMaxTimes, kFewestPerComponent = 16;
constexpr std::uint64_t kSubsetStream =
    0x5b5e7;  // keeps the subset's random numbers apart from the candidates'

// Rounds of the tournament: of `restarts` candidates one in `divisor` takes part, for this many iterations.
struct Round {
  int divisor, iterations;
};
constexpr Round kFirstRound{1, 20}, kLaterRounds[] = {{2, 30}, {4, 60}, {8, 120}};
constexpr std::size_t kRounds = 1 + std::size(kLaterRounds);
constexpr int kSwapAttempts = 6, kPolishIterations = 60, kDropIterations = 30, kDataIterations = 15,
              kSettleRounds = 4;
// A finalist whose objective is higher than the winner's by more than this share has lost.
constexpr double kRival = 0.1;

SearchProblem search_problem(const TrialData& data, const BinnedDesign& binned, const FitOptions& options,
                             SearchProgress& progress) {
  FitOptions quick = options;  // penalties over time have no meaning on scattered time points
  quick.prior = TracePrior::smoothness;
  quick.smoothness = 0.0;
  quick.gamma3.reset();
  quick.decorrelation = 0.0;
  quick.gamma4.reset();
  quick.threads = 1;
  TrialData pooled = data.pooled(binned.design.label_of_trial,
                                 n_pooled_times(binned.design.n_components(), data.n_channels()),
                                 options.seed ^ kSubsetStream);
  Moments moments(pooled);
  return {std::move(pooled), one_trial_per_label(binned.design), std::move(moments), quick, progress};
}

// The plan, in iterations of a candidate, phase after phase. It serves to estimate the time left;
// candidates that converge earlier count as done.
struct Plan {
  long starts, rounds[std::size(kLaterRounds)], swaps, whole_data, surplus;

  Plan(const TrialData& data, const Design& design, const FitOptions& options) {
    const long n_finalists = std::min(options.restarts, options.candidates);
    starts = long{options.restarts} * (kSharedIterations + kFirstRound.iterations);
    for (std::size_t r = 0; r < std::size(kLaterRounds); ++r)
      rounds[r] = std::max(n_finalists, long{options.restarts} / kLaterRounds[r].divisor) *
                  kLaterRounds[r].iterations;
    swaps = n_finalists * kSwapAttempts * kPolishIterations;
    long n_times = 0;
    for (std::size_t m = 0; m < data.n_trials(); ++m) n_times += data.n_times(m);
    const long passes = 1 + n_times / n_pooled_times(design.n_components(),
                                                     data.n_channels());  // of the search, in one of the data
    whole_data = n_finalists > 1 ? n_finalists * kDataIterations * passes : 0;
    surplus = options.redundancy > 0 ? design.n_components() * kDropIterations : 0;
  }
  long until_round(std::size_t r) const { return std::accumulate(rounds, rounds + r, starts); }
  long until_swaps() const { return until_round(std::size(kLaterRounds)); }
  long until_whole_data() const { return until_swaps() + swaps; }
  long until_surplus() const { return until_whole_data() + whole_data; }
  long total() const { return until_surplus() + surplus; }
};

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

// The first round: every start, each from its own stream of random numbers. If interrupted, only
// those that began.
std::vector<Candidate> first_round(const SearchProblem& problem, int threads) {
  std::vector<Candidate> candidates(static_cast<std::size_t>(problem.options.restarts));
  problem.progress.begin_phase(fmt::format("round 1 of {}", kRounds), 0);
  parallel_for(candidates.size(), threads, [&](std::size_t c, int) {
    if (c > 0 && problem.progress.is_stopped()) return;
    candidates[c] = first_candidate(problem, c, kFirstRound.iterations);
    problem.progress.add(kSharedIterations + kFirstRound.iterations);
  });
  std::erase_if(candidates, [](const Candidate& c) { return c.state.components.empty(); });
  rank(candidates);
  return candidates;
}

// The better candidates continue for longer; the last few may swap components between categories.
// The finalists come first.
void hold_tournament(const SearchProblem& problem, const Plan& plan, int threads, std::size_t n_finalists,
                     std::span<Candidate> candidates) {
  std::span<Candidate> in_play = candidates;
  for (std::size_t r = 0; r < std::size(kLaterRounds); ++r) {
    const Round& round = kLaterRounds[r];
    problem.progress.begin_phase(fmt::format("round {} of {}", r + 2, kRounds), plan.until_round(r));
    const std::size_t n_going_on =
        std::max(n_finalists, candidates.size() / static_cast<std::size_t>(round.divisor));
    in_play = in_play.first(std::min(in_play.size(), n_going_on));
    parallel_for(in_play.size(), threads, [&](std::size_t c, int) {
      continue_candidate(problem, problem.options.sparsity, round.iterations, in_play[c]);
      problem.progress.add(round.iterations);
    });
    rank(in_play);
  }
  in_play = in_play.first(n_finalists);
  problem.progress.begin_phase("swaps between categories", plan.until_swaps());
  parallel_for(in_play.size(), threads, [&](std::size_t c, int) {
    try_swaps(problem, kSwapAttempts, kPolishIterations, in_play[c]);
    problem.progress.add(kSwapAttempts * kPolishIterations);
  });
  rank(in_play);
}

// Finalists that are a different answer from the winner's and not far behind are tried on the whole
// data, together with the winner.
void decide_on_data(const TrialData& data, const Design& design, const FitOptions& options,
                    const BinnedDesign& binned, SearchProgress& progress, std::span<Candidate> finalists) {
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
    Monitor monitor = progress.monitor();
    candidate.record.objective = alternate(data, design, options, stage, state, monitor).objective.total();
  }
  rank(finalists.first(n_rivals));
}

// The winner drops components it does not need. Those that are left may find their category in the
// places that became free, and some may then be surplus again.
void settle(const SearchProblem& problem, int threads, Candidate& winner) {
  for (int round = 0; round < kSettleRounds && !problem.progress.is_stopped(); ++round) {
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

Index n_pooled_times(Index n_components, Index n_channels) {
  const Index wanted = std::clamp(kTimesPerComponent * n_components, kMinTimes, kMaxTimes);
  return std::min(wanted, std::max(kFewestPerComponent * n_components, kMaxValues / n_channels));
}

SearchResult search(const TrialData& data, const Design& design, const FitOptions& options,
                    const ProgressCallback& callback) {
  const BinnedDesign binned = bin_design(design, data.n_trials());
  const Plan plan(data, binned.design, options);
  SearchProgress progress(callback, plan.total());
  const SearchProblem problem = search_problem(data, binned, options, progress);
  const int threads = resolve_threads(options.threads);

  std::vector<Candidate> candidates = first_round(problem, threads);
  if (!progress.is_stopped()) {
    const std::size_t n_finalists = std::min(candidates.size(), static_cast<std::size_t>(options.candidates));
    hold_tournament(problem, plan, threads, n_finalists, candidates);
    compare_with_winner(problem, candidates);
    progress.begin_phase("finalists on the whole data", plan.until_whole_data());
    decide_on_data(data, design, options, binned, progress, std::span(candidates).first(n_finalists));
  }
  compare_with_winner(problem, candidates);
  if (options.redundancy > 0 && !progress.is_stopped()) {
    progress.begin_phase("surplus components", plan.until_surplus());
    // What the winner dropped does not make it a different answer.
    const CandidateRecord record = candidates.front().record;
    settle(problem, threads, candidates.front());
    candidates.front().record = record;
  }
  progress.begin_phase("done", plan.total());

  SearchResult result;
  result.is_interrupted = progress.is_stopped();
  result.components = unbin(binned, design, candidates.front().state.components);
  result.stability = stability(problem, candidates);
  for (const Candidate& candidate : candidates) result.candidates.push_back(candidate.record);
  return result;
}

}  // namespace milcci
