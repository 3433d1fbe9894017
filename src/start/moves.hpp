// Changes to a candidate that the loop cannot make by small steps, each decided by a refit.
#pragma once

#include <vector>

#include "start/candidate.hpp"

namespace milcci {

/// Two components of different categories trade places and lose their variants. Or one component is
/// given up, and its place taken by what the others leave unexplained: so a component that has
/// absorbed two can part with one of them.
struct Move {
  Index first = -1;   ///< among all P
  Index second = -1;  ///< of another category; -1: the first is grown anew
};

/// All regrowths and swaps of living components, the most promising ones if there are many.
std::vector<Move> possible_moves(const SearchProblem& problem, const Candidate& candidate);

/// A move and its refit: after a few iterations, or after many more if it was pursued.
struct Neighbour {
  Move move;
  Candidate candidate;
  bool is_pursued = false;
};

/// The move and its refit of a few iterations. A component that is dead may be grown anew as well.
Neighbour try_move(const SearchProblem& problem, const Move& move, const Candidate& candidate);

/// Makes moves as long as one lowers F, at most `max_rounds` of them. Every move gets a refit of a few
/// iterations. One that has lowered F by then is made at once; otherwise the best few are pursued.
/// Returns the best refit that moves each component, best first: the answers next to this one. Nothing
/// if it ended early.
std::vector<Neighbour> improve_by_moves(const SearchProblem& problem, int max_rounds, int threads,
                                        Candidate& candidate);

/// Pursues all neighbours that may come close to the candidate's F. If one is better, it becomes the
/// candidate, and the candidate takes its place. Returns whether that happened.
bool pursue_all(const SearchProblem& problem, int threads, std::vector<Neighbour>& neighbours,
                Candidate& candidate);

/// How many refits of moves there are at a time, at most: kept for a candidate, and tried together.
struct NeighbourCounts {
  std::size_t kept = 0, tried = 0;
};
NeighbourCounts count_neighbours(const Design& design, std::size_t n_memberships);

/// Iterations of one round of moves, for the plan.
long iterations_of_moves(const Design& design);

}  // namespace milcci
