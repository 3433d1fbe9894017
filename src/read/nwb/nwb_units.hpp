// The units (sorted neurons) of an NWB file.
#pragma once

#include <string>
#include <vector>

#include "hdf5/hdf5.hpp"
#include "milcci/read.hpp"
#include "read/nwb/spike_rates.hpp"

namespace milcci::read {

struct Units {
  std::vector<double> times;  ///< of all spikes, unit by unit
  std::vector<SpikeTrain> trains;
  std::vector<std::string> names;
  std::vector<std::string> groups;  ///< or empty
};

/// Reads /units: spikes, names, groups (the place of the electrode, or the column --channel-group), and when
/// each was observed: its obs_intervals, always if it has none, and never during /intervals/invalid_times.
Units read_units(const hdf5::Group& root, const ReadOptions& options, std::vector<std::string>& notes);

/// Where the electrodes in these rows of the table of electrodes are. Empty if the file does not say.
std::vector<std::string> electrode_locations(const hdf5::Group& root, const hdf5::Group& owner,
                                             const std::vector<std::int64_t>& rows);

}  // namespace milcci::read
