// What may go wrong, why it matters, and what to type.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "check/stages.hpp"
#include "core/some_names.hpp"
#include "data/check_trials.hpp"

namespace milcci::check_stages {
namespace {

constexpr std::size_t kFewTrials = 3;    // an option with fewer has little evidence of its own
constexpr double kLargeRatio = 100;      // of standard deviations
constexpr double kLargeMissing = 0.5;    // of a channel or a trial
constexpr std::size_t kGroupsShown = 5;  // of channels that are the same
constexpr double kOutlierEnergy = 0.1;   // of the variance, in single values
constexpr double kLowCounts = 0.15;      // events per time point: chance then outweighs most signals
constexpr double kMostVariance = 0.5;    // in one channel,
constexpr double kUnequal = 3;           // if standard deviations differ: one of two has half of it anyway
constexpr double kFewNegative = 0.25;    // of the energy

std::string as_option(const CategorySpec& spec) {
  return fmt::format("`category` = '{}'", to_text(spec));
}

// The fewer events, the more time points it takes to tell a rate. One digit.
double smoothness_for_counts(double mean) {
  constexpr double kOfOneEvent = 10;
  const double wanted = kOfOneEvent / mean, digit = std::pow(10.0, std::floor(std::log10(wanted)));
  return digit * std::round(wanted / digit);
}

class Trouble {
 public:
  Trouble(const Check& check, const ObservedTogether& together, Tell tell)
      : check_(check), together_(together), tells_all_(tell == Tell::everything) {}

  std::vector<Finding> find() {
    for (const LabelCheck& label : check_.labels) look_at(label);
    for (const PairCheck& pair : check_.pairs) look_at(pair);
    look_at_size();
    look_at_channels();
    for (Finding& finding : find_unusual(check_.values)) findings_.push_back(std::move(finding));
    look_at_gaps();
    if (check_.n_trials == 1)
      add("there is one trial: no membership can change from trial to trial",
          "give components that do not adjust: `category` = fixed=2:fixed");
    if (check_.labels.empty() && tells_all_)
      add("the trials have no labels", "give a table with one row per trial: `labels` = labels.csv");
    return std::move(findings_);
  }

 private:
  void add(std::string text, std::string advice) {
    findings_.push_back({std::move(text), std::move(advice)});
  }

  void look_at(const LabelCheck& label) {
    const std::string& name = label.spec.name;
    if (label.spec.kind == CategoryKind::fixed || label.spec.kind == CategoryKind::trial_number) return;
    if (label.use == LabelUse::incomplete)
      add(fmt::format("label {} has no value in {} of {} trials; a category needs one in every trial", name,
                      label.n_missing, check_.n_trials),
          "fill them in or drop those trials, if it is to be a category");
    else if (label.use == LabelUse::constant && tells_all_)
      add(fmt::format("label {} is the same in all trials: nothing can adjust to it", name),
          "leave it out; components that do not adjust are `category` = fixed=2:fixed");
    else if (label.use == LabelUse::per_trial && check_.categories.empty())
      add(fmt::format("label {} is another in nearly every trial or in all", name),
          "leave it out, or give `category` = trial_number=2:trial-number for components that drift from "
          "trial "
          "to trial");
    else if (label.use == LabelUse::category)
      look_at_counts(label);
  }

  void look_at_counts(const LabelCheck& label) {
    std::vector<std::string> few;
    for (const OptionCount& option : label.options)
      if (option.n_trials < kFewTrials) few.push_back(fmt::format("{} x{}", option.name, option.n_trials));
    if (few.empty()) return;
    CategorySpec binned = label.spec;
    binned.bins = std::max(2, static_cast<int>(label.options.size() / 2));
    const bool can_bin =
        label.spec.kind == CategoryKind::ordinal && label.spec.order.empty() && label.spec.columns.size() < 2;
    add(fmt::format("{} of the {} options of {} have fewer than {} trials: {}", few.size(),
                    label.options.size(), label.spec.name, kFewTrials, some_names(few)),
        can_bin ? fmt::format("give {}, or `consistency` = 0.1 so that near options share", as_option(binned))
                : "merge them with others in the labels, or give `consistency` = 0.1 so that options share");
  }

  void look_at(const PairCheck& pair) {
    const auto drop = [](const std::string& keep, const std::string& leave_out) {
      return fmt::format("give `category` for {} alone, without {}", keep, leave_out);
    };
    const auto tells = [&](const std::string& a, const std::string& b) {
      add(fmt::format(
              "{0} is nested in {1}: trials of one {0} all have the same {1} (V = {2:.2f}), so that what "
              "adjusts to {1} could as well adjust to {0}",
              a, b, pair.cramers_v),
          drop(a, b) + ", or the other way round if the finer one is of no interest");
    };
    switch (pair.relation) {
      case Relation::crossed:
        return;
      case Relation::identical:
        return add(fmt::format("{} and {} divide the trials in the same way: their components cannot be told "
                               "apart",
                               pair.first, pair.second),
                   drop(pair.first, pair.second));
      case Relation::first_in_second:
        return tells(pair.first, pair.second);
      case Relation::second_in_first:
        return tells(pair.second, pair.first);
      case Relation::associated:
        return add(fmt::format("{} and {} go together in most trials (Cramer's V = {:.2f}, {} of {} "
                               "combinations without trials): their components are hard to tell apart",
                               pair.first, pair.second, pair.cramers_v, pair.n_empty, pair.n_cells),
                   fmt::format("fit each alone as well and compare; or {}", drop(pair.first, pair.second)));
    }
  }

  void look_at_size() {
    const double largest = std::max(std::abs(check_.values.minimum), std::abs(check_.values.maximum));
    if (tells_all_ && largest > 0 && (largest < kSmallestSize || largest > kLargestSize))
      add(fmt::format(
              "values are up to {:.3g} in size, and a fit refuses what is not between {:.0e} and {:.0e}",
              largest, kSmallestSize, kLargestSize),
          "give the data in another unit");
  }

  void look_at_channels() {
    if (!check_.values.constant_in_trials.empty())
      add(fmt::format(
              "channels that change from trial to trial, but never within one: {}; labels that were read "
              "as channels?",
              some_names(check_.values.constant_in_trials)),
          "name the labels of a table, all of them: `label_columns` = NAME,NAME");
    const ValueCheck& values = check_.values;
    if (!values.never_observed.empty() && tells_all_)
      add(fmt::format("channels without a value: {}", some_names(values.never_observed)),
          "leave them out: `drop_channels` = NAME,NAME");
    if (!values.constant.empty() && tells_all_)
      add(fmt::format("channels that never change: {}; nothing can be learnt of them",
                      some_names(values.constant)),
          "leave them out: `drop_channels` = NAME,NAME");
    for (std::size_t g = 0; g < std::min(values.duplicates.size(), kGroupsShown); ++g)
      add(fmt::format("channels with the same values: {}; together they weigh as much as several",
                      some_names(values.duplicates[g])),
          "keep one of them: `drop_channels` = NAME,NAME");
    if (values.duplicates.size() > kGroupsShown)
      add(fmt::format("{} more groups of channels with the same values",
                      values.duplicates.size() - kGroupsShown),
          "the JSON lists them all");
  }

  void look_at_gaps() {
    const GapCheck& gaps = check_.gaps;
    const ValueCheck& values = check_.values;
    if (values.are_counts && values.zero_share == 0 && values.missing_share > 0)
      add(fmt::format(
              "the values are whole numbers, none is zero, and {:.3g} % are missing: a list of counts "
              "may name only what happened",
              100 * values.missing_share),
          "if what is not listed is zero and not unknown, read the table with `absent` = zero");
    if (gaps.worst_channel_share > kLargeMissing && gaps.worst_channel_share < 1)
      add(fmt::format("channel {} is missing in {:.3g} % of all values, the most of all channels",
                      gaps.worst_channel, 100 * gaps.worst_channel_share),
          "nothing needs filling in; leave the channel out if its memberships are not of interest");
    if (gaps.worst_trial_share > kLargeMissing)
      add(fmt::format("trial {} is missing {:.3g} % of its values, the most of all trials",
                      gaps.worst_trial + 1, 100 * gaps.worst_trial_share),
          "nothing needs filling in; drop the trial if it was a failure");
    if (!gaps.unseen.empty()) {
      std::vector<std::string> where;
      for (const Unseen& unseen : gaps.unseen)
        where.push_back(fmt::format("{} in {} {}", unseen.channel, unseen.category, unseen.option));
      add(fmt::format("channels without a value in any trial of an option: {}; what they would do there is "
                      "unbounded, and a component may lean on it",
                      some_names(where)),
          "leave the channels out (`drop_channels` = NAME,NAME), or give `smoothness` = 0.1 and look at the "
          "traces");
    }
    if (together_.is_noticeable())
      add(describe(together_),
          together_.n_parts > 1 ? "fit every session alone as well; do not read a component's memberships in "
                                  "one session as belonging to those in another"
          : together_.is_loosely_tied()
              ? "fit every session alone as well, and trust only what they agree on in channels they share"
              : "nothing needs filling in; read components that live in one session only with care");
    if (gaps.n_empty_times > 0)
      add(fmt::format("{} time points have no value in any channel: their traces are guesses of the "
                      "smoothness penalty, or zero without it",
                      gaps.n_empty_times),
          "give `smoothness` = 0.1, or leave these time points out of the file");
  }

  const Check& check_;
  const ObservedTogether& together_;
  const bool tells_all_;
  std::vector<Finding> findings_;
};

}  // namespace

std::vector<Finding> find_trouble(const Check& check, const ObservedTogether& together, Tell tell) {
  return Trouble(check, together, tell).find();
}

std::string suggest_options(const Check& check) {
  std::vector<std::string> options;
  for (const LabelCheck& label : check.labels) {
    // Of two names for the same groups, the first.
    const bool is_told = std::any_of(check.pairs.begin(), check.pairs.end(), [&](const PairCheck& pair) {
      return (pair.relation == Relation::identical && pair.second == label.spec.name) ||
             (pair.relation == Relation::first_in_second && pair.second == label.spec.name) ||
             (pair.relation == Relation::second_in_first && pair.first == label.spec.name);
    });
    if (label.use == LabelUse::category && !is_told) options.push_back(as_option(label.spec));
  }
  if (options.empty()) options.emplace_back("`category` = fixed=2:fixed");
  if (check.values.negative.empty() && check.values.negative_energy < kFewNegative)
    options.emplace_back("`nonnegative` = both");
  return fmt::format("{}", fmt::join(options, " "));
}

}  // namespace milcci::check_stages

namespace milcci {

std::vector<Finding> find_unusual(const ValueCheck& values) {
  using namespace check_stages;
  std::vector<Finding> findings;
  const auto add = [&](const char* option, std::string text, std::string advice) {
    findings.push_back({std::move(text), std::move(advice), option});
  };
  if (values.n_sentinels > 0)
    add("missing_value",
        fmt::format(
            "the value {} occurs {} times and stands apart from all others: it may mark what is missing",
            values.sentinel, values.n_sentinels),
        fmt::format("read the file with `missing_value` = {}", values.sentinel));
  else if (values.outlier_energy > kOutlierEnergy)
    add("loss",
        fmt::format(
            "{:.2g} % of the values stand out from their neighbours in time, and hold {:.0f} % of the "
            "variance: a fit of squared errors describes them before anything else",
            100 * values.outlier_share, 100 * values.outlier_energy),
        "give `loss` = huber, which limits what one value can do");
  if (values.are_counts && values.mean > 0 && values.mean < kLowCounts)
    add("smoothness",
        fmt::format("the values are counts of {:.2g} on average: single ones are mostly chance, and a "
                    "component may follow that of one channel",
                    values.mean),
        fmt::format("give `smoothness` = {:.0f}, or smooth them before, as by `smooth` = 3 in milcci prepare",
                    smoothness_for_counts(values.mean)));
  if (!values.with_baseline.empty())
    add("offset",
        fmt::format(
            "channels that stay away from zero: {} ({} the farthest, by {:.1f} standard deviations); without "
            "an offset, components describe where channels rest, and not what they do",
            values.with_baseline.size(), values.farthest_channel, values.farthest),
        "give `offset` = channel");
  const bool has_one_large = values.largest_share > kMostVariance && values.scale_ratio > kUnequal;
  if (has_one_large || values.scale_ratio > kLargeRatio)
    add("scale",
        has_one_large
            ? fmt::format("channel {} has {:.0f} % of the variance of all channels: it rules the fit",
                          values.largest_channel, 100 * values.largest_share)
            : fmt::format("the standard deviations of channels differ by a factor of {:.3g}: the largest "
                          "rule the fit",
                          values.scale_ratio),
        fmt::format("scale the channels before, as by `scale` = {} in milcci fit or prepare",
                    values.are_counts    ? "log1p"
                    : values.minimum < 0 ? "zscore"
                                         : "range"));
  return findings;
}

}  // namespace milcci
