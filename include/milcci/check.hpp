// A look at trials before they are fitted: what was understood, how the labels are arranged, and what may go
// wrong, each with what to do about it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "milcci/labels.hpp"
#include "milcci/options.hpp"
#include "milcci/trial_source.hpp"

namespace milcci {

/// The numbers themselves. Shares are of all values, observed or not.
struct ValueCheck {
  double minimum = 0, maximum = 0, mean = 0;  ///< of what was observed
  double zero_share = 0, missing_share = 0;
  bool are_counts = false;                           ///< whole numbers, none below zero
  std::vector<std::string> constant;                 ///< channels with one value
  std::vector<std::string> never_observed;           ///< channels without a value
  std::vector<std::string> constant_in_trials;       ///< channels that change from trial to trial only
  std::vector<std::vector<std::string>> duplicates;  ///< channels with the same values, constant ones apart
  double scale_ratio = 1;  ///< largest over smallest standard deviation of a channel that is not constant
  std::string largest_channel;  ///< of most variance, and its share of that of all channels
  double largest_share = 0;
  /// Values that stand out from both neighbours in time by more than six times what is usual in their
  /// channel: their share, and the share of the variance that they hold.
  double outlier_share = 0, outlier_energy = 0;
  /// A value such as -999 that stands apart from all others and may mark what is missing, and how often it
  /// occurs; 0 times if there is none.
  double sentinel = 0;
  std::size_t n_sentinels = 0;
  /// Channels that stay away from zero, by more than two standard deviations; the one farthest away, and by
  /// how many.
  std::vector<std::string> with_baseline;
  std::string farthest_channel;
  double farthest = 0;
  /// Channels that are below zero beyond what noise would make, and the share that values below zero hold
  /// of the squares of all values.
  std::vector<std::string> negative;
  double negative_energy = 0;
};

/// A channel without a value in any trial of an option.
struct Unseen {
  std::string channel, category, option;
};

/// Trials that have the same channels.
struct SessionCheck {
  std::size_t n_trials = 0, n_channels = 0;
};

/// Pairs of channels that were never observed at the same time point.
struct TogetherCheck {
  std::size_t n_pairs = 0, n_apart = 0;  ///< of channels with any value; those never observed together
  std::size_t n_parts = 1;               ///< groups of channels that nothing ties to one another
  std::vector<SessionCheck> sessions;    ///< if pairs are apart because of them
  std::size_t n_tying = 0;               ///< fewest channels that a session shares with others
};

/// Where values are missing.
struct GapCheck {
  std::size_t n_channels = 0, n_trials = 0;  ///< with at least one missing value
  std::size_t n_empty_pairs = 0;             ///< pairs of trial and channel without a value
  std::size_t n_empty_times = 0;             ///< time points without a value
  std::string worst_channel;                 ///< and the share of its values that are missing
  double worst_channel_share = 0;
  std::size_t worst_trial = 0;  ///< from 0
  double worst_trial_share = 0;
  std::vector<Unseen> unseen;
  TogetherCheck together;
};

/// The time axis; without time stamps all steps are 1.
struct TimeCheck {
  bool has_times = false;
  double first = 0, last = 0;  ///< over all trials
  double min_step = 1, max_step = 1;
  Index min_length = 0, max_length = 0, n_samples = 0;
};

struct OptionCount {
  std::string name;
  std::size_t n_trials = 0;
};

/// What a label column, or a category that was asked for, is good for.
enum class LabelUse {
  category,    ///< several options, several trials each
  per_trial,   ///< another value in (nearly) every trial: a name, a remark, or a clock
  constant,    ///< the same value in every trial
  incomplete,  ///< trials without a value
};

struct LabelCheck {
  LabelUse use = LabelUse::category;
  /// As asked for, or as suggested by the values: text is categorical, numbers are ordinal, many numbers are
  /// binned.
  CategorySpec spec;
  std::size_t n_missing = 0;
  std::vector<OptionCount> options;
};

/// How two categories divide the trials.
enum class Relation {
  crossed,          ///< told apart well
  associated,       ///< Cramer's V is high
  identical,        ///< the same groups of trials under two names
  first_in_second,  ///< the first tells the second
  second_in_first,
};

struct PairCheck {
  std::string first, second;
  Relation relation = Relation::crossed;
  double cramers_v = 0;  ///< 0 unrelated to 1 one tells the other; corrected for the number of trials
  std::size_t n_cells = 0, n_empty = 0;
};

/// One combination of options, an option per category of the design.
struct DesignCell {
  std::vector<std::string> options;
  std::size_t n_trials = 0;
};

struct Finding {
  std::string text;         ///< what was found, and why it matters
  std::string advice;       ///< what to do, with what to type
  std::string option = {};  ///< of `fit` or `prepare` that the advice sets, if there is one for it
};

struct Check {
  std::size_t n_trials = 0, n_channels = 0;
  TimeCheck time;
  ValueCheck values;
  GapCheck gaps;
  std::vector<LabelCheck> labels;
  std::vector<std::string> categories;  ///< labels of use `category`: what the design is made of
  std::vector<PairCheck> pairs;         ///< of those
  std::vector<DesignCell> cells;        ///< combinations that trials have
  std::size_t n_cells = 0;              ///< combinations there could be, or SIZE_MAX if more
  std::uint64_t memory_bytes = 0;       ///< about what a fit takes
  double fit_seconds = 0;               ///< on this machine, within a factor of about two
  std::vector<Finding> findings;
  std::string suggestion;  ///< options for `fit`, to begin with
};

/// Examines these categories, or all label columns if none is given. Throws Error(bad_input) as
/// `fit` would.
Check check(const TrialSource& trials, const std::vector<CategorySpec>& categories = {});

/// What `check` would say of trials and categories that a fit with these options does not say itself, and
/// that the options do not already take care of. A few passes over the values.
std::vector<Finding> find_before_fit(const TrialSource& trials, const FitOptions& options);

/// The part of a check that looks at the numbers; a few passes over them.
ValueCheck check_values(const TrialSource& trials);
/// What of the numbers a plain fit does not expect: outliers, low counts, baselines, a channel that outweighs
/// the others. Each with the option that helps, so that those already set can be left out.
std::vector<Finding> find_unusual(const ValueCheck& values);

std::string to_text(const Check& check);
std::string to_json(const Check& check);

}  // namespace milcci
