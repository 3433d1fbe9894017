// Many starts, of which the better ones continue for longer, down to a few finalists.
#pragma once

#include <cstdint>
#include <vector>

#include "start/candidate.hpp"

namespace milcci {

/// `options.restarts` candidates of their own streams of random numbers, from `first_stream` on. After
/// every round the better ones continue for longer, down to `options.candidates` finalists. Best
/// first; if interrupted, only those that began. The same for any number of threads.
std::vector<Candidate> hold_tournament(const SearchProblem& problem, std::uint64_t first_stream, int threads);

/// With variants, after which half of the candidates are given up.
constexpr int kFirstRoundIterations = 20;
/// Iterations that a tournament plans; candidates that converge earlier count as done.
long iterations_of_tournament(const FitOptions& options);

/// Sorts by objective and notes in every record how far it is behind the best.
void rank(std::span<Candidate> candidates);

}  // namespace milcci
