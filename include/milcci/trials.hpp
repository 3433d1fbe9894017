// Trials: what was recorded. M matrices of N channels over time, each with one value per label column.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "milcci/types.hpp"

namespace milcci {

/// One label column: a value per trial. An empty string or a NaN is a missing label.
struct LabelColumn {
  using Texts = std::vector<std::string>;
  using Integers = std::vector<std::int64_t>;
  using Reals = std::vector<double>;

  std::string name;
  std::variant<Texts, Integers, Reals> values;

  std::size_t size() const;
  bool is_numeric() const { return !std::holds_alternative<Texts>(values); }
  bool is_missing(std::size_t trial) const;
  /// The value as text; reals in their shortest form that reads back to the same number.
  std::string text(std::size_t trial) const;
  /// The value as a number. Only for numeric columns.
  double number(std::size_t trial) const;
};

/// The components of one category: variants[i] (N x p_k) belongs to the option named options[i].
struct CategoryComponents {
  std::string name;
  std::vector<std::string> options;
  std::vector<Matrix> variants;

  Index n_components() const { return variants.empty() ? 0 : variants.front().cols(); }
  std::size_t n_options() const { return variants.size(); }
};

/// What simulated trials were made of. Traces are P x T_m, the categories' rows one after the other.
/// The values are the components times the traces, plus the offset, plus noise.
struct Truth {
  std::vector<CategoryComponents> categories;
  std::vector<Matrix> traces;
  /// Per trial P x P, the same for all trials of a label, or empty: phi_t = W phi_{t-1} + noise.
  std::vector<Matrix> transitions = {};
  Vector offset = {};  ///< N: the baseline of every channel, or empty: none
  Vector noise = {};   ///< N: standard deviation of the noise of every channel, or empty: none, or of counts
};

/// What is known of trials besides their values.
struct TrialsInfo {
  std::vector<std::string> channel_names;   ///< N
  std::vector<std::string> channel_groups;  ///< N (brain region, ...), or empty
  std::vector<Vector> times;                ///< per trial T_m increasing time stamps, or empty: unit steps
  std::vector<std::string> trial_names;     ///< M, or empty: trials are known by their number
  std::vector<LabelColumn> labels;          ///< M values each
  std::optional<Truth> truth;               ///< simulated data only
  std::vector<std::string> history;  ///< what was done to the recording, a JSON object per step, oldest first

  /// The label column of this name, or nullptr.
  const LabelColumn* find_label(const std::string& name) const;
};

/// The recording. `fit`, `transform` and `evaluate` check it first and say what is wrong.
struct Trials : TrialsInfo {
  std::vector<Matrix> values;  ///< per trial N x T_m (time point after time point in memory); NaN = missing

  std::size_t n_trials() const { return values.size(); }
  Index n_channels() const { return values.empty() ? 0 : values.front().rows(); }
  Index n_times(std::size_t trial) const { return values[trial].cols(); }
};

}  // namespace milcci
