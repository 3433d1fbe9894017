// A small NWB file: three units, two tables of trials, a time series. Tests change it with Hdf5Editor.
#pragma once

#include <hdf5.h>

#include <string>

#include "support/hdf5_editor.hpp"

namespace milcci::testing {

using Reals = std::vector<double>;
using Integers = std::vector<std::int64_t>;
using Texts = std::vector<std::string>;

inline void put_object_attribute(const std::string& path, const std::string& object, const std::string& name,
                                 double value) {
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  const hid_t space = H5Screate(H5S_SCALAR);
  const hid_t attribute = H5Acreate_by_name(file, object.c_str(), name.c_str(), H5T_NATIVE_DOUBLE, space,
                                            H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  H5Awrite(attribute, H5T_NATIVE_DOUBLE, &value);
  H5Aclose(attribute);
  H5Sclose(space);
  H5Fclose(file);
}

/// Spikes: unit 7 at 1.05, 1.15, 2.05; unit 8 none; unit 9 at 0.95, 1.25, 1.26, 2.15. Trials of the table
/// `trials`: 1 to 1.3 s and 2 to 2.2 s.
inline void write_nwb(const std::string& path) {
  H5Fclose(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
  {
    Hdf5Editor file(path);
    file.put_attribute("nwb_version", std::string("2.4.0"));
    file.put_group("units");
    file.put("units/id", Integers{7, 8, 9}, {3});
    file.put("units/spike_times", Reals{1.05, 1.15, 2.05, 0.95, 1.25, 1.26, 2.15}, {7});
    file.put("units/spike_times_index", Integers{3, 3, 7}, {3}, H5T_STD_U8LE);
    file.put("units/electrodes", Integers{1, 0, 1}, {3});
    for (const char* group :
         {"general", "general/extracellular_ephys", "general/extracellular_ephys/electrodes"})
      file.put_group(group);
    file.put("general/extracellular_ephys/electrodes/location", Texts{"V1", "CA1"}, {2});
    file.put_group("intervals");
    file.put_group("intervals/trials");
    file.put("intervals/trials/start_time", Reals{1, 2}, {2});
    file.put("intervals/trials/stop_time", Reals{1.3, 2.2}, {2});
    file.put("intervals/trials/go_time", Reals{1.1, NAN}, {2});
    file.put("intervals/trials/choice", Texts{"left", "right"}, {2});
    file.put("intervals/trials/dose", Reals{0.5, NAN}, {2});
    file.put("intervals/trials/block", Reals{1, 2}, {2});
    file.put_group("acquisition");
    file.put_group("acquisition/pupil");
    file.put("acquisition/pupil/data", Reals{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, {12});
    file.put("acquisition/pupil/starting_time", Reals{0.95}, {});
  }
  put_object_attribute(path, "acquisition/pupil/starting_time", "rate", 10.0);
}

}  // namespace milcci::testing
