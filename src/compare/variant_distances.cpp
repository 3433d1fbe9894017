#include "compare/variant_distances.hpp"

#include <map>
#include <utility>

#include "util/columns.hpp"
#include "util/percentile.hpp"

namespace milcci {
namespace {

constexpr std::size_t kMostConditions = 100;

struct Condition {
  std::vector<int> option_of_component;
  Matrix loading;  // columns of length one, or zero
};

std::vector<Condition> conditions_of(const Model& model) {
  std::map<std::vector<int>, std::size_t> first_trial;
  for (std::size_t m = 0; m < model.n_trials(); ++m) {
    std::vector<int> label;
    for (const FittedCategory& fitted : model.categories) label.push_back(fitted.category.option_of_trial[m]);
    first_trial.try_emplace(label, m);
  }
  const std::size_t step = (first_trial.size() + kMostConditions - 1) / kMostConditions;
  std::vector<Condition> conditions;
  std::size_t i = 0;
  for (const auto& [label, m] : first_trial) {
    if (i++ % step != 0) continue;
    Condition condition{{}, model.loading(m)};
    for (std::size_t k = 0; k < model.categories.size(); ++k)
      condition.option_of_component.insert(condition.option_of_component.end(),
                                           static_cast<std::size_t>(model.categories[k].variants[0].cols()),
                                           label[k]);
    normalise_columns(condition.loading);
    conditions.push_back(std::move(condition));
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

}  // namespace

VariantDistances variant_distances(const Model& model) {
  const std::vector<Condition> conditions = conditions_of(model);
  std::vector<double> same, within, across;
  const auto add = [](const auto& a, const auto& b, std::vector<double>& distances) {
    if (!a.isZero(0) && !b.isZero(0)) distances.push_back((a - b).norm());
  };
  const Index P = model.n_components();
  for (std::size_t c = 0; c < conditions.size(); ++c) {
    const Matrix& A = conditions[c].loading;
    for (Index j = 0; j < P; ++j)
      for (Index l = j + 1; l < P; ++l) add(A.col(j), A.col(l), within);
    for (std::size_t d = c + 1; d < conditions.size(); ++d) {
      const Matrix& B = conditions[d].loading;
      for (Index j = 0; j < P; ++j) {
        const auto k = static_cast<std::size_t>(j);
        if (conditions[c].option_of_component[k] != conditions[d].option_of_component[k])
          add(A.col(j), B.col(j), same);
        for (Index l = 0; l < P; ++l)
          if (l != j) add(A.col(j), B.col(l), across);
      }
    }
  }
  return {summary_of(same), summary_of(within), summary_of(across)};
}

}  // namespace milcci
