// Synthetic trials with known truth: the paper's synthetic experiment and everything around it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "milcci/labels.hpp"
#include "milcci/options.hpp"
#include "milcci/trials.hpp"

namespace milcci {

enum class Shift { trace, component, none };
enum class MissingPattern { scattered, blocks };
enum class Variation { smooth, independent };
enum class MeanTraces { label, shared };
const std::vector<std::string>& value_names(Shift);
const std::vector<std::string>& value_names(MissingPattern);
const std::vector<std::string>& value_names(Variation);
const std::vector<std::string>& value_names(MeanTraces);

struct SimulatedCategory {
  std::string name;
  int n_components = 2;
  int n_options = 2;  ///< ignored for trial_number (one per trial) and fixed (one)
  CategoryKind kind = CategoryKind::categorical;
  /// Texts of a categorical or free category; default "option1", "option2", ... Ordinals are 1, 2, ...
  std::vector<std::string> option_names = {};
};
/// Reads "NAME=COUNT:OPTIONS[:KIND]"; fixed and trial_number may leave OPTIONS out. Throws Error(bad_option).
SimulatedCategory parse_simulated_category(const std::string& text);

/// Defaults are the paper's synthetic experiment.
struct SimulateOptions {
  std::vector<SimulatedCategory> categories = {
      {"difficulty", 2, 5, CategoryKind::ordinal},
      {"choice", 2, 2, CategoryKind::categorical, {"left", "right"}}};
  int n_channels = 80;
  int n_trials = 250;
  /// Trial lengths are drawn uniformly between the two.
  int min_length = 500, max_length = 500;
  /// Share of memberships cut to zero, per component over its variants (the paper's 60th percentile).
  double zero_share = 0.6;
  /// Memberships (before the cut) and traces of both signs; nothing is shifted then.
  bool is_signed = false;
  /// Variants follow the label graph, or are drawn anew for every option.
  Variation variation = Variation::smooth;
  /// A component's mean trace depends on a label of the trial, or all trials share it.
  MeanTraces traces = MeanTraces::label;
  double amplitude_min = 0.2, amplitude_max = 1.533;       ///< of the trace kernel: variance of a trace
  double length_scale_min = 0.05, length_scale_max = 0.2;  ///< of the trace kernel, in trial lengths
  double perturbation = 0.15;                              ///< sigma between trials of one label
  /// Components whose trace is drawn anew in every trial.
  int n_free_traces = 1;
  /// What is subtracted to make traces non-negative: each trace's minimum, or the component's over all
  /// trials.
  Shift shift = Shift::trace;
  /// Traces of a linear dynamical system whose transition depends on the trial's label, in place of mean
  /// traces; what is said of mean traces above then has no effect, and `shift` moves all traces together.
  bool dynamics = false;
  /// Standard deviation of the noise over that of the data.
  double noise = 0.0;
  /// Standard deviation of the logarithm of the channels' noise levels, whose mean square stays.
  double noise_spread = 0.0;
  /// The noise is smoothed by a Gaussian of this sigma, in samples, and keeps its level.
  double noise_smoothing = 0.0;
  /// The noise alone, without what the components make and without a truth.
  bool pure_noise = false;
  /// What every channel rests on, in standard deviations of the data: from half of this to one and a
  /// half. Of either sign if memberships are.
  double baseline = 0.0;
  /// Poisson counts with this mean per entry; the data are their rate. 0: none.
  double counts = 0.0;
  double outliers = 0.0;  ///< share of entries that are multiplied by `outlier_size`
  double outlier_size = 20.0;
  double missing = 0.0;  ///< share of entries
  MissingPattern missing_pattern = MissingPattern::scattered;
  /// 0 = labels balanced as far as possible; 1 = each option half as likely as the one before.
  double imbalance = 0.0;
  /// Label combinations that no trial has.
  int n_empty_cells = 0;
  std::uint64_t seed = 0;
};

/// Calls visit(Field, member) for every scalar option.
template <OptionsOf<SimulateOptions> Options, class Visitor>
void visit_fields(Options&& o, Visitor&& visit) {
  visit(Field{"n_channels", "N", "channels", 1, 1e7}, o.n_channels);
  visit(Field{"n_trials", "M", "trials", 1, 1e8}, o.n_trials);
  visit(Field{"min_length", "T_m", "shortest trial", 1, 1e8}, o.min_length);
  visit(Field{"max_length", "T_m", "longest trial", 1, 1e8}, o.max_length);
  visit(Field{"zero_share", "", "share of memberships that are zero", 0, 0.999}, o.zero_share);
  visit(Field{"is_signed", "", "components and traces of both signs"}, o.is_signed);
  visit(Field{"variation", "", "variants: smooth along the label graph, or independent"}, o.variation);
  visit(Field{"traces", "", "mean traces: one per option of a label, or one shared by all trials"}, o.traces);
  visit(Field{"amplitude_min", "", "smallest variance of a trace about its level", 0, kUnlimited},
        o.amplitude_min);
  visit(Field{"amplitude_max", "", "largest variance of a trace about its level", 0, kUnlimited},
        o.amplitude_max);
  visit(Field{"length_scale_min", "", "shortest length scale, in trial lengths", 1e-3, 1e3},
        o.length_scale_min);
  visit(Field{"length_scale_max", "", "longest length scale, in trial lengths", 1e-3, 1e3},
        o.length_scale_max);
  visit(Field{"perturbation", "sigma", "spread between trials of one label", 0, kUnlimited}, o.perturbation);
  visit(Field{"n_free_traces", "", "components whose trace is new in every trial", 0, 1e6}, o.n_free_traces);
  visit(Field{"shift", "", "made non-negative by the minimum of each trace, of the component, or not at all"},
        o.shift);
  visit(Field{"dynamics", "", "traces of a linear dynamical system with a known transition for every label"},
        o.dynamics);
  visit(Field{"noise", "", "noise, as a share of the data's standard deviation", 0, kUnlimited}, o.noise);
  visit(Field{"noise_spread", "", "standard deviation of the logarithm of the channels' noise levels", 0, 10},
        o.noise_spread);
  visit(Field{"noise_smoothing", "", "smooth the noise by a Gaussian of this sigma, in samples", 0, 1e4},
        o.noise_smoothing);
  visit(Field{"pure_noise", "", "the noise alone, without components and truth"}, o.pure_noise);
  visit(Field{"baseline", "", "baseline of the channels on average, in standard deviations of the data", 0,
              kUnlimited},
        o.baseline);
  visit(Field{"counts", "", "Poisson counts of this mean, with the data as their rate; 0: none", 0, 1e4},
        o.counts);
  visit(Field{"outliers", "", "share of entries that are multiplied by the outlier size", 0, 1}, o.outliers);
  visit(Field{"outlier_size", "", "what outliers are multiplied by", 1, kUnlimited}, o.outlier_size);
  visit(Field{"missing", "", "share of entries that are missing", 0, 0.99}, o.missing);
  visit(
      Field{"missing_pattern", "", "missing entries: scattered, or blocks of channels for whole time points"},
      o.missing_pattern);
  visit(Field{"imbalance", "", "0 balanced, 1 each option half as likely as the one before", 0, 10},
        o.imbalance);
  visit(Field{"n_empty_cells", "", "label combinations that no trial has", 0, 1e6}, o.n_empty_cells);
  visit(Field{"seed", "", "seed of all random numbers", 0, 1.8e19}, o.seed);
}

/// "paper" or "recording" (the shape of the paper's largest recording). Throws Error(bad_option) otherwise.
SimulateOptions preset(const std::string& name);

/// One sentence per violated constraint; empty if valid.
std::vector<std::string> violations(const SimulateOptions& options);
/// Throws Error(bad_option) that lists all violations.
Trials simulate(const SimulateOptions& options);

}  // namespace milcci
