// What the search asks of the whole data, where its pooled time points may mislead it.
#pragma once

#include <span>

#include "start/answers.hpp"
#include "start/whole_problem.hpp"

namespace milcci {

/// Answers, best first, that differ from the best one, dropped as many components and are not far
/// behind, are tried on the whole data together with it. Returns the one that wins there.
Answer& decide_on_data(const WholeProblem& whole, SearchProgress& progress, std::span<Answer> answers);

/// Offers the place of every dead component to what the others leave unexplained. What grows there
/// stays if R2 of the whole data rises by `options.redundancy` or more. Returns by how much R2 rises
/// with each component that was not needed; NaN for all others.
Vector revive(const SearchProblem& problem, const WholeProblem& whole, const Patience& patience, int threads,
              Answer& answer);

}  // namespace milcci
