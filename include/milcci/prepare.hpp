// From trials as they were recorded to trials as they will be fitted: labels made of numbers,
// trials left out, values smoothed and scaled. Every step is kept in the history of the trials.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "milcci/field.hpp"
#include "milcci/trials.hpp"

namespace milcci {

/// Cuts a column of numbers into bins 1, 2, ..., which become a new column NAME_bin beside it.
struct BinLabel {
  std::string column;
  /// Increasing; a value belongs to the bin above the last edge that it reaches.
  std::vector<double> edges = {};
  /// In place of edges: this many bins with about equally many trials each.
  int n_quantiles = 0;
};

/// Numbers the blocks of a column, such as the prior of a stimulus: stretches of trials with one value are 1,
/// 2, ... in a new column NAME_block. Trials without a value are in none, and end none.
struct BlockLabel {
  std::string column;
};

/// Leaves out trials by their label.
struct DropTrials {
  std::string column;
  /// Empty: those whose label is missing.
  std::vector<std::string> values = {};
};

/// Smooths every channel within its trial by a Gaussian; gaps stay, and do not count.
struct SmoothStep {
  /// In the unit of time, or in samples if the trials have no times.
  double sigma = 1.0;
  /// How much of the Gaussian is used, half on either side. 0: ten times sigma, as the paper does.
  double window = 0.0;
};

enum class ScaleMethod {
  sqrt,    ///< square root, for counts
  log1p,   ///< log(1 + y), for counts over orders of magnitude
  tanh,    ///< as the paper does with firing rates
  zscore,  ///< (y - mean) / standard deviation
  range    ///< (y - minimum) / 99th percentile, the paper's for page views; outliers end above one
};

/// Over which values mean, minimum and so on are taken.
enum class ScaleScope {
  channel,  ///< all values of a channel
  all,      ///< all values
  label     ///< all values of the trials with the same label
};

struct ScaleStep {
  ScaleMethod method = ScaleMethod::zscore;
  ScaleScope scope = ScaleScope::channel;
  std::string column = {};  ///< of the label, if that is the scope
};

/// The steps are taken in this order.
struct PrepareOptions {
  /// Adds the label column `trial_number`: 1, 2, ... in the order of the recording.
  bool number_trials = false;
  std::vector<BinLabel> bin_label = {};
  std::vector<BlockLabel> block_label = {};
  std::vector<DropTrials> drop_trials = {};
  std::optional<SmoothStep> smooth = {};
  /// One after the other.
  std::vector<ScaleStep> scale = {};
};

/// The steps. The placeholders are how `parse_bin_label` and so on want them written.
template <OptionsOf<PrepareOptions> Options, class Visitor>
void visit_fields(Options&& o, Visitor&& visit) {
  visit(Field{.name = "number_trials",
              .help = "add the label column trial_number: 1, 2, ... in the order of the recording"},
        o.number_trials);
  visit(Field{.name = "bin_label",
              .help = "add the label column NAME_bin: the numbers of NAME cut at these edges, or into bins "
                      "with equally many trials",
              .placeholder = "NAME=EDGE,...|quantiles:COUNT"},
        o.bin_label);
  visit(Field{.name = "block_label",
              .help = "add the label column NAME_block: 1, 2, ..., one more wherever NAME changes from trial "
                      "to trial",
              .placeholder = "NAME"},
        o.block_label);
  visit(Field{.name = "drop_trials",
              .help = "leave out the trials whose label NAME is missing, or has one of these values",
              .placeholder = "NAME[=VALUE,...]"},
        o.drop_trials);
  visit(Field{.name = "smooth",
              .help = "smooth every channel within its trials by a Gaussian of this width, in the unit of "
                      "time (in samples without times); of the Gaussian, WINDOW is used (default 10 SIGMA)",
              .placeholder = "SIGMA[:WINDOW]"},
        o.smooth);
  visit(Field{.name = "scale",
              .help = "scale the values: sqrt, log1p, tanh, zscore or range (minimum to 99th percentile); "
                      "zscore and range within each channel (the default), over all values (all), or over "
                      "the trials with the same label (label=NAME). Several are applied one after the other",
              .placeholder = "METHOD[:SCOPE]"},
        o.scale);
}

template <OptionsOf<BinLabel> Options, class Visitor>
void visit_fields(Options&& o, Visitor&& visit) {
  visit(Field{.name = "column", .help = "label column with numbers"}, o.column);
  visit(Field{.name = "edges", .help = "where to cut, increasing"}, o.edges);
  visit(
      Field{
          .name = "n_quantiles", .help = "in place of edges: bins with equally many trials", .maximum = 1000},
      o.n_quantiles);
}
template <OptionsOf<BlockLabel> Options, class Visitor>
void visit_fields(Options&& o, Visitor&& visit) {
  visit(Field{.name = "column", .help = "label column"}, o.column);
}
template <OptionsOf<DropTrials> Options, class Visitor>
void visit_fields(Options&& o, Visitor&& visit) {
  visit(Field{.name = "column", .help = "label column"}, o.column);
  visit(Field{.name = "values", .help = "of the trials to leave out; none: those without a label"}, o.values);
}
template <OptionsOf<SmoothStep> Options, class Visitor>
void visit_fields(Options&& o, Visitor&& visit) {
  visit(Field{.name = "sigma",
              .help = "width of the Gaussian, in the unit of time",
              .maximum = kUnlimited,
              .excludes_minimum = true},
        o.sigma);
  visit(Field{.name = "window", .help = "what is used of it; 0: ten times sigma", .maximum = kUnlimited},
        o.window);
}
template <OptionsOf<ScaleStep> Options, class Visitor>
void visit_fields(Options&& o, Visitor&& visit) {
  visit(Field{.name = "method", .help = "how the values are scaled"}, o.method);
  visit(Field{.name = "scope", .help = "over which values mean, minimum and so on are taken"}, o.scope);
  visit(Field{.name = "column", .help = "label column of the scope label"}, o.column);
}

/// "NAME=EDGE,EDGE,..." or "NAME=quantiles:COUNT". These throw Error(bad_option) that quotes the text.
BinLabel parse_bin_label(const std::string& text);
/// "NAME" (missing) or "NAME=VALUE,VALUE,...".
DropTrials parse_drop_trials(const std::string& text);
/// "SIGMA" or "SIGMA:WINDOW".
SmoothStep parse_smooth(const std::string& text);
/// "METHOD" or "METHOD:SCOPE", where a scope is channel, all or label=NAME.
ScaleStep parse_scale(const std::string& text);

const std::vector<std::string>& value_names(ScaleMethod);
const std::vector<std::string>& value_names(ScaleScope);

/// One sentence per violated constraint; empty if valid.
std::vector<std::string> violations(const PrepareOptions& options);

/// Does what the options say and returns what was done, a sentence per step with its counts. Throws
/// Error(bad_option) for columns that are not there or do not suit, Error(bad_input) for values that a step
/// cannot take.
std::vector<std::string> prepare(Trials& trials, const PrepareOptions& options);

/// Does to trials that were not prepared what was done to those of a fit, by the fit's history, and returns
/// what was done. Where a step took its numbers from the data (zscore, range, quantiles), other trials than
/// those of the fit would be given others: Error(bad_input) unless the result has `fingerprint`, that of the
/// fit. Trials that were prepared stay as they are; Error(bad_input) if values were not scaled or smoothed as
/// in the fit.
std::vector<std::string> prepare_as_fitted(Trials& trials, const std::vector<std::string>& history,
                                           const std::string& fingerprint);

}  // namespace milcci
