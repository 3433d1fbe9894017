// Which trials belong together, and which of their samples: the groups and the time grid of a trace summary.
#pragma once

#include <string>
#include <vector>

#include "milcci/model.hpp"

namespace milcci {

/// Trials by the values of some labels.
struct Grouping {
  std::vector<std::vector<std::string>> values;  ///< per group, one per label
  std::vector<int> of_trial;                     ///< -1: a label is missing
};

/// By the options of categories, as they were fitted, or by label columns: numbers ascending, texts
/// alphabetical. Throws Error(bad_option).
Grouping group_trials(const Model& model, const std::vector<std::string>& by);

/// One grid for all trials.
struct TimeGrid {
  Vector times;
  bool is_from_start = false;
  std::vector<std::vector<Index>> place;  ///< [trial][sample] on the grid
};

/// Samples of different trials that are nearer than half a step are at the same time.
TimeGrid make_time_grid(const Model& model);

}  // namespace milcci
