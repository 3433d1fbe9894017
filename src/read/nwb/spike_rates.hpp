// What is needed of spike trains and intervals besides the rates themselves.
#pragma once

#include "milcci/spike_rates.hpp"

namespace milcci::read {

/// In order, with touching ones merged. Empty and reversed ones are removed.
Intervals merged(Intervals intervals);
/// What of `intervals` is in none of `holes`; both merged.
Intervals without(const Intervals& intervals, const Intervals& holes);

/// Whole bins between two times; a bin may miss a millionth of its width for rounding.
double n_bins(double begin, double end, double bin_width);

/// Spikes, and seconds observed, between two times.
struct Activity {
  double n_spikes = 0, seconds = 0;
};
Activity activity(const SpikeTrain& unit, double begin, double end);

}  // namespace milcci::read
