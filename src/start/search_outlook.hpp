// What a search will take, before it begins.
#pragma once

#include "start/whole_problem.hpp"

namespace milcci {

struct SearchOutlook {
  double seconds = 0;  ///< on cores that are free
  /// Whether the data say so little that starts will lead to different answers.
  bool is_hard = false;
};

/// Whether so many observed values are few for so many memberships and samples of traces.
bool is_hard_search(double n_values, double n_parameters, Index n_components);

/// Seconds of one start and of one iteration of the search, on one thread.
struct SearchCosts {
  double start = 0, iteration = 0;
};

/// Counts on as many starts and iterations as searches have taken.
double search_seconds(const SearchCosts& costs, bool is_hard, const Design& design,
                      const FitOptions& options);

/// Tries two starts and a few iterations of the search, and counts on as many more. Takes some 3 to 10 %
/// of the search.
SearchOutlook look_ahead(const WholeProblem& whole);

}  // namespace milcci
