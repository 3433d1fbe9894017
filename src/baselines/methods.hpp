// The methods, one function each, and what they share.
#pragma once

#include <fmt/format.h>

#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "baselines/descent.hpp"
#include "baselines/samples.hpp"
#include "milcci/baselines.hpp"
#include "util/random.hpp"

namespace milcci::baselines {

/// What a method is asked to do. The trials have been checked, and so have the options.
struct Task {
  const TrialSource& trials;
  const BaselineOptions& options;
  const Clock& clock;
  const std::vector<CategorySpec>& categories;

  Index n_components() const { return options.n_components; }
};

BaselineFit fit_svd(const Task& task);
BaselineFit fit_pca(const Task& task);
BaselineFit fit_ppca(const Task& task);
BaselineFit fit_factor_analysis(const Task& task);
BaselineFit fit_nmf(const Task& task);
BaselineFit fit_parafac(const Task& task);
BaselineFit fit_parafac_nonnegative(const Task& task);
BaselineFit fit_tucker(const Task& task);
enum class Sign { any, nonnegative };
BaselineFit fit_slicetca_1(const Task& task, Sign sign);
BaselineFit fit_slicetca_2(const Task& task, Sign sign);
BaselineFit fit_sibblings(const Task& task);

/// The best result of several starts, none of which begins after the time limit. run(start, random, descent)
/// returns what it found; the start with the least objective is kept, and `fit` told how it ended.
template <class Run>
auto best_of_starts(const Task& task, double energy, BaselineFit& fit, const Run& run) {
  decltype(run(0, std::declval<Random&>(), std::declval<Descent&>())) best;
  double least = std::numeric_limits<double>::infinity();
  for (int start = 0; start < task.options.restarts; ++start) {
    if (start > 0 && task.clock.why_over()) {
      fit.notes.push_back(fmt::format("{} of {} starts within the time limit", start, task.options.restarts));
      break;
    }
    Random random(task.options.seed, static_cast<std::uint64_t>(start));
    Descent descent(task.options, task.clock, energy);
    auto found = run(start, random, descent);
    if (descent.last() >= least) continue;
    least = descent.last();
    best = std::move(found);
    set_outcome(descent, fit);
  }
  return best;
}

/// Throws TooManyComponents if there are more components than `largest`, which is the number of `what`.
void require_at_most(const Task& task, Index largest, const std::string& what);

/// Sets the model: components N x P that all trials share, and traces P x T_m. Memberships are scaled to an
/// absolute sum of one, traces, ridge and shapes with them; the largest membership becomes positive.
void set_components(const Task& task, const Matrix& components, std::vector<Matrix> traces, BaselineFit& fit);

/// The same with a set of components per option of `category`.
void set_variants(const Task& task, Category category, std::vector<Matrix> variants,
                  std::vector<Matrix> traces, BaselineFit& fit);

/// A method that finds traces at each time point by itself, and has no ridge of its own, gets that of its
/// noise.
void set_usual_ridge(const TrialSource& trials, BaselineFit& fit);

}  // namespace milcci::baselines
