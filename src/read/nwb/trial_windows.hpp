// When each trial begins and ends on the clock of the recording.
#pragma once

#include <string>
#include <vector>

#include "read/nwb/nwb_table.hpp"

namespace milcci::read {

/// More values than this in all trials together (4 GiB) cannot be meant: a stop is far from all
/// others, or bins are too small.
inline constexpr double kMostValues = 536870912.0;

/// Seconds. `zero` is the event, or the start, from which the times within the trial are counted.
struct TrialWindow {
  std::size_t row = 0;  ///< of the table of trials
  double zero = 0, begin = 0, end = 0;
};

/// The windows that `options` ask for, at most options.first_trials. Rows without the event are left out with
/// a note. Throws Error(bad_file) for starts and stops that are no numbers or in the wrong order.
std::vector<TrialWindow> trial_windows(const std::string& path, const TrialTable& table,
                                       const ReadOptions& options, std::vector<std::string>& notes);

}  // namespace milcci::read
