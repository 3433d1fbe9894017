// Firing rates from the times of spikes. `read_data` does this for NWB files.
//
//   rate(t) = sum_s k(s) c(t + s) / (w sum_s k(s) o(t + s)),   k(s) = exp(-(s w)^2 / (2 sigma^2)), |s| w <=
//   window / 2
//
// c(t) is the number of spikes in the bin [begin + t w, begin + (t + 1) w), o(t) is 1 where the unit was
// observed during the whole bin, else 0. A bin that was not observed has no rate: NaN. Spikes outside the
// trial count where the kernel reaches beyond its ends, so that rates do not sink there. One trial costs O(N
// T window / w) and the search for its first spikes.
#pragma once

#include <span>
#include <vector>

#include "milcci/types.hpp"

namespace milcci {

struct Interval {
  double begin = 0, end = 0;
};
/// Stretches of time, in order and apart from one another.
using Intervals = std::vector<Interval>;

/// One unit: its spikes in seconds, sorted and kept by the caller, and when it was observed.
struct SpikeTrain {
  std::span<const double> spikes;
  Intervals observed;
};

/// Seconds; the paper's numbers. Sigma 0: counts are not smoothed.
struct RateOptions {
  double bin_width = 0.005, sigma = 0.005, window = 0.05;
};

/// Units x bins, in spikes per second; the first bin begins at `begin`. Throws Error(bad_option)
/// for invalid widths.
Matrix spike_rates(const std::vector<SpikeTrain>& units, double begin, Index n_bins,
                   const RateOptions& options = {});

}  // namespace milcci
