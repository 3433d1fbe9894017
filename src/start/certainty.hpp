// What other answers say of an answer's components.
#pragma once

#include <vector>

#include "start/candidate.hpp"

namespace milcci {

/// Another answer that explains the data about as well.
struct Rival {
  Components components;  ///< in the places of the winner's that they correspond to
  double behind = 0;      ///< its F over the winner's, less one
  Vector similarity;      ///< per component of the winner, |cosine| with the one assigned to it
};

/// Those of `others` that differ from the winner and whose F is not higher than the winner's by more
/// than noise and the search itself explain, best first, each answer once. All have traces.
///
/// If the winner is true, the other answer's squared error is larger by ||D||^2 on average, where D is the
/// difference of the two reconstructions, give or take 2 sigma ||D||.
std::vector<Rival> find_rivals(const SearchProblem& problem, const Candidate& winner,
                               const std::vector<Candidate>& others);

/// Firm if every rival has the component as well; unstable if at least two, and half of them, have not;
/// otherwise there is an alternative to it.
std::vector<Certainty> judge_components(Index n_components, const std::vector<Rival>& rivals);

}  // namespace milcci
