// Two fits compared: which component of one is which of the other, how alike they are, and which of them
// changed their category. Fits with several seeds that agree are worth more than one.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "milcci/evaluate.hpp"
#include "milcci/model.hpp"

namespace milcci {

/// A component of the first model and the one of the second that is most like it.
struct ComparedComponent {
  Index first = 0, second = -1;  ///< positions; -1 if the other model has fewer
  std::string first_category, second_category;
  double component_correlation = 0;  ///< mean over trials, or options, of that of the memberships
  double trace_correlation = 0;      ///< mean over trials; NaN if the models are of different trials

  /// Whether it is about the same component in both.
  bool is_alike() const { return second >= 0 && component_correlation >= 0.9; }
};

struct ModelComparison {
  double first_r2 = 0, second_r2 = 0;
  std::optional<double> first_objective, second_objective;
  bool has_same_data = false;    ///< by their fingerprints
  bool has_same_trials = false;  ///< as many, of the same lengths and names: traces are comparable
  std::size_t n_channels = 0;    ///< that both have
  CorrelationSummary component_correlation;  ///< over matched components
  CorrelationSummary trace_correlation;      ///< NaN where traces are not comparable
  std::size_t n_alike = 0, n_other_category = 0;
  std::vector<ComparedComponent> matches;  ///< one per living component of the first model
  std::vector<Index> only_second;          ///< living components of the second without a match
};

/// Components are matched by the optimal assignment of correlations between memberships, over the channels
/// that both models have and in pairs of options that occur together in trials. For models of different
/// trials, options of the same name are compared. Throws Error(bad_input) if fewer than two channels are in
/// both.
ModelComparison compare_models(const FitResult& first, const FitResult& second);

std::string to_json(const ModelComparison& comparison);
/// A table for people.
std::string to_table(const ModelComparison& comparison);

}  // namespace milcci
