// Score a model: against the data it was fitted to, and against the truth where the trials carry one.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "milcci/model.hpp"
#include "milcci/trials.hpp"

namespace milcci {

struct CorrelationSummary {
  double mean = 0, min = 0, p05 = 0;
};

/// Which of the model's components a true one is under one option.
struct MatchedOption {
  std::string option;
  Index estimate = 0;
};

/// How one true component was found again.
struct MatchedComponent {
  Index truth = 0;  ///< position among the true components
  /// Position among the model's, -1 if the model has fewer. Where the match differs between options, the one
  /// of most trials; no two matches share one.
  Index estimate = -1;
  std::string true_category, estimated_category;
  double component_correlation = 0;  ///< mean over options
  double trace_correlation = 0;      ///< mean over trials
  /// Found in a category of kind free: its variants are not tied to one another, so every option is matched
  /// by itself. Empty otherwise.
  std::vector<MatchedOption> per_option = {};
};

struct TruthComparison {
  CorrelationSummary component_correlation;  ///< one Pearson correlation per component and option
  CorrelationSummary trace_correlation;      ///< one per component and trial
  bool same_category = false;                ///< every true component was found in its own category
  std::vector<MatchedComponent> matches;
};

struct Evaluation {
  double r2 = 0;              ///< over observed entries, about each channel's mean
  double relative_error = 0;  ///< squared error over squared data, observed entries
  double sparsity = 0;        ///< share of memberships that are exactly zero
  std::vector<Index> dead_components;
  std::optional<TruthComparison> truth;
};

/// Throws Error(bad_input) if the model was not fitted to trials of this shape.
Evaluation evaluate(const Model& model, const Trials& trials);

std::string to_json(const Evaluation& evaluation);
/// A table for people.
std::string to_table(const Evaluation& evaluation);

}  // namespace milcci
