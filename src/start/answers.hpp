// The answers that tournaments of starts lead to, and how often each was found.
#pragma once

#include <span>
#include <vector>

#include "start/moves.hpp"

namespace milcci {

/// How long to search.
struct Patience {
  int tournaments;  ///< at most
  int times_found;  ///< until the best answer was found so often
  int move_rounds;  ///< at most, for an answer
  /// No further tournament if the last one did not lower F by at least this share; 0: always.
  double progress;
};
Patience patience(Effort effort);

/// A finalist, and what became of it when moves no longer improved it and surplus components were
/// dropped.
struct Answer {
  Candidate finalist;  ///< without traces
  Candidate settled;
  bool is_examined = false;           ///< moves were tried until none lowered F
  std::vector<Neighbour> neighbours;  ///< of the settled one; only the best answer's are kept
  std::vector<bool> is_dropped;       ///< per component, as surplus
  double squared_error = 0;
  int times_found = 1;
};

/// Lower F is better. But F prefers a component in two pieces to the whole, so an answer with fewer
/// components is better if R2 falls by no more than surplus components may save.
bool is_better(const SearchProblem& problem, const Answer& a, const Answer& b);

/// The best first, the others by objective; notes how far each is behind the best and how similar to
/// it. Fewer components are better only against the lowest F: from answer to answer losses would add
/// up.
void rank(const SearchProblem& problem, std::vector<Answer>& answers);

/// Components dropped as surplus. Answers compare by F where it is the same number.
long n_dropped(const Answer& answer);

/// Moves until none lowers F; notes whether that was reached, and the answers nearby.
void examine(const SearchProblem& problem, const Patience& patience, int threads, Answer& answer);

struct Answers {
  std::vector<Answer> all;        ///< best first; each once
  std::vector<Candidate> starts;  ///< of all tournaments, best first
};

/// Per component, the share of the starts that hold it.
Vector stability(const SearchProblem& problem, const Candidate& winner, std::span<const Candidate> starts);

/// The best answer was found often enough, and each of its components by more than one start: the finalists
/// of one tournament may have led to the same wrong place.
bool is_confirmed(const SearchProblem& problem, const Patience& patience, const Answers& answers);

/// Holds tournaments until the best answer is confirmed, or it is late.
Answers find_answers(const SearchProblem& problem, const Patience& patience, int threads);

}  // namespace milcci
