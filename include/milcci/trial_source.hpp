// Where trials come from. Everything that reads trials takes a TrialSource, and asks it for one trial at a
// time: they may be matrices of this program, memory that belongs to somebody else, or some trials of
// another source. A recording larger than memory can be one more TrialStore.
//
//   const std::vector<float> samples = ...;  // 500 trials of 200 time points and 64 channels, C order
//   std::vector<BorrowedTrial> trials;
//   for (Index m = 0; m < 500; ++m)
//     trials.push_back({.values = samples.data() + m * 200 * 64, .n_times = 200, .time_stride = 64});
//   const TrialSource source = borrow_trials(64, trials, {.channel_names = ..., .labels = ...});
//   const FitResult whole = fit(source, options);
//   const FitResult resampled = fit(source.some_trials({3, 3, 141, ...}), options);  // no value is copied
#pragma once

#include <cstddef>
#include <memory>
#include <variant>
#include <vector>

#include "milcci/trials.hpp"
#include "milcci/types.hpp"

namespace milcci {

/// Memory of the caller, used where values cannot be read in place.
struct TrialBuffer {
  Matrix doubles;
  Eigen::MatrixXf floats;
};

/// Y_m, N x T_m, in place, time point after time point. NaN = missing.
struct TrialValues {
  std::variant<const double*, const float*> values;  ///< as they are stored
  Index n_channels = 0, n_times = 0;

  /// nullptr if they are of the other kind.
  const double* doubles() const;
  const float* floats() const;
  /// In double; floats are converted into the buffer.
  Eigen::Map<const Matrix> in_double(TrialBuffer& buffer) const;
  /// Calls action(y) with a map of the matrix, of doubles or of floats.
  template <class Action>
  decltype(auto) visit(Action&& action) const;
};

/// What keeps the values of trials, all of the same channels.
class TrialStore {
 public:
  virtual ~TrialStore() = default;
  virtual std::size_t n_trials() const = 0;
  virtual Index n_channels() const = 0;
  virtual Index n_times(std::size_t trial) const = 0;
  virtual bool is_float(std::size_t trial) const = 0;
  /// Valid as long as the store and until the buffer is used again. Called by many threads at once, each with
  /// a buffer of its own.
  virtual TrialValues values(std::size_t trial, TrialBuffer& buffer) const = 0;
  /// The trial will be asked for soon: the time to begin reading it.
  virtual void will_need(std::size_t trial) const;
};

/// One trial in memory that belongs to somebody else: channel n at time point t is values[n *
/// channel_stride + t * time_stride]. It is read in place if channels are adjacent and time points
/// follow one another (strides 1 and N: C-ordered time x channel, F-ordered channel x time).
/// Otherwise every pass copies it, trial by trial, into a buffer.
struct BorrowedTrial {
  std::variant<const double*, const float*> values;
  Index n_times = 0;
  Index time_stride = 0;
  Index channel_stride = 1;
};

/// Trials with all that is known of them. A handle: copies share the values.
class TrialSource {
 public:
  /// Refers to the trials, which must outlive it. Throws Error(bad_input) if their channels differ in number.
  TrialSource(const Trials& trials);
  /// Takes the trials.
  TrialSource(Trials&& trials);
  TrialSource(std::shared_ptr<const TrialStore> store, TrialsInfo info);

  std::size_t n_trials() const { return store_->n_trials(); }
  Index n_channels() const { return store_->n_channels(); }
  Index n_times(std::size_t trial) const { return store_->n_times(trial); }
  bool is_float(std::size_t trial) const { return store_->is_float(trial); }
  const std::vector<std::string>& channel_names() const { return info_->channel_names; }
  const std::vector<std::string>& channel_groups() const { return info_->channel_groups; }
  const std::vector<Vector>& times() const { return info_->times; }
  const std::vector<std::string>& trial_names() const { return info_->trial_names; }
  const std::vector<LabelColumn>& labels() const { return info_->labels; }
  const LabelColumn* find_label(const std::string& name) const { return info_->find_label(name); }
  const std::optional<Truth>& truth() const { return info_->truth; }
  const std::vector<std::string>& history() const { return info_->history; }

  /// As they are stored. The buffer is used only where a copy cannot be avoided.
  TrialValues values(std::size_t trial, TrialBuffer& buffer) const { return store_->values(trial, buffer); }
  /// In double, whatever they are stored as.
  Eigen::Map<const Matrix> doubles(std::size_t trial, TrialBuffer& buffer) const {
    return values(trial, buffer).in_double(buffer);
  }
  void will_need(std::size_t trial) const { store_->will_need(trial); }

  /// These trials (0, 1, ...) in this order; one may come several times. No value is copied. The
  /// truth of simulated trials is left behind, here and below.
  TrialSource some_trials(const std::vector<std::size_t>& which) const;
  /// The same values under other labels.
  TrialSource with_labels(std::vector<LabelColumn> labels) const;
  /// These channels (0, 1, ...) in this order. Every pass copies them, trial by trial, into a buffer.
  TrialSource some_channels(const std::vector<Index>& which) const;

 private:
  TrialSource(std::shared_ptr<const TrialStore> store, std::shared_ptr<const TrialsInfo> info);

  std::shared_ptr<const TrialStore> store_;
  std::shared_ptr<const TrialsInfo> info_;
};

/// Trials in memory that belongs to somebody else. `owner` is kept as long as the source and its
/// copies; without one the memory must outlive them. Throws Error(bad_input) if an address is null
/// or a stride is zero.
TrialSource borrow_trials(Index n_channels, std::vector<BorrowedTrial> trials, TrialsInfo info,
                          std::shared_ptr<const void> owner = nullptr);

inline const double* TrialValues::doubles() const {
  const auto* found = std::get_if<const double*>(&values);
  return found ? *found : nullptr;
}

inline const float* TrialValues::floats() const {
  const auto* found = std::get_if<const float*>(&values);
  return found ? *found : nullptr;
}

template <class Action>
decltype(auto) TrialValues::visit(Action&& action) const {
  if (const float* y = floats()) return action(Eigen::Map<const Eigen::MatrixXf>(y, n_channels, n_times));
  return action(Eigen::Map<const Matrix>(doubles(), n_channels, n_times));
}

}  // namespace milcci
