// The parts of a check, each for one file of this room.
#pragma once

#include <cmath>
#include <vector>

#include "data/observed_together.hpp"
#include "milcci/check.hpp"

namespace milcci::check_stages {

/// Whether values may be missing; always if any is.
inline bool has_gaps(const Eigen::Ref<const Matrix>& values) {
  return !std::isfinite(values.sum());
}

TimeCheck look_at_times(const TrialSource& trials);
/// All but the negative channels, which cost more and tell a fit nothing.
ValueCheck look_at_values(const TrialSource& trials);
/// Minimum must be known.
void look_for_negative_channels(const TrialSource& trials, ValueCheck& out);
/// Outliers and baselines. `deviations` are the channels' standard deviations.
void look_at_shape(const TrialSource& trials, const Vector& deviations, ValueCheck& out);
/// A value that stands apart and may mark what is missing. Minimum and maximum must be known.
void look_for_sentinel(const TrialSource& trials, ValueCheck& out);
GapCheck look_at_gaps(const TrialSource& trials);
/// Channels without a value in any trial of an option, those without any value at all apart.
std::vector<Unseen> find_unseen(const TrialSource& trials, const std::vector<Category>& categories);

/// The labels' part; `resolved` gets the category of every label of use `category`, in their order.
std::vector<LabelCheck> look_at_labels(const TrialSource& trials, const std::vector<CategorySpec>& asked_for,
                                       std::vector<Category>& resolved);

PairCheck compare(const Category& first, const Category& second);
/// Combinations that trials have, in the order of the options.
std::vector<DesignCell> design_cells(const std::vector<Category>& categories, std::size_t n_trials);

/// All that may go wrong, or of that only what a fit does not tell by itself. The rest of the check must be
/// filled in.
enum class Tell { everything, what_a_fit_does_not };
std::vector<Finding> find_trouble(const Check& check, const ObservedTogether& together,
                                  Tell tell = Tell::everything);
/// Flags for `milcci fit`, with two components for every category.
std::string suggest_options(const Check& check);

}  // namespace milcci::check_stages
