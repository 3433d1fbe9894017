// A time series of an NWB file (TimeSeries, RoiResponseSeries, ElectricalSeries, ...): a group with `data`,
// time x channel, and either `timestamps` or `starting_time` with a rate.
#pragma once

#include <string>
#include <vector>

#include "hdf5/hdf5.hpp"
#include "milcci/trials.hpp"
#include "read/nwb/trial_windows.hpp"

namespace milcci::read {

/// Path and shape of every time series in the file, or of the first ones if there are many.
std::vector<std::string> list_series(const hdf5::Group& root);

/// What a series has in each window; windows without a sample give matrices without columns.
struct SeriesTrials {
  std::vector<Matrix> values;
  std::vector<Vector> times;  ///< from the window's zero on
  std::vector<std::string> names, groups;
  std::string description;
};

/// A series by its path in the file, and the option that asks for it.
struct SeriesName {
  std::string option, path;
};

/// Reads only the samples within the windows. Data are multiplied by their attribute `conversion` and by
/// `channel_conversion`, and `offset` is added.
SeriesTrials read_series(const std::string& path, const hdf5::Group& root, const SeriesName& name,
                         const std::vector<TrialWindow>& windows);

}  // namespace milcci::read
