// A fit just before its first pass: small random trials, their design, random components of length one.
#pragma once

#include <utility>
#include <vector>

#include "data/trial_data.hpp"
#include "label_graphs/categories.hpp"
#include "loop/state.hpp"
#include "support/random_problem.hpp"
#include "util/columns.hpp"

namespace milcci::testing {

/// One matrix per option of every category, columns of length one.
inline Components random_components(const Design& design, Index n_channels, bool is_nonnegative,
                                    std::uint64_t seed) {
  Random random(seed, 31);
  Components components(design.n_categories());
  for (const auto& [k, i] : design.variants) {
    Matrix a = random.normal(n_channels, design.n_components(k));
    if (is_nonnegative) a = a.cwiseAbs();
    normalise_columns(a);
    components[k].push_back(std::move(a));
  }
  return components;
}

struct LoopProblem {
  Trials trials;
  FitOptions options;
  TrialData data;
  Design design;
  State state;

  explicit LoopProblem(const RandomProblem& problem, FitOptions fit_options = two_categories())
      : trials(random_trials(problem)),
        options(std::move(fit_options)),
        data(trials, options.transform),
        design(make_design(resolve_categories(options.categories, trials), trials.n_trials())) {
    state.components =
        random_components(design, problem.n_channels, has_nonnegative_components(), problem.seed);
  }

  bool has_nonnegative_components() const {
    return options.nonnegative == NonNegative::components || options.nonnegative == NonNegative::both;
  }
  bool has_nonnegative_traces() const {
    return options.nonnegative == NonNegative::traces || options.nonnegative == NonNegative::both;
  }
};

}  // namespace milcci::testing
