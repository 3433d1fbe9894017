// Where the numbers of a trial come from. The fit asks for one trial at a time and never for the whole, so
// that a source larger than memory can take this place.
#pragma once

#include <memory>
#include <vector>

#include "milcci/options.hpp"
#include "milcci/trials.hpp"
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

class TrialData {
 public:
  /// Refers to the trials, which must outlive it; copies them only to apply tanh or to keep them in single
  /// precision.
  TrialData(const Trials& trials, bool apply_tanh, Precision precision = Precision::float64, int threads = 1);
  /// Takes the values of the trials and nothing else of them.
  TrialData(Trials&& trials, bool apply_tanh, Precision precision = Precision::float64, int threads = 1);
  TrialData(TrialData&&) = default;  // not copied: it points into its own storage
  TrialData& operator=(TrialData&&) = default;
  /// One trial per group of trials, made of about `n_columns` / n_groups of their time points (all if there
  /// are no more), evenly spread. Without a penalty over time the time points of trials with the same label
  /// are exchangeable, so this is the same problem, smaller.
  TrialData pooled(const std::vector<int>& group_of_trial, Index n_columns, std::uint64_t seed) const;

  Index n_channels() const { return n_channels_; }
  std::size_t n_trials() const { return trials_.size(); }
  Index n_times(std::size_t m) const { return trials_[m].n_times; }
  /// nullptr if every entry of the trial is observed.
  const Gaps* gaps(std::size_t m) const { return trials_[m].gaps.get(); }
  bool has_gaps() const;

  using View = Eigen::Map<const Matrix>;
  /// Y_m, N x T_m. Missing entries read as zero, which leaves them out of every sum of products; whatever
  /// else depends on them must ask `gaps`. `scratch` is used only by trials with gaps or in single precision.
  View values(std::size_t m, Matrix& scratch) const;
  /// Y_m where it lies in single precision; nullptr if it is kept in double or has gaps.
  const float* floats(std::size_t m) const;

  /// Sum of squares over the observed entries of a trial, and over all trials.
  double energy(std::size_t m) const { return trials_[m].energy; }
  double energy() const { return energy_; }
  /// Sum of squares about each channel's mean over all its observed entries: the denominator of R2.
  double variation() const { return variation_; }
  bool has_negative() const { return has_negative_; }
  /// (typical step / step)^2 between time points t and t + 1, T_m - 1 numbers: what makes smoothness a
  /// penalty per unit of time. Empty if every step is the typical one.
  const Vector& step_weights(std::size_t m) const { return trials_[m].step_weights; }

 private:
  struct Source {
    const double* values = nullptr;  ///< or
    const float* floats = nullptr;
    Index n_times = 0;
    double energy = 0;
    std::shared_ptr<const Gaps> gaps;
    Vector step_weights;
  };
  TrialData() = default;
  void refer_to(const std::vector<Matrix>& values);
  void finish(const std::vector<Vector>& times, Precision precision, int threads);
  void keep_floats();
  Vector column(std::size_t m, Index t) const;
  std::shared_ptr<const Gaps> missing_in(const Source& source) const;
  void measure(int threads);

  Index n_channels_ = 0;
  std::vector<Source> trials_;
  std::vector<Matrix> owned_;
  std::vector<Eigen::MatrixXf> owned_floats_;
  double energy_ = 0, variation_ = 0;
  bool has_negative_ = false;
};

}  // namespace milcci
