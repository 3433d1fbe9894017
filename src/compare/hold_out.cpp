#include "compare/hold_out.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "label_graphs/categories.hpp"
#include "util/random.hpp"

namespace milcci {

HeldOut hold_out(const TrialSource& trials, const std::vector<CategorySpec>& categories, double share,
                 std::uint64_t seed) {
  std::vector<std::vector<int>> labels(trials.n_trials());
  for (const Category& category : resolve_categories(categories, trials)) {
    if (category.spec.kind == CategoryKind::trial_number) continue;  // every trial has its own
    for (std::size_t m = 0; m < labels.size(); ++m) labels[m].push_back(category.option_of_trial[m]);
  }
  std::vector<std::size_t> order(trials.n_trials());
  std::iota(order.begin(), order.end(), std::size_t{0});
  Random random(seed, 0);
  for (std::size_t last = order.size(); last-- > 1;)
    std::swap(order[last], order[static_cast<std::size_t>(random.below(static_cast<Index>(last) + 1))]);
  // Trials of one label side by side, in random order; then one in so many of them.
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return labels[a] < labels[b]; });
  HeldOut split;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const double before = std::floor(share * static_cast<double>(i) + 0.5),
                 after = std::floor(share * static_cast<double>(i + 1) + 0.5);
    (after > before ? split.test : split.train).push_back(order[i]);
  }
  if (split.test.empty() && split.train.size() > 1) {
    split.test.push_back(split.train.back());
    split.train.pop_back();
  }
  if (split.train.empty() && split.test.size() > 1) {
    split.train.push_back(split.test.back());
    split.test.pop_back();
  }
  std::sort(split.train.begin(), split.train.end());
  std::sort(split.test.begin(), split.test.end());
  return split;
}

}  // namespace milcci
