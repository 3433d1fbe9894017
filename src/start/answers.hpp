// The answers that tournaments of starts lead to, and how often each was found.
#pragma once

#include <vector>

#include "start/moves.hpp"

namespace milcci {

/// How long to search.
struct Patience {
  int tournaments;  ///< at most
  int times_found;  ///< until the best answer was found so often
  int move_rounds;  ///< at most, for an answer
};
Patience patience(Effort effort);

/// A finalist, and what became of it when moves no longer improved it and surplus components were
/// dropped.
struct Answer {
  Candidate finalist, settled;
  std::vector<Neighbour> neighbours;  ///< of the settled one
  std::vector<bool> is_dropped;       ///< per component, as surplus
  double squared_error = 0;
  int times_found = 1;
};

struct Answers {
  std::vector<Answer> all;        ///< best first; each once
  std::vector<Candidate> starts;  ///< of all tournaments, best first
};

/// Holds tournaments until the best answer was found often enough, or it is late.
Answers find_answers(const SearchProblem& problem, const Patience& patience, int threads);

}  // namespace milcci
