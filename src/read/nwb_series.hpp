// A time series of an NWB file (TimeSeries, RoiResponseSeries, ElectricalSeries, ...): a group with `data`,
// time x channel, and either `timestamps` or `starting_time` with a rate.
#pragma once

#include <string>
#include <vector>

#include "files/hdf5.hpp"
#include "milcci/read.hpp"
#include "read/trial_windows.hpp"

namespace milcci::read {

/// Path and shape of every time series in the file.
std::vector<std::string> list_series(const hdf5::Group& root);

/// What a series has in each window; windows without a sample give matrices without columns.
struct SeriesTrials {
  std::vector<Matrix> values;
  std::vector<Vector> times;  ///< from the window's zero on
  std::vector<std::string> names, groups;
  std::string description;
};

/// Reads the series options.dataset, only the samples within the windows. Data are multiplied by their
/// attribute `conversion`, and `offset` is added.
SeriesTrials read_series(const std::string& path, const hdf5::Group& root, const ReadOptions& options,
                         const std::vector<TrialWindow>& windows);

}  // namespace milcci::read
