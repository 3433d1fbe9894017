// A search over simulated trials whose components are known.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "label_graphs/categories.hpp"
#include "start/binned_design.hpp"
#include "start/candidate.hpp"
#include "start/given_start.hpp"
#include "start/pooled.hpp"
#include "support/simulated_fit.hpp"

namespace milcci::testing {

/// `n_surplus` more components than there are can be asked for in `choice`.
struct KnownSearch {
  Trials trials;
  FitOptions options;
  Design fine;
  ProgressCallback silent;
  SearchProgress progress{silent};
  SearchProblem problem;
  Components truth;  // at length one; surplus components are zero

  explicit KnownSearch(int n_surplus = 0)
      : trials(simulate(small_paper())),
        options(with_surplus(n_surplus)),
        fine(make_design(resolve_categories(options.categories, trials), trials.n_trials())),
        problem(make_problem()) {
    Start start = trials.truth->categories;
    for (Matrix& variant : start[1].variants) {
      variant.conservativeResize(Eigen::NoChange, 2 + n_surplus);
      variant.rightCols(n_surplus).setZero();
    }
    std::vector<std::string> warnings;
    truth = components_from(start, problem.design, trials.n_channels(), options, warnings);
  }

  Candidate candidate(const Components& components, int iterations = 30) const {
    Candidate result;
    result.state.components = components;
    continue_candidate(problem, problem.sparsity(), iterations, result);
    return result;
  }

 private:
  static FitOptions with_surplus(int n_surplus) {
    FitOptions options = options_for(small_paper());
    options.categories[1].n_components += n_surplus;
    options.threads = 1;
    return options;
  }
  SearchProblem make_problem() {
    TrialData pooled = pool(TrialData(trials), fine.label_of_trial, {.n_columns = 1024, .seed = 1});
    Moments moments(pooled, fine.n_components());
    return {std::move(pooled), one_trial_per_label(fine), std::move(moments), options, progress};
  }
};

}  // namespace milcci::testing
