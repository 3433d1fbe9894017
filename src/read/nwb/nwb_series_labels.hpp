// Labels of an NWB file that are means of a time series within the trials: pupil size, running speed, ...
#pragma once

#include <string>
#include <vector>

#include "hdf5/hdf5.hpp"
#include "milcci/read.hpp"
#include "read/nwb/trial_windows.hpp"

namespace milcci::read {

/// Adds a label column per options.series_labels. A trial without a sample has no label.
void add_series_labels(const std::string& path, const hdf5::Group& root, const ReadOptions& options,
                       const std::vector<TrialWindow>& windows, ReadResult& result);

}  // namespace milcci::read
