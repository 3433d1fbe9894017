// The data as a fit sees them: a source of trials, and what is measured of it once. The fit asks for one
// trial at a time and never for the whole.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "milcci/options.hpp"
#include "milcci/trial_source.hpp"
#include "milcci/types.hpp"

namespace milcci {

/// Missing entries of one trial: at time point t the channels channel[first[t]] ... channel[first[t + 1] -
/// 1].
struct Gaps {
  std::vector<int> first;
  std::vector<int> channel;
  /// The same as bits, in fours, which is how sums over them are looked up in tables. Bit i of observed[t *
  /// n_fours + g]: channel 4 g + i at time point t. Bit i of missing[g * n_channels + n]: channel n at time
  /// point 4 g + i.
  std::vector<unsigned char> observed, missing;
};

/// How the fit looks at channel n: (y_n - offset_n) weight_n. Either may be empty, for 0 and 1.
struct Frame {
  Vector offset, weight;

  bool is_plain() const { return offset.size() == 0 && weight.size() == 0; }
  double offset_of(Index n) const { return offset.size() > 0 ? offset(n) : 0.0; }
  double weight_of(Index n) const { return weight.size() > 0 ? weight(n) : 1.0; }
  /// Of some channels.
  Frame of(const std::vector<Index>& channels) const {
    Frame some;
    if (offset.size() > 0) some.offset = offset(channels);
    if (weight.size() > 0) some.weight = weight(channels);
    return some;
  }
};

/// Sums over the observed values of every channel.
struct ChannelSums {
  Vector count, sum, squares;
};

class TrialData {
 public:
  /// Reads the values of the source in place, floats as floats. Copies them only to apply tanh, or
  /// to keep doubles in single precision.
  explicit TrialData(TrialSource source, Transform transform = Transform::none,
                     Precision precision = Precision::float64, int threads = 1);
  /// Takes over the values of the trials, and nothing else: neither tanh nor single precision then
  /// needs a second copy of all values.
  explicit TrialData(Trials&& trials, Transform transform = Transform::none,
                     Precision precision = Precision::float64, int threads = 1);

  Index n_channels() const { return source_.n_channels(); }
  std::size_t n_trials() const { return trials_.size(); }
  Index n_times(std::size_t m) const { return source_.n_times(m); }
  /// nullptr if every entry of the trial is observed.
  const Gaps* gaps(std::size_t m) const { return trials_[m].gaps.get(); }
  bool has_gaps() const;

  /// The same trials with other values, which become its own; NaN where entries are missing, as here.
  TrialData with_values(std::vector<Matrix> values, int threads) const;

  /// From now on values, energies and variation are those in the frame. The data stay as they are.
  void set_frame(Frame frame);
  const Frame& frame() const { return frame_; }
  /// Of the data as they are stored.
  const ChannelSums& channel_sums() const { return sums_; }

  using View = Eigen::Map<const Matrix>;
  /// Y_m in the frame, N x T_m. Missing entries read as zero, which leaves them out of every sum of products;
  /// whatever else depends on them must ask `gaps`. The buffer is used by trials with gaps, in single
  /// precision or in a frame, and where the source cannot do without it.
  View values(std::size_t m, TrialBuffer& buffer) const;
  /// Y_m as it is stored, floats or doubles, without the frame. Missing entries are NaN.
  TrialValues stored(std::size_t m, TrialBuffer& buffer) const { return source_.values(m, buffer); }
  void will_need(std::size_t m) const { source_.will_need(m); }

  /// Sum of squares over the observed entries of a trial, of a channel, and of all.
  double energy(std::size_t m) const { return trials_[m].energy * energy_scale_; }
  double energy_of_channel(Index n) const;
  double energy() const { return energy_; }
  /// Sum of squares about each channel's mean over all its observed entries: the denominator of R2.
  double variation() const { return variation_; }
  /// The group of each channel, 0, 1, ...; empty if there are none.
  const std::vector<int>& channel_group() const { return channel_group_; }
  /// Whether channels are below zero beyond noise (data/negative_signal.hpp). Looks at the values again, but
  /// only if any is negative.
  bool has_negative() const;
  /// (typical step / step)^2 between time points t and t + 1, T_m - 1 numbers: what makes smoothness a
  /// penalty per unit of time. Empty if every step is the typical one.
  const Vector& step_weights(std::size_t m) const { return trials_[m].step_weights; }

 private:
  struct Measured {
    double energy = 0;
    std::shared_ptr<const Gaps> gaps;
    Vector step_weights;
  };
  TrialData(TrialSource source, const std::vector<Vector>& times,
            const std::vector<std::string>& channel_groups, int threads);
  void measure(int threads);

  TrialSource source_;
  std::vector<Measured> trials_;
  ChannelSums sums_;
  Frame frame_;
  double energy_ = 0, variation_ = 0;
  double energy_scale_ = 1;  ///< of the trials' energies in the frame, on average
  std::vector<int> channel_group_;
  bool has_negative_ = false;
};

}  // namespace milcci
