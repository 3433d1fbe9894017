// Traces by label: what a component does over time in the trials that share a value of a label, fitted or
// not, and whether two values differ by more than chance.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "milcci/field.hpp"
#include "milcci/files.hpp"
#include "milcci/model.hpp"

namespace milcci {

struct TraceSummaryOptions {
  /// Label columns or categories; trials are grouped by the combinations of their values.
  std::vector<std::string> by = {};
  /// Two values of the one label in `by` to compare; empty: none.
  std::vector<std::string> between = {};
  /// Share of the trials between `low` and `high`.
  double interval = 0.8;
  int permutations = 1000;
  std::uint64_t seed = 1234;
};

template <OptionsOf<TraceSummaryOptions> Options, class Visitor>
void visit_fields(Options&& o, Visitor&& visit) {
  visit(Field{.name = "by",
              .help = "label column or category; of several, all combinations",
              .placeholder = "LABEL"},
        o.by);
  visit(Field{.name = "between",
              .help = "two values of the label, to tell their difference from chance",
              .placeholder = "VALUE"},
        o.between);
  visit(Field{"interval", "", "share of the trials that the interval holds at each time point", 0.01, 0.99},
        o.interval);
  visit(Field{"permutations", "", "shuffles of the labels of the trials, for `between`", 20, 1e6},
        o.permutations);
  visit(Field{"seed", "", "of these shuffles", 0, 9.1e18}, o.seed);
}

/// Trials by the values of some labels.
struct TrialGroups {
  std::vector<std::vector<std::string>> values;  ///< per group, one per label
  std::vector<int> of_trial;                     ///< -1: a label is missing
};

/// By the options of categories, as they were fitted, or by label columns: numbers ascending, texts
/// alphabetical. Only combinations that trials have. Throws Error(bad_option).
TrialGroups group_trials(const Model& model, const std::vector<std::string>& by);

/// The traces of all trials on one grid of times. Samples of different trials that are nearer than half a
/// usual step are at the same time; of two samples of one trial there it is the mean.
struct AlignedTraces {
  Vector times;
  double step = 1;             ///< the usual one; between times that no trial has there may be more
  bool is_from_start = false;  ///< trials follow each other in time: each begins at zero here
  std::vector<Matrix> traces;  ///< per trial, component x time point; NaN where it has no sample
};
AlignedTraces align_traces(const Model& model);

/// The trials that share a value of every label in `by`. Matrices are component x time point, NaN where no
/// trial of the group has a sample.
struct TraceGroup {
  std::vector<std::string> values;  ///< one per label
  std::size_t n_trials = 0;
  std::vector<Index> n;       ///< trials with a sample, per time point
  Matrix mean, low, high;     ///< over trials
  Matrix standard_error;      ///< of the mean; NaN of a single trial
  Vector peak, time_of_peak;  ///< per component: the mean where it is farthest from zero
  Vector area;                ///< per component: integral of the mean over time
};

/// Mean of the first value less that of the second, per component and time point.
struct TraceDifference {
  Matrix difference;
  /// As far from zero as a difference is by chance: in 95 % of the shuffles it is nowhere beyond.
  Matrix band;
  Vector p;  ///< per component: share of the shuffles with a difference as large, anywhere
};

struct TraceSummary {
  TraceSummaryOptions options;
  Vector times;
  double step = 1;  ///< as in `AlignedTraces`
  bool is_from_start = false;
  std::size_t n_left_out = 0;  ///< trials without a value of a label
  std::vector<TraceGroup> groups;
  std::optional<TraceDifference> difference;
  /// The components' names and places, as in the model.
  struct Component {
    std::string category;
    Index number = 0;  ///< within the category, from 0
    bool is_dead = false;
    /// The label, or one of them, is what the component was fitted to: its traces then belong to different
    /// variants, and shuffles say nothing about the fit.
    bool is_of_label = false;
  };
  std::vector<Component> components;
};

/// Throws Error(bad_option) for labels and values that the model does not know, or that are too many.
TraceSummary summarise_traces(const Model& model, const TraceSummaryOptions& options);

/// A table per component.
std::string to_text(const TraceSummary& summary);
/// See docs/command-line.md, `traces --json`.
std::string to_json(const TraceSummary& summary);
/// A row per component, group and time point (CSV). Rows of the first value of `between` have the difference,
/// its band and p, too. Labels with the name of another column are called "label_" and their name.
void write_table(const std::string& path, const TraceSummary& summary, Overwrite overwrite = Overwrite::no);

}  // namespace milcci
