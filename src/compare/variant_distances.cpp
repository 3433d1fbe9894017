#include "compare/variant_distances.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "util/columns.hpp"
#include "util/percentile.hpp"
#include "util/random.hpp"

namespace milcci {
namespace {

// Pairs are quadratic in them.
constexpr std::size_t kMostConditions = 100, kMostOptions = 100;

// The loading of every combination of options that a trial has, or of some of them at random; columns have
// length one, or are zero.
std::vector<Matrix> conditions_of(const Model& model) {
  std::map<std::vector<int>, std::size_t> first_trial;
  for (std::size_t m = 0; m < model.n_trials(); ++m) {
    std::vector<int> label;
    for (const FittedCategory& fitted : model.categories) label.push_back(fitted.category.option_of_trial[m]);
    first_trial.try_emplace(label, m);
  }
  std::vector<std::size_t> trials;
  for (const auto& [label, m] : first_trial) trials.push_back(m);
  Random random(0, 0);
  for (std::size_t last = trials.size(); last-- > 1;)
    std::swap(trials[last], trials[static_cast<std::size_t>(random.below(static_cast<Index>(last) + 1))]);
  trials.resize(std::min(trials.size(), kMostConditions));
  std::vector<Matrix> conditions;
  for (const std::size_t m : trials) {
    conditions.push_back(model.loading(m));
    normalise_columns(conditions.back());
  }
  return conditions;
}

DistanceSummary summary_of(const std::vector<double>& distances) {
  DistanceSummary summary;
  summary.n_pairs = distances.size();
  if (distances.empty()) return summary;
  for (const double distance : distances) summary.mean += distance / static_cast<double>(distances.size());
  for (const double share : {0.05, 0.25, 0.5, 0.75, 0.95})
    summary.quantiles.push_back(percentile(distances, share));
  return summary;
}

void add(const Eigen::Ref<const Vector>& a, const Eigen::Ref<const Vector>& b,
         std::vector<double>& distances) {
  if (!a.isZero(0) && !b.isZero(0)) distances.push_back((a - b).norm());
}

// Of each component, over pairs of options that trials have; of many options, some at even distances.
std::vector<double> distances_of_variants(const Model& model) {
  std::vector<double> distances;
  for (const FittedCategory& fitted : model.categories) {
    const std::set<int> distinct(fitted.category.option_of_trial.begin(),
                                 fitted.category.option_of_trial.end());
    const std::vector<int> options(distinct.begin(), distinct.end());
    const std::size_t n_chosen = std::min(options.size(), kMostOptions);
    std::vector<Matrix> variants;
    for (std::size_t i = 0; i < n_chosen; ++i) {
      const int option = options[n_chosen > 1 ? i * (options.size() - 1) / (n_chosen - 1) : 0];
      variants.push_back(fitted.variants[static_cast<std::size_t>(option)]);
      normalise_columns(variants.back());
    }
    for (std::size_t i = 0; i < variants.size(); ++i)
      for (std::size_t k = i + 1; k < variants.size(); ++k)
        for (Index j = 0; j < fitted.n_components(); ++j)
          add(variants[i].col(j), variants[k].col(j), distances);
  }
  return distances;
}

}  // namespace

VariantDistances variant_distances(const Model& model) {
  const std::vector<Matrix> conditions = conditions_of(model);
  std::vector<double> within, across;
  const Index P = model.n_components();
  for (std::size_t c = 0; c < conditions.size(); ++c)
    for (std::size_t d = c; d < conditions.size(); ++d)
      for (Index j = 0; j < P; ++j)
        for (Index l = c == d ? j + 1 : 0; l < P; ++l)
          if (l != j) add(conditions[c].col(j), conditions[d].col(l), c == d ? within : across);
  return {summary_of(distances_of_variants(model)), summary_of(within), summary_of(across)};
}

}  // namespace milcci
