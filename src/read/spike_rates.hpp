// Firing rates from the times of spikes.
//
//   rate(t) = sum_s k(s) c(t + s) / (w sum_s k(s) o(t + s)),   k(s) = exp(-(s w)^2 / (2 sigma^2)), |s| w <=
//   window / 2
//
// c(t) is the number of spikes in the bin [begin + t w, begin + (t + 1) w), o(t) is 1 where the unit was
// observed during the whole bin, else 0. A bin that was not observed has no rate: NaN. Spikes outside the
// trial count where the kernel reaches beyond its ends, so that rates do not sink there. One trial costs O(N
// T window / w) and the search for its first spikes.
#pragma once

#include <string>
#include <vector>

#include "milcci/types.hpp"

namespace milcci::read {

/// Stretches of time, in order and apart from one another.
struct Interval {
  double begin = 0, end = 0;
};
using Intervals = std::vector<Interval>;

/// In order, with those that touch made one. Empty and reversed ones are gone.
Intervals merged(Intervals intervals);
/// What of `intervals` is in none of `holes`; both merged.
Intervals without(const Intervals& intervals, const Intervals& holes);

/// The spikes of one unit in seconds, sorted, and when it was observed.
struct SpikeTrain {
  std::vector<double> spikes;
  Intervals observed;
};

/// Seconds. Sigma 0: counts are not smoothed.
struct RateOptions {
  double bin_width = 0.005, sigma = 0.005, window = 0.05;
};

/// Whole bins between two times; a bin may miss a millionth of its width for rounding.
double n_bins(double begin, double end, double bin_width);

/// Units x bins, in spikes per second.
Matrix spike_rates(const std::vector<SpikeTrain>& units, double begin, Index n_bins,
                   const RateOptions& options);

/// Spikes, and seconds observed, between two times.
struct Activity {
  double n_spikes = 0, seconds = 0;
};
Activity activity(const SpikeTrain& unit, double begin, double end);

}  // namespace milcci::read
