#include "start/tournament.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "util/parallel.hpp"

namespace milcci {
namespace {

// Of `restarts` candidates one in `divisor` takes part, for this many iterations.
struct Round {
  int divisor, iterations;
};
constexpr Round kFirstRound{1, kFirstRoundIterations}, kLaterRounds[] = {{2, 30}, {4, 60}, {8, 120}};
constexpr std::size_t kRounds = 1 + std::size(kLaterRounds);

std::size_t n_finalists(const FitOptions& options) {
  return static_cast<std::size_t>(std::min(options.restarts, options.candidates));
}

std::size_t n_in_round(const Round& round, const FitOptions& options) {
  return std::max(n_finalists(options), static_cast<std::size_t>(options.restarts / round.divisor));
}

std::vector<Candidate> first_round(const SearchProblem& problem, std::uint64_t first_stream, int threads) {
  std::vector<Candidate> candidates(static_cast<std::size_t>(problem.options.restarts));
  problem.progress.begin_phase(fmt::format("round 1 of {}", kRounds));
  parallel_for(candidates.size(), threads, [&](std::size_t c, int) {
    if (c > 0 && problem.progress.is_stopped()) return;
    candidates[c] = first_candidate(problem, first_stream + c, kFirstRound.iterations);
    problem.progress.add(kSharedIterations + kFirstRound.iterations);
  });
  std::erase_if(candidates, [](const Candidate& c) { return c.state.components.empty(); });
  rank(candidates);
  return candidates;
}

}  // namespace

long iterations_of_tournament(const FitOptions& options) {
  long iterations = long{options.restarts} * (kSharedIterations + kFirstRound.iterations);
  for (const Round& round : kLaterRounds)
    iterations += static_cast<long>(n_in_round(round, options)) * round.iterations;
  return iterations;
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

std::vector<Candidate> hold_tournament(const SearchProblem& problem, std::uint64_t first_stream,
                                       int threads) {
  std::vector<Candidate> candidates = first_round(problem, first_stream, threads);
  std::span<Candidate> in_play = candidates;
  for (std::size_t r = 0; r < std::size(kLaterRounds) && !problem.progress.is_stopped(); ++r) {
    const Round& round = kLaterRounds[r];
    problem.progress.begin_phase(fmt::format("round {} of {}", r + 2, kRounds));
    in_play = in_play.first(std::min(in_play.size(), n_in_round(round, problem.options)));
    parallel_for(in_play.size(), threads, [&](std::size_t c, int) {
      continue_candidate(problem, problem.sparsity(), round.iterations, in_play[c]);
      problem.progress.add(round.iterations);
    });
    rank(in_play);
  }
  return candidates;
}

}  // namespace milcci
