// From what the user asks of a category to what the data hold of it: options, the option of every trial,
// graph.
#pragma once

#include <vector>

#include "milcci/labels.hpp"
#include "milcci/trial_source.hpp"

namespace milcci {

/// Resolves every category against the trials' labels. Throws Error(bad_input) for a column that is not
/// there, a label missing in a trial, text where numbers are needed, or an option the user's graph lacks.
std::vector<Category> resolve_categories(const std::vector<CategorySpec>& specs, const TrialSource& trials);

/// The numbers (ordinal kinds) a trial has in the category's label columns, after `order` and trial number.
/// Used by `transform` for values never seen in the fit.
Eigen::RowVectorXd label_point(const CategorySpec& spec, const TrialSource& trials, std::size_t trial);

/// The name of a trial's option: texts as they are, numbers in shortest form, several columns joined by ", ".
std::string option_name(const CategorySpec& spec, const TrialSource& trials, std::size_t trial);

/// The upper edges of quantile bins of an ordinal category: increasing numbers, one fewer than bins.
std::vector<double> bin_edges(const CategorySpec& spec, const TrialSource& trials);
/// The first bin whose edge is not below the value; the last one has no edge.
int bin_of(const std::vector<double>& edges, double value);

}  // namespace milcci
