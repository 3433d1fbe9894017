#include "compare/numbered_trials.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>

namespace milcci {

NumberedTrials numbered_trials(const TrialSource& trials, std::vector<CategorySpec> categories) {
  std::vector<LabelColumn> labels = trials.labels();
  std::string name = "trial number";
  while (trials.find_label(name)) name += "_";
  LabelColumn::Integers numbers(trials.n_trials());
  std::iota(numbers.begin(), numbers.end(), std::int64_t{1});
  bool is_needed = false;
  for (CategorySpec& category : categories) {
    if (category.kind != CategoryKind::trial_number) continue;
    category.kind = CategoryKind::ordinal;
    category.columns = {name};
    is_needed = true;
  }
  if (is_needed) labels.push_back({name, std::move(numbers)});
  return {trials.with_labels(std::move(labels)), std::move(categories)};
}

}  // namespace milcci
